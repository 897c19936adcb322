// What a person's approval gives: a grant, and the tokens that its program exchanges (D18, RFC 6749, RFC 9700).
import { createHash, randomBytes } from 'node:crypto';
import { AppError, LIMITS } from '@weft/contract';
import type { OAuthGrant } from '@weft/contract';
import type { CrawlClock } from '@weft/engine';
import { hashToken, newToken, toInstant } from '@weft/serve';
import type { Actor, StreamRegistry } from '@weft/serve';
import { isDatabaseFault } from '../db/fault.ts';
import { OAuthError } from './form.ts';
import type { GrantRow, OAuthStore, TokenRow } from './store.ts';

const CODE_MS = 60_000;
const ACCESS_MS = 3_600_000;
const REFRESH_MS = 30 * 86_400_000;
/** `last_used_at` is written at most once in this time, so that reading stays a read. */
const TOUCH_MS = 60_000;
/** RFC 7636, 4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** What a person has approved. */
export interface Approved {
  readonly clientId: string;
  readonly redirectUri: string;
  /** SHA-256 of the verifier, in base64url. */
  readonly challenge: string;
  /** The address of this agent that the tokens are for, with a path or without. */
  readonly resource: string;
}

/** What a program shows to have a code exchanged. */
export interface Exchange {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly verifier: string;
  readonly resource: string | undefined;
}

/** A pair of tokens, as the token endpoint answers it. */
export interface TokenReply {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: 'run';
}

export interface OAuthGrants {
  /** An authorization code, good for a minute and once. */
  issueCode(approved: Approved): string;
  /** Throws OAuthError; a code that comes a second time ends what the first had. */
  exchange(exchange: Exchange): TokenReply;
  /** Throws OAuthError; a token that comes a second time ends its grant. */
  refresh(token: string, clientId: string, resource: string | undefined): TokenReply;
  /** Ends the grant of a refresh token, or the access token alone; does nothing for any other text. */
  revokeToken(token: string): void;
  /** RFC 7662, for the listener at `origin`. */
  introspect(token: string): Readonly<Record<string, unknown>>;
  /** Whom an access token stands for at the listener at `origin`. */
  findActor(token: string, origin: string): Actor | undefined;
  exists(id: string): boolean;
  list(page: { readonly limit?: number | undefined; readonly offset?: number | undefined }): {
    readonly data: OAuthGrant[];
    readonly total: number;
  };
  /** Ends the grant's streams and tickets too. Throws AppError `not_found`. */
  revoke(id: string): void;
  prune(): void;
}

export interface OAuthGrantPorts {
  readonly store: OAuthStore;
  readonly streams: StreamRegistry;
  readonly clock: CrawlClock;
}

interface LiveCode extends Approved {
  readonly untilMs: number;
  /** Of the exchange that spent it. */
  grantId?: string;
}

export function createOAuthGrants(ports: OAuthGrantPorts): OAuthGrants {
  return new Grants(ports);
}

class Grants implements OAuthGrants {
  private readonly store: OAuthStore;
  private readonly streams: StreamRegistry;
  private readonly clock: CrawlClock;
  /** By print. A minute needs no disk. */
  private readonly codes = new Map<string, LiveCode>();

  constructor({ store, streams, clock }: OAuthGrantPorts) {
    this.store = store;
    this.streams = streams;
    this.clock = clock;
  }

  issueCode(approved: Approved): string {
    for (const [hash, { untilMs }] of this.codes) if (untilMs <= this.clock.steadyMs()) this.codes.delete(hash);
    const code = randomBytes(32).toString('base64url');
    this.codes.set(keyOf(code), { ...approved, untilMs: this.clock.steadyMs() + CODE_MS });
    return code;
  }

  exchange({ code, clientId, redirectUri, verifier, resource }: Exchange): TokenReply {
    const live = this.codes.get(keyOf(code));
    if (!live || live.untilMs <= this.clock.steadyMs() || live.clientId !== clientId)
      throw badGrant('This code is not known, or its time is over.');
    if (live.grantId !== undefined) {
      this.end(live.grantId);
      throw badGrant('This code was used before; what it gave has ended.');
    }
    if (live.redirectUri !== redirectUri) throw badGrant('The redirect address is not the one that the code was asked for with.');
    if (!VERIFIER.test(verifier) || createHash('sha256').update(verifier).digest('base64url') !== live.challenge)
      throw badGrant('The code verifier does not fit its challenge.');
    requireResource(resource, live.resource);
    const { reply, tokens } = this.newTokens();
    const id = (live.grantId = `grant_${randomBytes(12).toString('hex')}`);
    const nowMs = this.clock.now();
    this.store.addGrant({ id, client_id: clientId, resource: live.resource, created_at: nowMs, expires_at: nowMs + REFRESH_MS }, tokens);
    return reply;
  }

