// The types of handlers, derived from a table: a missing handler, an undeclared status or a wrong body does not compile.
import type { Input, JsonParts, Operation, OperationGroup, OperationTable, ReplyOf } from '@weft/contract';
import type { Actor } from './actor.ts';
import type { Awaitable } from '../wire/message.ts';

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
  /** From where it came, as the connection says. */
  readonly remoteAddress: string;
  /** `Last-Event-ID` of a resuming event stream; 0 from the start. */
  readonly lastEventId: number;
  /** The untouched body; only a multipart operation reads it. */
  readonly rawBody: AsyncIterable<Uint8Array>;
  readonly contentType: string;
  /** The value of the only request header of this name, in lower case; undefined when it is absent or stands twice. */
  header(name: string): string | undefined;
}

/** Answers a call. */
export type Answer<Op extends Operation> = (call: Call<Op>) => Awaitable<ReplyOf<Op>>;

/**
 * A call that makes something, in steps, so that one that is repeated under its `Idempotency-Key` has its effect once and is answered as often
 * as it is sent (D8).
 */
export interface Creation<Op extends Operation, Effect = unknown, Prepared = unknown> {
  /** What takes time and changes nothing that stays: a file that is received, an export that is written. */
  prepare?(call: Call<Op>): Promise<Prepared>;
  /** Throws away what was prepared for an effect that was had before. */
  discard?(prepared: Prepared): void;
  /** What is made, in one transaction with the note of the key; answers what the reply is made of, as JSON: ids. */
  effect(call: Call<Op>, prepared: Prepared): Awaitable<Effect>;
  answer(effect: Effect, call: Call<Op>): Awaitable<ReplyOf<Op>>;
}

/** A creation whose steps agree on what they hand on; the table forgets it. */
export function creation<Op extends Operation, Effect, Prepared = undefined>(steps: Creation<Op, Effect, Prepared>): Creation<Op> {
  // The kernel hands each step only what the step before it gave.
  return steps as unknown as Creation<Op>;
}

export type Handler<Op extends Operation> = Op extends { readonly idempotency: string } ? Creation<Op> : Answer<Op>;
export type GroupHandlers<Group extends OperationGroup> = { readonly [Verb in keyof Group]: Handler<Group[Verb]> };

/** Calls and handlers as the kernel sees them, when the row that they belong to is only known at run time. */
export type AnyCall = Call<Operation>;
export type AnyAnswer = (call: AnyCall) => Awaitable<AnyReply>;
export interface AnyCreation {
  prepare?(call: AnyCall): Promise<unknown>;
  discard?(prepared: unknown): void;
  effect(call: AnyCall, prepared: unknown): unknown;
  answer(effect: unknown, call: AnyCall): Awaitable<AnyReply>;
}
export type AnyHandler = AnyAnswer | AnyCreation;
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
