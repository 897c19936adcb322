// Typed methods for every operation of a table: `client.keys.create({ name, scopes })`. Types come from the contract, paths from a generated list.
import type { DaemonTable, EventSource, ExtraTable, Operation, OperationTable, ServerEvent } from '@weft/contract';
import type { z } from 'zod';
import { ROUTES } from './generated/routes.ts';
import type { ClientRoute } from './route.ts';
import { readEventStream } from './sse.ts';
import type { Transport } from './transport.ts';

/** What any call takes beside its input. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Makes a repeated creating call have one effect. */
  readonly idempotencyKey?: string;
  /** Resumes an event stream after this number. */
  readonly lastEventId?: number;
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

/** The method of one operation; its input can be left out where nothing in it is required. */
export type Method<Op extends Operation> =
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

/** Methods over a transport. The generated list and the types come from one table, so the shapes agree. */
export function createMethods(transport: Transport): AgentMethods {
  const groups: Record<string, Record<string, unknown>> = {};
  for (const [id, route] of Object.entries(ROUTES)) {
    const [group = '', verb = ''] = id.split('.');
    (groups[group] ??= {})[verb] = (input: Record<string, unknown> = {}, options: CallOptions = {}) =>
      call(transport, route, input, options);
  }
  // A test holds the generated list against the table: every operation has its method, and no other is there.
  return groups as unknown as AgentMethods;
}

async function call(
  transport: Transport,
  route: ClientRoute,
  input: Readonly<Record<string, unknown>>,
  options: CallOptions,
): Promise<unknown> {
  const { path, query, body } = place(route, input);
  const response = await transport.send({
    method: route.method,
    path,
    query,
    ...(body === undefined ? {} : { body }),
    headers: {
      ...(options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey }),
      ...(options.lastEventId === undefined ? {} : { 'last-event-id': String(options.lastEventId) }),
    },
    signal: options.signal,
    answers: route.answers,
  });
  if (route.kind === 'none') return undefined;
  if (route.kind === 'events') return events(response);
  return response.headers.get('content-type')?.startsWith('application/json') ? await response.json() : response;
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
