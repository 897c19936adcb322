// `Idempotency-Key` (D8): a creating call that is repeated has one effect and one answer.
import { createHash } from 'node:crypto';
import { AppError } from '@weft/contract';

export interface StoredReply {
  readonly bodyHash: string;
  readonly status: number;
  /** The reply's JSON text; empty where the reply must not be shown again. */
  readonly body: string;
}

/** Where answers are kept for LIMITS.idempotencyHours. */
export interface IdempotencyStore {
  find(id: string): StoredReply | undefined;
  save(id: string, reply: StoredReply): void;
}

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

interface PlainReply {
  readonly status: number;
  readonly body?: unknown;
}

export interface Idempotency {
  /** The reply of `work`, or the stored one of an equal call before. Throws AppError `conflict` for another body under the same key. */
  run<R extends PlainReply>(call: KeyedCall, work: () => Promise<R>): Promise<R | PlainReply>;
}

const KEY = /^[\x21-\x7e]{1,255}$/;

export function createIdempotency(store: IdempotencyStore): Idempotency {
  const inFlight = new Map<string, Promise<unknown>>();
  return {
    async run(call, work) {
      if (!KEY.test(call.key)) throw new AppError('bad_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters.');
      const id = JSON.stringify([call.actorId, call.target, call.key]);
      const bodyHash = createHash('sha256').update(call.body).digest('hex');
      // A concurrent duplicate waits for the first; whatever that one did, the store then knows.
      while (inFlight.has(id)) await inFlight.get(id)?.catch(() => undefined);
      const stored = store.find(id);
      if (stored) return repeat(stored, bodyHash, call.mode);
      const running = work();
      inFlight.set(id, running);
      try {
        const reply = await running;
        if (reply.status < 300)
          store.save(id, { bodyHash, status: reply.status, body: call.mode === 'once' ? '' : JSON.stringify(reply.body ?? null) });
        return reply;
      } finally {
        inFlight.delete(id);
      }
    },
  };
}

function repeat(stored: StoredReply, bodyHash: string, mode: 'replay' | 'once'): PlainReply {
  if (stored.bodyHash !== bodyHash)
    throw new AppError('conflict', 'This Idempotency-Key was used with another body; take a new key for a new call.');
  if (mode === 'once')
    throw new AppError(
      'conflict',
      'This Idempotency-Key has already had its effect, and its reply is given only once. List the records of this kind to find the one that it made.',
    );
  return { status: stored.status, body: JSON.parse(stored.body) as unknown };
}