  refresh(token: string, clientId: string, resource: string | undefined): TokenReply {
    const hash = hashToken(token);
    const row = this.find(hash);
    if (!row || row.kind !== 'refresh' || row.client_id !== clientId)
      throw badGrant('This refresh token is not known, or its time is over.');
    requireResource(resource, row.resource);
    const { reply, tokens } = this.newTokens();
    if (row.is_spent === 1 || !this.store.rotate(hash, row.id, this.clock.now() + REFRESH_MS, tokens)) {
      this.end(row.id);
      throw badGrant('This refresh token was used before; its grant has ended, and a person must approve again.');
    }
    return reply;
  }

  revokeToken(token: string): void {
    const hash = hashToken(token);
    const row = this.store.findToken(hash);
    if (row?.kind === 'refresh') this.end(row.id);
    else if (row) this.store.deleteToken(hash);
  }

  introspect(token: string): Readonly<Record<string, unknown>> {
    const row = this.find(hashToken(token));
    if (!row || row.is_spent === 1) return { active: false };
    return {
      active: true,
      scope: 'run',
      client_id: row.client_id,
      ...(row.kind === 'access' ? { token_type: 'Bearer' } : {}),
      exp: Math.floor(row.token_expires_at / 1000),
      iss: new URL(row.resource).origin,
      aud: row.resource,
      sub: row.id,
    };
  }

  findActor(token: string, origin: string): Actor | undefined {
    const row = this.find(hashToken(token));
    if (!row || row.kind !== 'access' || new URL(row.resource).origin !== origin) return undefined;
    this.touch(row);
    return { id: row.id, family: 'wlo', scopes: ['run'] };
  }

  exists(id: string): boolean {
    return this.store.hasGrant(id);
  }

  list({ limit, offset }: { readonly limit?: number | undefined; readonly offset?: number | undefined }) {
    const nowMs = this.clock.now();
    const rows = this.store.listGrants(nowMs, limit ?? LIMITS.listLimitDefault, offset ?? 0);
    return { data: rows.map(toGrant), total: this.store.countGrants(nowMs) };
  }

  revoke(id: string): void {
    if (!this.end(id)) throw new AppError('not_found', `There is no grant "${id.slice(0, 60)}".`);
  }

  prune(): void {
    this.store.prune(this.clock.now());
  }

  private end(id: string): boolean {
    const wasThere = this.store.deleteGrant(id);
    this.streams.endOf(id);
    return wasThere;
  }

  private find(hash: Buffer): TokenRow | undefined {
    const row = this.store.findToken(hash);
    return row && row.token_expires_at > this.clock.now() ? row : undefined;
  }

  /** A token that works on a full disk too, although its use can't be noted there. */
  private touch({ id, last_used_at }: TokenRow): void {
    if (this.clock.now() - (last_used_at ?? 0) <= TOUCH_MS) return;
    try {
      this.store.touch(id, this.clock.now());
    } catch (error) {
      if (!isDatabaseFault(error)) throw error;
    }
  }

  private newTokens() {
    const access = newToken('wlo');
    const refresh = randomBytes(32).toString('base64url');
    const nowMs = this.clock.now();
    const reply: TokenReply = {
      access_token: access,
      token_type: 'Bearer',
      expires_in: ACCESS_MS / 1000,
      refresh_token: refresh,
      scope: 'run',
    };
    const tokens = [
      { hash: hashToken(access), kind: 'access', expiresMs: nowMs + ACCESS_MS },
      { hash: hashToken(refresh), kind: 'refresh', expiresMs: nowMs + REFRESH_MS },
    ] as const;
    return { reply, tokens };
  }
}

function keyOf(code: string): string {
  return hashToken(code).toString('base64url');
}

function badGrant(message: string): OAuthError {
  return new OAuthError('invalid_grant', message);
}

/** A request may name the resource again, and no other (RFC 8707, 2.2). */
function requireResource(asked: string | undefined, granted: string): void {
  if (asked !== undefined && asked !== granted) throw new OAuthError('invalid_target', `The approval was for ${granted}.`);
}

function toGrant(row: GrantRow): OAuthGrant {
  return {
    id: row.id,
    client_id: row.client_id,
    client_name: row.client_name,
    scopes: 'run',
    resource: row.resource,
    created_at: toInstant(row.created_at),
    ...(row.last_used_at === null ? {} : { last_used_at: toInstant(row.last_used_at) }),
    expires_at: toInstant(row.expires_at),
  };
}
