// Typed methods for every operation of a table: `client.keys.create({ name, scopes })`. Types come from the contract, paths from a generated list.
import type {
  AccountTable,
  CloudTable,
  DaemonTable,
  EventSource,
  ExtraTable,
  Operation,
  OperationTable,
  ServerEvent,
} from '@weft/contract';
import type { z } from 'zod';
import type { ClientRoute } from './route.ts';
import { readEventStream } from './sse.ts';
import type { Transport } from './transport.ts';

/** What any call takes beside its input. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Makes a repeated creating call have one effect; made up for each call that can have one, unless said. */
  readonly idempotencyKey?: string;
  /** How long the call may take; what the client was made with unless said. */
  readonly timeoutSeconds?: number;
  /** Resumes an event stream after this number. */
  readonly lastEventId?: number;
  /** Told how many entries a list has in all, where the answer is a part of it. */
  readonly onTotal?: (total: number) => void;
}

type In<T> = T extends z.ZodType ? z.input<T> : unknown;
type Out<T> = T extends z.ZodType ? z.output<T> : unknown;
type Flat<T> = { [K in keyof T]: T[K] };

/** Path, query and body members of a call in one object. */
export type CallInput<Op extends Operation> = Flat<Out<Op['params']> & Out<Op['query']> & In<Op['body']>>;

type Carried<C> = C extends z.ZodType
  ? z.output<C>
  : C extends 'events'
    ? AsyncIterable<ServerEvent>
    : C extends 'text'
      ? string
      : C extends 'bytes'
        ? Response
        : never;
type BodyOf<Reply> = Reply extends { readonly content: infer Content }
  ? keyof Content extends never
    ? undefined
    : Carried<Content[keyof Content]>
  : never;

/** What a method resolves with: the body of any reply that the table declares. */
export type CallResult<Op extends Operation> = BodyOf<Op['replies'][keyof Op['replies']]>;

type IsEmpty<T> = keyof T extends never ? true : false;
type RequiredKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];

/** The method of one operation; that of a list has `all` beside it. */
export type Method<Op extends Operation> = Call<Op> &
  (Extract<keyof Out<Op['query']>, 'offset' | 'cursor'> extends never ? unknown : { readonly all: CallAll<Op> });

/** Every entry of a list, over all of its pages; the input says which, as for one page. */
type CallAll<Op extends Operation> =
  RequiredKeys<CallInput<Op>> extends never
    ? (input?: Unpaged<CallInput<Op>>, options?: CallOptions) => AsyncGenerator<EntryOf<CallResult<Op>>, undefined>
    : (input: Unpaged<CallInput<Op>>, options?: CallOptions) => AsyncGenerator<EntryOf<CallResult<Op>>, undefined>;
type Unpaged<Input> = Omit<Input, 'offset' | 'cursor'>;
type EntryOf<Result> = Result extends readonly (infer Entry)[]
  ? Entry
  : Result extends { readonly data: readonly (infer Entry)[] }
    ? Entry
    : never;

/** A call; its input can be left out where nothing in it is required. */
type Call<Op extends Operation> =
  IsEmpty<CallInput<Op>> extends true
    ? (input?: Readonly<Record<string, never>>, options?: CallOptions) => Promise<CallResult<Op>>
    : RequiredKeys<CallInput<Op>> extends never
      ? (input?: CallInput<Op>, options?: CallOptions) => Promise<CallResult<Op>>
      : (input: CallInput<Op>, options?: CallOptions) => Promise<CallResult<Op>>;

/** The methods of a table, by group and verb. */
export type MethodsOf<Table extends OperationTable> = {
  readonly [G in keyof Table]: { readonly [V in keyof Table[G]]: Method<Table[G][V]> };
};
/** All methods of the agent. */
export type AgentMethods = MethodsOf<DaemonTable> & MethodsOf<ExtraTable>;
/** All methods of a cloud; functions are called by `call` of its client, because their inputs may have any names. */
export type CloudMethods = MethodsOf<Omit<CloudTable, 'published' | 'mcp'>> & MethodsOf<AccountTable>;

