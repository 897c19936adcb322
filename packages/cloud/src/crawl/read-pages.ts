// The pages of a crawl in slices. A crawl that was divided has a place in each of its parts: each keeps its pages in an order of its own.
import { AppError } from '@weft/contract';
import type { PageRecord } from '@weft/contract';
import type { Database } from '../db/queries.ts';
import type { CrawlRow } from './crawl-row.ts';

/** Pages, and where those that follow begin. */
export interface PageSlice {
  readonly data: PageRecord[];
  /** Undefined at the end. */
  readonly next: string | undefined;
}

/** The `limit` pages of `crawl` that follow `cursor`, in the order in which they were kept. Throws AppError `bad_request` for a cursor that is none. */
export async function readPages(
  { rows }: Pick<Database, 'rows'>,
  crawl: CrawlRow,
  limit: number,
  cursor: string | undefined,
): Promise<PageSlice> {
  const { number, account_id: accountId, parts } = crawl;
  const of =
    parts === 0
      ? [number]
      : (
          await rows<{ number: number }>('SELECT number FROM crawl WHERE parent = $1 AND account_id = $2 ORDER BY part', [
            number,
            accountId,
          ])
        ).map((part) => part.number);
  const after = places(cursor, of.length);
  const found = await rows<{ id: number; place: number; record: PageRecord }>(
    `SELECT page.id, frontier.place::int AS place, page.record FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS frontier(number, after, place)
     CROSS JOIN LATERAL (
       SELECT id, record FROM crawl_page WHERE crawl = frontier.number AND account_id = $3 AND id > frontier.after ORDER BY id LIMIT $4) page
     ORDER BY page.id LIMIT $4`,
    [of, after, accountId, limit + 1],
  );
  const shown = found.slice(0, limit);
  if (found.length <= limit) return { data: shown.map(({ record }) => record), next: undefined };
  const reached = [...after];
  for (const { id, place } of shown) reached[place - 1] = id;
  return { data: shown.map(({ record }) => record), next: parts === 0 ? reached.join() : reached.map((id) => id.toString(36)).join('.') };
}

/** The page that each part was read up to; none without a cursor. One of before a crawl was divided holds for all its parts. */
function places(cursor: string | undefined, parts: number): readonly number[] {
  if (cursor === undefined) return Array<number>(parts).fill(0);
  if (/^[1-9]\d{0,14}$/.test(cursor)) return Array<number>(parts).fill(Number(cursor));
  const given = /^[0-9a-z]{1,9}(?:\.[0-9a-z]{1,9})+$/.test(cursor) ? cursor.split('.').map((id) => Number.parseInt(id, 36)) : [];
  if (given.length === parts) return given;
  throw new AppError('bad_request', 'The cursor is not one that this crawl gave; leave it out to begin anew.');
}
