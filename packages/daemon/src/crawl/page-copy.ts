// Copies of pages by address: what a later crawl needs in order not to load a page again. The page itself is the record that was kept.
import { hash } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { PageLinks } from '@weft/engine';
import type { Database } from '../db/open.ts';

/** A copy with the record that it stands for. */
export interface PageCopyRow {
  readonly copy_hash: Uint8Array;
  readonly record_id: number;
  /** When the page was fetched, or last confirmed by its host. */
  readonly checked_at: number;
  readonly etag: string | null;
  readonly last_modified: string | null;
  readonly links: Uint8Array;
  /** JSON of the record. */
  readonly body: string;
}

/** What is written about a page that is kept: a new copy, or that an old one still holds. */
export type CopyChange =
  | (Pick<PageCopyRow, 'copy_hash' | 'checked_at' | 'etag' | 'last_modified' | 'links'> & { readonly kind: 'new' })
  | (Pick<PageCopyRow, 'copy_hash' | 'checked_at'> & { readonly kind: 'renewed' });

export interface PageCopies {
  /** The copy under `copyHash`; undefined when there is none, or when its record was deleted. */
  find(copyHash: Uint8Array): PageCopyRow | undefined;
  /** Points the copy to the record that was just added; part of the caller's transaction. */
  write(change: CopyChange, recordId: number): void;
  /** Deletes what was not looked at for 90 days, and the oldest beyond 500,000; how many went. */
  prune(nowMs: number): number;
}

const AGE_MS_MAX = 90 * 86_400_000;
/** About 1.5 KB each. */
const COPIES_MAX = 500_000;

export function createPageCopies({ fast }: Database): PageCopies {
  const find = fast.prepare('SELECT page_copy.*, record.body FROM page_copy JOIN record ON record.id = record_id WHERE copy_hash = ?');
  const write = fast.prepare(
    `INSERT INTO page_copy (copy_hash, record_id, checked_at, etag, last_modified, links) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
     ON CONFLICT (copy_hash) DO UPDATE SET record_id = ?2, checked_at = ?3, etag = ?4, last_modified = ?5, links = ?6`,
  );
  const renew = fast.prepare('UPDATE page_copy SET record_id = ?, checked_at = ? WHERE copy_hash = ?');
  const pruneOld = fast.prepare('DELETE FROM page_copy WHERE checked_at < ?');
  const pruneMany = fast.prepare(
    'DELETE FROM page_copy WHERE checked_at < (SELECT checked_at FROM page_copy ORDER BY checked_at DESC LIMIT 1 OFFSET ?)',
  );
  return {
    find: (copyHash) => find.get(copyHash) as PageCopyRow | undefined,
    write(change, recordId) {
      const { copy_hash, checked_at } = change;
      if (change.kind === 'renewed') renew.run(recordId, checked_at, copy_hash);
      else write.run(copy_hash, recordId, checked_at, change.etag, change.last_modified, change.links);
    },
    prune: (nowMs) => Number(pruneOld.run(nowMs - AGE_MS_MAX).changes) + Number(pruneMany.run(COPIES_MAX).changes),
  };
}

/** What a copy is found by: an address, and everything that shapes the record that was made of it. */
export function copyHash(url: string, scope: string): Uint8Array {
  return hash('sha256', `${scope}\0${url}`, 'buffer').subarray(0, 16);
}

/** Links as a blob of about a tenth of their text. */
export function packLinks(links: PageLinks): Uint8Array {
  return zstdCompressSync(JSON.stringify(links));
}

/** The links of a blob that `packLinks` made; those of earlier versions have no sketch. */
export function unpackLinks(packed: Uint8Array): PageLinks {
  const links = JSON.parse(zstdDecompressSync(packed).toString()) as Omit<PageLinks, 'sketch'> & Partial<PageLinks>;
  return { ...links, sketch: links.sketch ?? '' };
}
