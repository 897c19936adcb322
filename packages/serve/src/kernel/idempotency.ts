// `Idempotency-Key` (D8): a creating call that is repeated has one effect.
import { createHmac } from 'node:crypto';
import { AppError, IDEMPOTENCY_KEY } from '@weft/contract';
import type { AnyCall, AnyCreation } from './handlers.ts';
import type { Awaitable } from '../wire/message.ts';

/** What is noted of a call that had its effect. */
export interface IdempotencyNote {
  /** Keyed hash of the call's body. */
  readonly print: string;
  /** What its effect gave; undefined where that must not be shown again. */
  readonly effect: unknown;
}

/** Where notes are kept, for LIMITS.idempotencyHours. */
export interface IdempotencyStore {
  /** Secret of this store: without it a body can't be guessed from its print. */
  readonly printKey: Uint8Array;
  find(id: string): Awaitable<IdempotencyNote | undefined>;
  /**
   * Runs `effect` and notes under `id` what `noteOf` makes of its result, in one transaction: both are kept, or neither. Where `id` is noted
   * already, nothing is run and that note is the answer; whoever comes at the same time waits.
   */
  once<E>(id: string, effect: () => Awaitable<E>, noteOf: (effect: E) => IdempotencyNote): Awaitable<Once<E>>;
}

/** What a call had as its effect, or the note of an equal one before it. */
export type Once<E> = { readonly isRepeated: false; readonly effect: E } | { readonly isRepeated: true; readonly note: IdempotencyNote };

export interface KeyedCall {
  readonly actorId: string;
  /** Method and target as sent: the same key on another path is another call. */
  readonly target: string;
  /** The header's value. */
  readonly key: string;
  readonly body: Uint8Array;
  /** `once`: a repetition is refused, because the reply held a secret. */
  readonly mode: 'replay' | 'once';
}

/** Calls of this process under way, by their ids: those under one key take turns, so that the second prepares nothing. */
export type KeyedTurns = Map<string, Promise<unknown>>;

/** The effect of a call, which its repetitions are given again. Throws AppError `conflict` for another body under the same key. */
export async function effectOnce(
  store: IdempotencyStore,
  keyed: KeyedCall,
  creation: AnyCreation,
  call: AnyCall,
  turns: KeyedTurns,
): Promise<unknown> {
  if (!IDEMPOTENCY_KEY.test(keyed.key)) throw new AppError('bad_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters.');
  const id = JSON.stringify([keyed.actorId, keyed.target, keyed.key]);
  const before = turns.get(id);
  const mine = before ? before.then(() => effectOf(store, id, keyed, creation, call)) : effectOf(store, id, keyed, creation, call);
  const ended = mine.catch(() => undefined);
  turns.set(id, ended);
  try {
    return await mine;
  } finally {
    if (turns.get(id) === ended) turns.delete(id);
  }
}

async function effectOf(store: IdempotencyStore, id: string, keyed: KeyedCall, creation: AnyCreation, call: AnyCall): Promise<unknown> {
  const print = createHmac('sha256', store.printKey).update(keyed.body).digest('hex');
  const known = await store.find(id);
  if (known) return repeated(known, print, keyed.mode);
  const noteOf = (effect: unknown) => ({ print, effect: keyed.mode === 'once' ? undefined : effect });
  const prepared = await creation.prepare?.(call);
  let isUsed = false;
  try {
    const outcome = await store.once(id, () => creation.effect(call, prepared), noteOf);
    isUsed = !outcome.isRepeated;
    return outcome.isRepeated ? repeated(outcome.note, print, keyed.mode) : outcome.effect;
  } finally {
    if (!isUsed) creation.discard?.(prepared);
  }
}

function repeated(note: IdempotencyNote, print: string, mode: 'replay' | 'once'): unknown {
  if (note.print !== print)
    throw new AppError('conflict', 'This Idempotency-Key was used with another body; take a new key for a new call.');
  if (mode === 'once')
    throw new AppError(
      'conflict',
      'This Idempotency-Key has already had its effect, and its reply is given only once. List the records of this kind to find the one that it made.',
    );
  return note.effect;
}
