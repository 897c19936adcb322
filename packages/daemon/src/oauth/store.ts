// Rows of OAuth: clients, grants, and tokens by their prints.
import type { Database } from '../db/open.ts';
import { durably } from '../db/open.ts';
import { allRows } from '../db/rows.ts';

export interface ClientRow {
  readonly id: string;
  readonly name: string;
  /** A JSON array. */
  readonly redirect_uris: string;
  readonly created_at: number;
}

export interface GrantRow {
  readonly id: string;
  readonly client_id: string;
  readonly client_name: string;
  readonly resource: string;
  readonly created_at: number;
  readonly last_used_at: number | null;
  readonly expires_at: number;
}

export type TokenKind = 'access' | 'refresh';

/** A token that is kept, with the grant that it belongs to. */
export interface TokenRow extends GrantRow {
  readonly kind: TokenKind;
  readonly token_expires_at: number;
  readonly is_spent: 0 | 1;
}

export interface NewToken {
  readonly hash: Buffer;
  readonly kind: TokenKind;
  readonly expiresMs: number;
}

export interface OAuthStore {
  addClient(row: ClientRow): void;
  findClient(id: string): ClientRow | undefined;
  countClients(sinceMs: number): number;
  /** Deletes those made before `beforeMs` that have no grant; how many. */
  dropUnusedClients(beforeMs: number): number;
  /** In one transaction; durable. */
  addGrant(row: Omit<GrantRow, 'client_name' | 'last_used_at'>, tokens: readonly NewToken[]): void;
  /** Spends the refresh token and adds its successors in one transaction; false where it was spent already. */
  rotate(spent: Buffer, grantId: string, expiresMs: number, tokens: readonly NewToken[]): boolean;
  findToken(hash: Buffer): TokenRow | undefined;
  deleteToken(hash: Buffer): void;
  touch(grantId: string, atMs: number): void;
  hasGrant(id: string): boolean;
  /** Newest first. */
  listGrants(nowMs: number, limit: number, offset: number): readonly GrantRow[];
  countGrants(nowMs: number): number;
  /** With its tokens; false when there was none. */
  deleteGrant(id: string): boolean;
  /** Deletes tokens and grants that have expired. */
  prune(nowMs: number): void;
}

const GRANT = `g.id, g.client_id, c.name AS client_name, g.resource, g.created_at, g.last_used_at, g.expires_at`;
const GRANTS = 'oauth_grant g JOIN oauth_client c ON c.id = g.client_id';

export function createOAuthStore({ fast }: Database): OAuthStore {
  const addClient = fast.prepare('INSERT INTO oauth_client (id, name, redirect_uris, created_at) VALUES (?, ?, ?, ?)');
  const findClient = fast.prepare('SELECT * FROM oauth_client WHERE id = ?');
  const countClients = fast.prepare('SELECT count(*) AS n FROM oauth_client WHERE created_at >= ?');
  const dropUnused = fast.prepare('DELETE FROM oauth_client WHERE created_at < ? AND id NOT IN (SELECT client_id FROM oauth_grant)');
  const addGrant = fast.prepare('INSERT INTO oauth_grant (id, client_id, resource, created_at, expires_at) VALUES (?, ?, ?, ?, ?)');
  const addToken = fast.prepare('INSERT INTO oauth_token (token_hash, grant_id, kind, expires_at) VALUES (?, ?, ?, ?)');
  const spend = fast.prepare("UPDATE oauth_token SET is_spent = 1 WHERE token_hash = ? AND kind = 'refresh' AND is_spent = 0");
  const prolong = fast.prepare('UPDATE oauth_grant SET expires_at = ? WHERE id = ?');
  const findToken = fast.prepare(
    `SELECT t.kind, t.expires_at AS token_expires_at, t.is_spent, ${GRANT} FROM ${GRANTS} JOIN oauth_token t ON t.grant_id = g.id
     WHERE t.token_hash = ?`,
  );
  const deleteToken = fast.prepare('DELETE FROM oauth_token WHERE token_hash = ?');
  const touch = fast.prepare('UPDATE oauth_grant SET last_used_at = ? WHERE id = ?');
  const hasGrant = fast.prepare('SELECT 1 FROM oauth_grant WHERE id = ?');
  const list = fast.prepare(`SELECT ${GRANT} FROM ${GRANTS} WHERE g.expires_at > ? ORDER BY g.created_at DESC, g.id DESC LIMIT ? OFFSET ?`);
  const count = fast.prepare('SELECT count(*) AS n FROM oauth_grant WHERE expires_at > ?');
  const deleteGrant = fast.prepare('DELETE FROM oauth_grant WHERE id = ?');
  const pruneTokens = fast.prepare('DELETE FROM oauth_token WHERE expires_at <= ?');
  const pruneGrants = fast.prepare('DELETE FROM oauth_grant WHERE expires_at <= ?');
  const addTokens = (grantId: string, tokens: readonly NewToken[]) => {
    for (const { hash, kind, expiresMs } of tokens) addToken.run(hash, grantId, kind, expiresMs);
  };
  return {
    addClient: (row) => durably(fast, () => void addClient.run(row.id, row.name, row.redirect_uris, row.created_at)),
    findClient: (id) => findClient.get(id) as ClientRow | undefined,
    countClients: (sinceMs) => (countClients.get(sinceMs) as { n: number }).n,
    dropUnusedClients: (beforeMs) => Number(dropUnused.run(beforeMs).changes),
    addGrant: (row, tokens) =>
      durably(fast, () => {
        addGrant.run(row.id, row.client_id, row.resource, row.created_at, row.expires_at);
        addTokens(row.id, tokens);
      }),
    rotate: (spent, grantId, expiresMs, tokens) =>
      durably(fast, () => {
        if (spend.run(spent).changes === 0) return false;
        prolong.run(expiresMs, grantId);
        addTokens(grantId, tokens);
        return true;
      }),
    findToken: (hash) => findToken.get(hash) as TokenRow | undefined,
    deleteToken: (hash) => durably(fast, () => void deleteToken.run(hash)),
    touch: (grantId, atMs) => void touch.run(atMs, grantId),
    hasGrant: (id) => hasGrant.get(id) !== undefined,
    listGrants: (nowMs, limit, offset) => allRows<GrantRow>(list, nowMs, limit, offset),
    countGrants: (nowMs) => (count.get(nowMs) as { n: number }).n,
    deleteGrant: (id) => durably(fast, () => deleteGrant.run(id).changes === 1),
    prune: (nowMs) => {
      pruneTokens.run(nowMs);
      pruneGrants.run(nowMs);
    },
  };
}
