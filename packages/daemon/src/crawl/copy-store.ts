// Copies of pages by address, in rows. The page itself is the record that was kept.
import { hash } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { PageRecord } from '@weft/contract';
import type { CopyChange, CopyKey, PageCopies, PageLinks, StoredCopy } from '@weft/engine';
import type { Database } from '../db/open.ts';

/** The rows of copies. */
export interface CopyStore extends PageCopies {
  /** Points the copy to the record that was just added; part of the caller's transaction. */
  write(change: CopyChange, recordId: number): void;
  /** Deletes what was not looked at for 90 days, and the oldest beyond 500,000; how many went. */
  prune(nowMs: number): number;
}

interface CopyRow {
  readonly checked_at: number;
  readonly etag: string | null;
  readonly last_modified: string | null;
  readonly links: Uint8Array;
  /** JSON of the record. */
  readonly body: string;
}

const AGE_MS_MAX = 90 * 86_400_000;
/** About 1.5 KB each. */
const COPIES_MAX = 500_000;

export function createCopyStore({ fast }: Database): CopyStore {
  const find = fast.prepare(
    'SELECT checked_at, etag, last_modified, links, record.body FROM page_copy JOIN record ON record.id = record_id WHERE copy_hash = ?',
  );
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
    async find(key) {
      const row = find.get(hashOf(key)) as CopyRow | undefined;
      return row && toCopy(row);
    },
    write(change, recordId) {
      const copyHash = hashOf(change.key);
      if (change.kind === 'renewed') renew.run(recordId, change.checkedAtMs, copyHash);
      else {
        const { etag = null, lastModified = null } = change.validators ?? {};
        write.run(copyHash, recordId, change.checkedAtMs, etag, lastModified, packLinks(change.links));
      }
    },
    prune: (nowMs) => Number(pruneOld.run(nowMs - AGE_MS_MAX).changes) + Number(pruneMany.run(COPIES_MAX).changes),
  };
}

function hashOf({ url, scope }: CopyKey): Uint8Array {
  return hash('sha256', `${scope}\0${url}`, 'buffer').subarray(0, 16);
}

function toCopy({ checked_at: checkedAtMs, etag, last_modified, links, body }: CopyRow): StoredCopy {
  const validators = { ...(etag === null ? {} : { etag }), ...(last_modified === null ? {} : { lastModified: last_modified }) };
  const isConfirmable = etag !== null || last_modified !== null;
  // What was written as a record.
  const record = JSON.parse(body) as PageRecord;
  return { record, links: unpackLinks(links), checkedAtMs, validators: isConfirmable ? validators : undefined };
}

/** Links as a blob of about a tenth of their text. */
function packLinks(links: PageLinks): Uint8Array {
  return zstdCompressSync(JSON.stringify(links));
}

/** The links of a blob that `packLinks` made; those of earlier versions have no sketch. */
function unpackLinks(packed: Uint8Array): PageLinks {
  const links = JSON.parse(zstdDecompressSync(packed).toString()) as Omit<PageLinks, 'sketch'> & Partial<PageLinks>;
  return { ...links, sketch: links.sketch ?? '' };
}