/** Methods of generated routes. The generated list and the types come from one table, so the shapes agree. */
export function createMethods<Methods>(
  routes: Readonly<Record<string, ClientRoute>>,
  transportOf: (route: ClientRoute, id: string) => Transport,
): Methods {
  const groups: Record<string, Record<string, unknown>> = {};
  for (const [id, route] of Object.entries(routes)) {
    const [group = '', verb = ''] = id.split('.');
    const method = async (input: Record<string, unknown> = {}, options: CallOptions = {}) =>
      await call(transportOf(route, id), route, input, options);
    const paging = (['cursor', 'offset'] as const).find((name) => route.query.includes(name));
    (groups[group] ??= {})[verb] =
      paging === undefined
        ? method
        : Object.assign(method, {
            all: (input: Record<string, unknown> = {}, options: CallOptions = {}) =>
              entries((page) => method({ ...input, ...page }, options), paging),
          });
  }
  // A test holds the generated list against the table: every operation has its method, and no other is there.
  return groups as unknown as Methods;
}

async function call(
  transport: Transport,
  route: ClientRoute,
  input: Readonly<Record<string, unknown>>,
  options: CallOptions,
): Promise<unknown> {
  const { path, query, body } = place(route, input);
  const key = options.idempotencyKey ?? (route.isReplayed ? crypto.randomUUID() : undefined);
  const response = await transport.send({
    method: route.method,
    path,
    query,
    ...(body === undefined ? {} : { body }),
    headers: {
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(options.lastEventId === undefined ? {} : { 'last-event-id': String(options.lastEventId) }),
    },
    signal: options.signal,
    timeoutSeconds: options.timeoutSeconds,
    isWhole: route.kind === 'json',
    isDoneWhenGone: route.method === 'DELETE' && route.kind === 'none',
    answers: route.answers,
  });
  const total = response.headers.get('x-total-count');
  if (total !== null) options.onTotal?.(Number(total));
  if (route.kind === 'none') return undefined;
  if (route.kind === 'events') return events(response);
  return response.headers.get('content-type')?.startsWith('application/json') ? await response.json() : response;
}

/** What a page of a list looks like, in either form. */
type ListPage = readonly unknown[] | { readonly data: readonly unknown[]; readonly next_cursor?: string };

/** The entries of page after page: by the cursor that each gives, or by how many came before. */
async function* entries(read: (page: object) => Promise<unknown>, paging: 'cursor' | 'offset'): AsyncGenerator<unknown, undefined> {
  let page: object = {};
  for (let seen = 0; ;) {
    const answer = (await read(page)) as ListPage;
    const data = 'data' in answer ? answer.data : answer;
    yield* data;
    seen += data.length;
    const next = 'data' in answer ? answer.next_cursor : undefined;
    if (paging === 'cursor' ? next === undefined : data.length === 0) return undefined;
    page = paging === 'cursor' ? { cursor: next } : { offset: seen };
  }
}

/** Puts each member where the route wants it: the path, the query, else the body. */
function place(route: ClientRoute, input: Readonly<Record<string, unknown>>) {
  const query: Record<string, string | number | boolean | undefined> = {};
  const body: Record<string, unknown> = {};
  let { path } = route;
  for (const [name, value] of Object.entries(input)) {
    if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
    else if (route.query.includes(name)) query[name] = value as string | number | boolean | undefined;
    else body[name] = value;
  }
  const hasBody = route.method === 'POST' || route.method === 'PATCH';
  return { path, query, body: hasBody && Object.keys(body).length > 0 ? body : undefined };
}

async function* events(response: Response): EventSource {
  if (!response.body) return;
  for await (const event of readEventStream(response.body))
    yield { ...(event.id === undefined ? {} : { id: Number(event.id) }), data: JSON.parse(event.data) as unknown };
}
