// Who calls: the credential that a request shows, held against what the row takes and looked up anew each time (D3).
import { AppError, LIMITS } from '@weft/contract';
import type { CredentialKind, Operation } from '@weft/contract';
import type { Actor } from './actor.ts';
import type { Incoming } from '../wire/message.ts';
import type { Policy } from './policy.ts';
import type { RateLimiter, RatePolicy } from './rate.ts';

const FAILURES: RatePolicy = { perSecond: LIMITS.authFailuresPerSecond, burst: LIMITS.authFailuresPerSecond };

/**
 * The actor of a request; `operation` is undefined where its path or method names none. Throws AppError `unauthorized`, and
 * `too_many_requests` for an address that shows wrong credentials again and again.
 */
export async function requireActor(
  request: Incoming,
  operation: Operation | undefined,
  policy: Policy,
  limiter: RateLimiter,
): Promise<Actor> {
  const kinds: readonly (CredentialKind | 'none')[] = operation?.credentials ?? policy.credentials;
  const credential = policy.findCredential(request);
  if (credential && !kinds.includes(credential.kind)) throw new AppError('unauthorized', policy.sentences.missing(operation));
  const actor = credential && (await policy.authenticate(credential, request.own));
  if (actor) return actor;
  if (!policy.showsAny(request)) {
    if (policy.anonymous && kinds.includes('none')) return policy.anonymous(request);
    throw new AppError('unauthorized', policy.sentences.missing(operation));
  }
  if (!(await limiter.take(`auth ${request.remoteAddress}`, FAILURES)).allowed)
    throw new AppError('too_many_requests', 'Too many wrong credentials from this address; wait a second.', { retryAfterSeconds: 1 });
  throw new AppError('unauthorized', policy.sentences.unknown(operation, request));
}
