// The types of handlers, derived from a table: a missing handler, an undeclared status or a wrong body does not compile.
import type { Input, JsonParts, Operation, OperationGroup, OperationTable, ReplyOf } from '@weft/contract';
import type { Actor } from './actor.ts';

/** One call, checked and ready for its handler. */
export interface Call<Op extends Operation> extends Input<Op> {
  readonly actor: Actor;
  /** Under `run:own`: only rows that this actor owns may be listed. */
  readonly ownerId: string | undefined;
  /** Aborts when the caller goes away, its token dies, or the server stops. */
  readonly signal: AbortSignal;
  readonly requestId: string;
  /** Of the listener that took the call, such as `https://127.0.0.1:8132`. */
  readonly origin: string;
  /** `Last-Event-ID` of a resuming event stream; 0 from the start. */
  readonly lastEventId: number;
  /** The untouched body; only a multipart operation reads it. */
  readonly rawBody: AsyncIterable<Uint8Array>;
  readonly contentType: string;
  /** The value of the only request header of this name, in lower case; undefined when it is absent or stands twice. */
  header(name: string): string | undefined;
}

export type Handler<Op extends Operation> = (call: Call<Op>) => ReplyOf<Op> | Promise<ReplyOf<Op>>;
export type GroupHandlers<Group extends OperationGroup> = { readonly [Verb in keyof Group]: Handler<Group[Verb]> };
export type TableHandlers<Table extends OperationTable> = { readonly [Group in keyof Table]: GroupHandlers<Table[Group]> };

/** A handler as the kernel sees it, when the row that it belongs to is only known at run time. */
export type AnyHandler = (call: Call<Operation>) => AnyReply | Promise<AnyReply>;
export interface AnyReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly type?: string;
  readonly body?: unknown;
  /** The elements of the body's `data`, read one by one as the caller takes them. May be gone through again. */
  readonly items?: Iterable<JsonParts>;
}

/** A table with its handlers, as the kernel takes them. */
export interface Surface {
  readonly table: OperationTable;
  readonly handlers: Readonly<Record<string, Readonly<Record<string, AnyHandler>>>>;
}

/**
 * Pairs a table with its handlers. The parameter types make the pairing complete; the result forgets each handler's own row, which is
 * safe because the kernel only calls a handler with what that row's schemas produced.
 */
export function surface<const Table extends OperationTable>(table: Table, handlers: TableHandlers<Table>): Surface {
  return { table, handlers: handlers as Surface['handlers'] };
}
