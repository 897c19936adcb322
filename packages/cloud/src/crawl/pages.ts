// The pages that crawls keep, and the copies by which later crawls of the same account find them.
import { hash } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { PageRecord } from '@weft/contract';
import type { CopyChange, CopyKey, KeptPage, PageCopies, PageLinks } from '@weft/engine';
import type { Queries } from '../db/queries.ts';
import { unnest } from '../db/sets.ts';
import type { KeptResult } from './ledger-change.ts';

/** Whose pages they are. */
export interface PageOwner {
  readonly accountId: string;
  /** The number of the crawl. */
  readonly crawl: number;
}

interface CopyRow {
  readonly checked_at: number;
  readonly etag: string | null;
  readonly last_modified: string | null;
  readonly links: Buffer;
  readonly record: PageRecord;
}

interface WrittenCopy {
  readonly copy: CopyChange;
  readonly pageId: number | undefined;
}

/** Copies of pages of one account; nobody else's are found. */
export function pageCopiesOf({ find }: Queries, accountId: string): PageCopies {
  return {
    async find(key) {
      const row = await find<CopyRow>(
        `SELECT checked_at, etag, last_modified, links, record FROM page_copy JOIN crawl_page page ON page.id = page_id
         WHERE page_copy.account_id = $1 AND copy_hash = $2`,
        [accountId, hashOfKey(key)],
      );
      if (!row) return undefined;
      const { checked_at: checkedAtMs, etag, last_modified, links, record } = row;
      const validators = { ...(etag === null ? {} : { etag }), ...(last_modified === null ? {} : { lastModified: last_modified }) };
      const isConfirmable = etag !== null || last_modified !== null;
      return { record, links: unpackLinks(links), checkedAtMs, validators: isConfirmable ? validators : undefined };
    },
  };
}

/** Writes pages and what is remembered of them for the next crawl; part of the caller's transaction. */
export async function keepPages({ rows }: Queries, owner: PageOwner, kept: readonly KeptResult<KeptPage>[]): Promise<void> {
  const { from, values } = unnest(
    kept,
    [
      ['url_id', 'int', ({ urlId }) => urlId],
      ['record', 'text', ({ result }) => JSON.stringify(result.record)],
    ],
    3,
  );
  const written = await rows<{ id: number; url_id: number }>(
    `INSERT INTO crawl_page (crawl, account_id, url_id, record) SELECT $1, $2, new.url_id, new.record::json FROM ${from} ORDER BY place
     RETURNING id, url_id`,
    [owner.crawl, owner.accountId, ...values],
  );
  const idOf = new Map(written.map(({ id, url_id: urlId }) => [urlId, id]));
  const copies = kept.flatMap(({ urlId, result }) => (result.copy ? [{ copy: result.copy, pageId: idOf.get(urlId) }] : []));
  await writeCopies({ rows }, owner.accountId, copies);
}

async function writeCopies({ rows }: Pick<Queries, 'rows'>, accountId: string, copies: readonly WrittenCopy[]): Promise<void> {
  // Of one key only the last counts: a statement changes a row once.
  const last = [...new Map(copies.map((written) => [hashOfKey(written.copy.key).toString('hex'), written])).values()];
  const fresh = last.filter(({ copy }) => copy.kind === 'new');
  const renewed = last.filter(({ copy }) => copy.kind === 'renewed');
  if (fresh.length > 0) {
    const { from, values } = unnest(
      fresh,
      [
        ['copy_hash', 'bytea', ({ copy }) => hashOfKey(copy.key)],
        ['page_id', 'bigint', ({ pageId }) => pageId],
        ['checked_at', 'bigint', ({ copy }) => copy.checkedAtMs],
        ['etag', 'text', ({ copy }) => (copy.kind === 'new' ? copy.validators?.etag : undefined)],
        ['last_modified', 'text', ({ copy }) => (copy.kind === 'new' ? copy.validators?.lastModified : undefined)],
        ['links', 'bytea', ({ copy }) => (copy.kind === 'new' ? packLinks(copy.links) : undefined)],
      ],
      2,
    );
    await rows(
      `INSERT INTO page_copy (account_id, copy_hash, page_id, checked_at, etag, last_modified, links)
       SELECT $1, copy_hash, page_id, checked_at, etag, last_modified, links FROM ${from}
       ON CONFLICT (account_id, copy_hash) DO UPDATE SET page_id = excluded.page_id, checked_at = excluded.checked_at, etag = excluded.etag,
         last_modified = excluded.last_modified, links = excluded.links`,
      [accountId, ...values],
    );
  }
  if (renewed.length > 0) {
    const { from, values } = unnest(
      renewed,
      [
        ['copy_hash', 'bytea', ({ copy }) => hashOfKey(copy.key)],
        ['page_id', 'bigint', ({ pageId }) => pageId],
        ['checked_at', 'bigint', ({ copy }) => copy.checkedAtMs],
      ],
      2,
    );
    await rows(
      `UPDATE page_copy SET page_id = new.page_id, checked_at = new.checked_at FROM ${from}
       WHERE page_copy.account_id = $1 AND page_copy.copy_hash = new.copy_hash`,
      [accountId, ...values],
    );
  }
}

function hashOfKey({ url, scope }: CopyKey): Buffer {
  return hash('sha256', `${scope}\0${url}`, 'buffer').subarray(0, 16);
}

function packLinks(links: PageLinks): Buffer {
  return zstdCompressSync(JSON.stringify(links));
}

function unpackLinks(packed: Buffer): PageLinks {
  // What `packLinks` wrote.
  return JSON.parse(zstdDecompressSync(packed).toString()) as PageLinks;
}
