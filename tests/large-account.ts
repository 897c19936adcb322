// Much of one account, written by SQL: a crawl that has ended with its ledger, pages, copies and pictures, and as many movements of credits.
import type { Database } from '../packages/cloud/src/db/queries.ts';

/** Pages that a statement writes. */
const AT_ONCE = 10_000;
/** Characters of a page's record. */
const RECORD_CHARS = 5000;

/** The id of the crawl that `fillAccount` writes. */
export function largeCrawlOf(accountId: string): string {
  return accountId.replace(/^acct_/, 'crl_');
}

/** Gives an account a crawl of so many pages, a picture for every tenth, and as many movements; its books agree. */
export async function fillAccount({ rows, find }: Pick<Database, 'rows' | 'find'>, accountId: string, pages: number): Promise<void> {
  const id = largeCrawlOf(accountId);
  const crawl = await find<{ number: number }>(
    `INSERT INTO crawl (id, account_id, url, options, status, finished_at, discovered, fetched, hold_id, budget, charged, pages_max)
     VALUES ($1, $2, 'http://large.test/', '{}', 'succeeded', now(), $3::int, $3, 'hold_large', $3, $3, $3) RETURNING number`,
    [id, accountId, pages],
  );
  for (let from = 1; from <= pages; from += AT_ONCE)
    await fillSlice({ rows }, { accountId, crawl: crawl?.number ?? 0, from, to: Math.min(pages, from + AT_ONCE - 1) });
  await rows('UPDATE balance SET available = available + $2 WHERE account_id = $1', [accountId, pages]);
}

interface Slice {
  readonly accountId: string;
  readonly crawl: number;
  /** Numbers of pages, both included. */
  readonly from: number;
  readonly to: number;
}

async function fillSlice({ rows }: Pick<Database, 'rows'>, { accountId, crawl, from, to }: Slice): Promise<void> {
  const all = [crawl, from, to];
  const each = 'FROM generate_series($2::int, $3::int) i';
  await rows(
    `INSERT INTO crawl_url (crawl, id, identity_hash, key_hash, url, host, is_twin, depth, source, state)
     SELECT $1, i, sha256(i::text::bytea), sha256(i::text::bytea), 'http://large.test/' || i, 'large.test', 0, 1, 'link', 'fetched' ${each}`,
    all,
  );
  await rows(
    `INSERT INTO crawl_page (crawl, url_id, account_id, record)
     SELECT $1, i, $4, json_build_object('url', 'http://large.test/' || i, 'requested_url', 'http://large.test/' || i, 'status', 200,
       'lane', 'http', 'lane_reason', 'complete', 'markdown', left(repeat(md5(i::text), 1 + $5::int / 32), $5),
       'content_hash', md5(i::text), 'fetched_at', '2026-11-28T00:00:00.000Z') ${each}`,
    [...all, accountId, RECORD_CHARS],
  );
  await rows(
    `INSERT INTO page_copy (account_id, copy_hash, page_id, checked_at, links)
     SELECT account_id, sha256(id::text::bytea), id, 0, '' FROM crawl_page WHERE crawl = $1 AND url_id BETWEEN $2 AND $3`,
    all,
  );
  const key = 'md5(i::text || $1)';
  const tenth = 'FROM generate_series($2::int, $3::int) i WHERE i % 10 = 0';
  const pictures = [accountId, from, to];
  await rows(`INSERT INTO blob (key, account_id, bytes, created_at) SELECT ${key}, $1, 4, now() - interval '1 hour' ${tenth}`, pictures);
  await rows(`INSERT INTO blob_content (key, bytes) SELECT ${key}, 'four' ${tenth}`, pictures);
  await rows(
    `INSERT INTO picture (id, account_id, blob_key, crawl, name, content_type)
     SELECT 'pic_' || left(${key}, 22), $1, ${key}, $4, 'page.png', 'image/png' ${tenth}`,
    [...pictures, crawl],
  );
  await rows(
    `INSERT INTO ledger (account_id, kind, from_book, to_book, amount, about)
     SELECT $1, 'grant', 'granted', 'available', 1, 'one of many' ${each}`,
    pictures,
  );
}

/** Tables in which a row tells of the account, and its contents in the database. */
export async function tablesThatKnow({ rows }: Pick<Database, 'rows'>, accountId: string): Promise<readonly string[]> {
  const tables = await rows<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace ORDER BY 1`,
  );
  const known: string[] = [];
  for (const { name } of tables) {
    const [row] = await rows<{ n: number }>(`SELECT count(*) AS n FROM ${name} t WHERE position($1 IN t::text) > 0`, [
      accountId.slice('acct_'.length),
    ]);
    if ((row?.n ?? 0) > 0) known.push(name);
  }
  // They name no account, but a crawl and a blob that there is.
  const lost = [
    ['crawl_url', 'NOT EXISTS (SELECT 1 FROM crawl WHERE number = crawl)'],
    ['blob_content', 'NOT EXISTS (SELECT 1 FROM blob WHERE blob.key = blob_content.key)'],
  ];
  for (const [name, where] of lost)
    if ((await rows(`SELECT 1 FROM ${name} WHERE ${where} LIMIT 1`)).length > 0) known.push(`${name} of nobody`);
  return known;
}
