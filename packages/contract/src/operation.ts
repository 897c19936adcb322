// The shape of one row of the operation table, and the types that handlers and clients derive from it.
import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import type { CredentialKind } from './tokens.ts';

/** The HTTP methods that operations use. */
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/**
 * What a restricted key needs (D15). `admin` includes `read` and `run`; the runtime token includes everything.
 * `run:own` is the run scope on what the same token started. `runtime` is the runtime token alone.
 */
export type AcceptedScope = 'read' | 'run' | 'run:own' | 'admin' | 'runtime';

/** Bodies that are not JSON: text, raw bytes, or a stream of server-sent events. */
export type RawBody = 'text' | 'bytes' | 'events';

/** What one status of an operation answers. */
export interface Reply {
  readonly description: string;
  /** Media type -> what it carries; empty for 204. */
  readonly content: Readonly<Record<string, z.ZodType | RawBody>>;
  /** How a list is wrapped (specification, Resources). */
  readonly envelope?: 'data' | 'data_total' | 'array';
}

/** One row of the table: all that servers, clients and documents know of an operation. */
export interface Operation {
  /** `<group>.<verb>`: the name of the client's method. */
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly scopes: readonly AcceptedScope[];
  /** What its callers may show, `none` for nothing at all; what the surface takes unless said. */
  readonly credentials?: readonly (CredentialKind | 'none')[];
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** True where a call without a body means an empty object. */
  readonly isBodyOptional?: true;
  /** `json` unless said; `multipart` hands the handler a stream of parts; what is wrong with a `json-rpc` body is told in its own form. */
  readonly bodyType?: 'json' | 'multipart' | 'json-rpc';
  /** Cap on the body when it is not LIMITS.bodyBytesMax. */
  readonly bodyBytesMax?: number;
  readonly replies: Readonly<Record<number, Reply>>;
  /** Refusals beyond those every operation shares (400, 401, 403, 429, 500). */
  readonly errors?: readonly ErrorCode[];
  /** Takes `Idempotency-Key` (D8): `replay` answers again with what was made, `once` refuses, because the reply holds a secret. */
  readonly idempotency?: 'replay' | 'once';
  /** The param that names a row whose owner decides under `run:own`. */
  readonly owned?: 'run';
}

/** A group of the table: operations by verb. */
export type OperationGroup = Readonly<Record<string, Operation>>;

/** The table of one surface: groups by name. */
export type OperationTable = Readonly<Record<string, OperationGroup>>;

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;

/** What a handler receives, parsed and checked. */
export interface Input<Op extends Operation> {
  readonly params: Parsed<Op['params']>;
  readonly query: Parsed<Op['query']>;
  readonly body: Parsed<Op['body']>;
}

type Carried<C> = C extends z.ZodType ? z.output<C> : C extends 'text' ? TextBody : C extends 'bytes' ? ByteBody : EventSource;

/** A text, whole or in pieces that are sent as they come. */
export type TextBody = string | AsyncIterable<string>;
/** Bytes, whole or in pieces that are sent as they come. */
export type ByteBody = Uint8Array | AsyncIterable<Uint8Array>;

/** One server-sent event: `id` becomes the SSE id, the rest one JSON line. */
export interface ServerEvent {
  readonly id?: number;
  readonly data: unknown;
}
/** JSON of one element in parts of at most so many bytes, asked anew for each; read as they are taken. Throws when it is gone meanwhile. */
export type JsonParts = (bytesMax: () => number) => Iterable<string | Uint8Array>;
/** Server-sent events in order; the stream ends when the iteration does. */
export type EventSource = AsyncIterable<ServerEvent>;

type ReplyBody<R extends Reply> = keyof R['content'] extends never
  ? { readonly body?: undefined }
  : {
      [M in keyof R['content']]: M extends 'application/json'
        ? { readonly body: Carried<R['content'][M]>; readonly items?: Iterable<JsonParts> }
        : { readonly type: M; readonly body: Carried<R['content'][M]> };
    }[keyof R['content']];

/**
 * Every reply that the table allows for `Op`; another status or body does not compile. `items` are the elements of the body's `data`, which
 * is empty then: each is read and sent when the caller takes it, as it is kept, and may be gone through again.
 */
export type ReplyOf<Op extends Operation> = {
  [S in keyof Op['replies'] & number]: { readonly status: S; readonly headers?: Readonly<Record<string, string>> } & ReplyBody<
    Op['replies'][S]
  >;
}[keyof Op['replies'] & number];

/** All operations of a table as one list, in table order. */
export function listOperations(table: OperationTable): readonly Operation[] {
  return Object.values(table).flatMap((group) => Object.values(group));
}
