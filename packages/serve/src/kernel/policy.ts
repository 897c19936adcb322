// What one surface decides for itself: who may come, as whom, how often, and in which words it is refused (D1-D4, D9).
import { findTokenFamily } from '@weft/contract';
import type { CredentialKind, Operation } from '@weft/contract';
import type { Actor } from './actor.ts';
import type { OwnAddress } from '../wire/guard.ts';
import type { Awaitable, Incoming } from '../wire/message.ts';
import { findHeader } from '../wire/message.ts';
import type { RatePolicy } from './rate.ts';

/** What a request shows of its caller, of the right form; whether it is known is another question. */
export interface Credential {
  readonly kind: CredentialKind;
  readonly text: string;
}

/** How a surface speaks of itself where it refuses. */
export interface Sentences {
  /** Before authentication: another Host or Origin than these. */
  foreign(addresses: readonly OwnAddress[]): string;
  /** Nothing was shown that `operation`, or whatever is at the path, takes. */
  missing(operation: Operation | undefined): string;
  /** What was shown is known to nobody, is not of the form that it should have, or comes with something else. */
  unknown(operation: Operation | undefined, request: Incoming): string;
  /** The sentence for a key whose scopes do not cover `operation`; its scopes by name unless said. */
  uncovered?(operation: Operation): string | undefined;
  /** A restricted key asked for what only the surface's own token may do. */
  readonly runtimeOnly: string;
  /** What failed is in the log alone. */
  readonly internal: string;
}

export interface Policy {
  /** The addresses by which a listener may be called; its own alone unless said. */
  addressesOf?(own: OwnAddress): readonly OwnAddress[];
  /** True for paths of operations: an unknown one among them asks for a credential before it is 404 (D3). */
  isInside(path: string): boolean;
  /** What rows take that name nothing else. */
  readonly credentials: readonly (CredentialKind | 'none')[];
  /** The one credential that a request shows; undefined for none, and for more than one. */
  findCredential(request: Incoming): Credential | undefined;
  /** True where a request shows something, well-formed or not: a wrong one counts against its address. */
  showsAny(request: Incoming): boolean;
  /** Who that is to the listener that was asked, looked up at each request; undefined when it is not known. */
  authenticate(credential: Credential, own: OwnAddress): Awaitable<Actor | undefined>;
  /** Who calls without a credential, where a row takes that. */
  anonymous?(request: Incoming): Actor;
  /** Who started run `id`; undefined when there is no such run. */
  ownerOfRun(id: number | string): Awaitable<string | undefined>;
  rateOf(actor: Actor): RatePolicy;
  /** Of a 401 of a listener: how its clients find what to show (RFC 9110, 11.6.1; RFC 9728, 5.1). */
  challenge(own: OwnAddress): string;
  readonly sentences: Sentences;
}

/** The token of exactly one `Authorization: Bearer` header. */
export function findBearer(request: Incoming): Credential | undefined {
  const text = bearerOf(request);
  const kind = text === undefined ? undefined : findTokenFamily(text);
  return text === undefined || kind === undefined ? undefined : { kind, text };
}

/** True where one such header shows a token, well-formed or not. */
export function showsBearer(request: Incoming): boolean {
  return bearerOf(request) !== undefined;
}

function bearerOf(request: Incoming): string | undefined {
  return /^Bearer +([\x21-\x7e]+)$/i.exec(findHeader(request, 'authorization') ?? '')?.[1];
}
