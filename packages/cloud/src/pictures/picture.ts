// Pictures of pages: kept once for an account, named by links that expire, and gone with what they belong to.
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError } from '@weft/contract';
import type { PageRecord } from '@weft/contract';
import type { BlobStore, Clock, PageFile } from '@weft/engine';
import type { Database } from '../db/queries.ts';

/** What a picture is of: a crawl, by its number, or a scrape. */
export interface PictureOwner {
  readonly accountId: string;
  readonly crawl?: number;
}

/** A picture that somebody has a link to. */
export interface ReadPicture {
  readonly contentType: string;
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface Pictures {
  /** Keeps a file; its id. */
  keep(owner: PictureOwner, file: PageFile): Promise<string>;
  /** A page whose pictures are links for the next hour. */
  linked<Page extends Pick<PageRecord, 'screenshot' | 'pdf'>>(accountId: string, page: Page): Page;
  /** Throws AppError `forbidden` for a link that was not made here or has expired, `not_found` for a picture that is gone. */
  read(id: string, link: { readonly expires: number; readonly signature: string }): Promise<ReadPicture>;
  /** Deletes pictures past their time, and contents that none has any more. */
  prune(): Promise<void>;
  /** Deletes the contents of an account that is gone. */
  forget(accountId: string): Promise<void>;
}

export interface PicturePorts {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  /** Signs links, and makes keys of contents that tell no other account what it has. */
  readonly secret: Uint8Array;
  /** Where links lead. */
  baseUrl(): string;
}

const LINK_SECONDS = 3600;
/** A content that is being kept may have no picture yet for so long. */
const UNUSED_MINUTES = 10;
const SWEPT_AT_ONCE = 200;

export function createPictures(ports: PicturePorts): Pictures {
  const { database, blobs, clock, secret, baseUrl } = ports;
  const { rows, find } = database;
  /** A link holds for one account's picture until a time. */
  const sign = (accountId: string, id: string, expires: number) =>
    createHmac('sha256', secret).update(['picture', accountId, id, expires].join('\0')).digest('base64url');
  const link = (accountId: string, id: string) => {
    const expires = Math.floor(clock.now() / 1000) + LINK_SECONDS;
    return `${baseUrl()}/api/account/pictures/${id}?expires=${expires}&signature=${sign(accountId, id, expires)}`;
  };
  return {
    async keep({ accountId, crawl }, { name, contentType, bytes }) {
      // Of two accounts with the same content neither can tell that the other has it (D50).
      const key = createHmac('sha256', secret)
        .update(`blob\0${accountId}\0`)
        .update(hash('sha256', bytes, 'buffer'))
        .digest('hex');
      await rows(`INSERT INTO blob (key, account_id, bytes) VALUES ($1, $2, $3) ON CONFLICT (key) DO UPDATE SET created_at = now()`, [
        key,
        accountId,
        bytes.byteLength,
      ]);
      await blobs.put(key, bytes);
      const id = `pic_${randomBytes(16).toString('base64url')}`;
      try {
        await rows('INSERT INTO picture (id, account_id, blob_key, crawl, name, content_type) VALUES ($1, $2, $3, $4, $5, $6)', [
          id,
          accountId,
          key,
          crawl,
          name,
          contentType,
        ]);
      } catch (error) {
        // Its account went meanwhile: no sweep finds a content without its row.
        if (!(await find('SELECT 1 FROM blob WHERE key = $1 FOR KEY SHARE', [key]))) await blobs.delete([key]);
        throw error;
      }
      return id;
    },
    linked(accountId, page) {
      const { screenshot, pdf } = page;
      return {
        ...page,
        ...(screenshot === undefined ? {} : { screenshot: link(accountId, screenshot) }),
        ...(pdf === undefined ? {} : { pdf: link(accountId, pdf) }),
      };
    },
    async read(id, { expires, signature }) {
      // Whoever has a link is nobody; that it was made here shows whose the picture is.
      const row = await database.asProgram(() =>
        find<{ account_id: string; blob_key: string; name: string; content_type: string }>(
          `SELECT account_id, blob_key, name, content_type FROM picture p WHERE id = $1
             AND NOT EXISTS (SELECT 1 FROM account WHERE account.id = p.account_id AND closed_at IS NOT NULL)`,
          [id],
        ),
      );
      const expected = Buffer.from(sign(row?.account_id ?? '', id, expires));
      const given = Buffer.from(signature);
      const isSigned = expected.length === given.length && timingSafeEqual(expected, given);
      if (row && !isSigned) throw new AppError('forbidden', 'This link was not made here; read the page again for one that was.');
      if (row && expires * 1000 < clock.now())
        throw new AppError('forbidden', 'This link has expired: it holds for an hour. Read the page again for a new one.');
      const bytes = row && (await database.as(row.account_id, () => blobs.get(row.blob_key)));
      if (!bytes) throw new AppError('not_found', 'This picture is no longer kept; it went with the page that it is of.');
      return { contentType: row.content_type, name: row.name, bytes };
    },
    async prune() {
      await rows(
        `DELETE FROM picture USING account WHERE account.id = picture.account_id AND picture.created_at < now() - account.retention_days * interval '1 day'`,
      );
      while ((await sweep(database, blobs, UNUSED, UNUSED_MINUTES)) === SWEPT_AT_ONCE);
    },
    async forget(accountId) {
      while ((await sweep(database, blobs, 'account_id = $1', accountId)) === SWEPT_AT_ONCE);
    },
  };
}

const UNUSED = `created_at < now() - $1 * interval '1 minute'`;

/** Deletes contents of `which` that no picture has; how many. Who keeps the same content meanwhile waits, and writes it anew. */
async function sweep({ rows, transaction }: Database, blobs: BlobStore, which: string, value: string | number): Promise<number> {
  return await transaction(async () => {
    const unused = await rows<{ key: string }>(
      `SELECT key FROM blob WHERE ${which} AND NOT EXISTS (SELECT 1 FROM picture WHERE blob_key = blob.key) LIMIT $2 FOR UPDATE SKIP LOCKED`,
      [value, SWEPT_AT_ONCE],
    );
    const keys = unused.map(({ key }) => key);
    if (keys.length === 0) return 0;
    await blobs.delete(keys);
    await rows('DELETE FROM blob WHERE key = ANY($1)', [keys]);
    return keys.length;
  });
}
