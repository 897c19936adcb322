// A crawl of many hosts grows with the workers: it is divided by host into parts, each a ledger and a job with an owner of its own (D53).
import { hash, randomBytes } from 'node:crypto';
import type { FrontierStore, PageShare, Settlement, UrlOffer } from '@weft/engine';
import type { Database } from '../db/queries.ts';
import type { CrawlRow } from './crawl-row.ts';
import { openFrontier } from './frontier.ts';
import type { FrontierHooks } from './frontier.ts';
import { wakeWhole } from './ending.ts';
import type { Claim } from './jobs.ts';

/** A crawl that has met more hosts than this is divided. */
export const HOSTS_UNDIVIDED = 64;
/** Into so many parts: more workers than this don't make one crawl faster. */
export const PARTS = 16;
/** Offers that a part takes at once of those that others have for it. */
const ARRIVED_MAX = 1000;
/** Addresses of other parts that are remembered as told. */
const TOLD_MAX = 200_000;
const BLOCK_MAX = 64;
/** Less than this is not worth a transaction; what a part does not keep it gives back. */
const BLOCK_MIN = 8;

/** Which part a host (scheme, name and port) is of. A site is of one with and without `www.`, by whatever scheme. */
export function partOfHost(host: string, parts: number): number {
  const { hostname } = new URL(host);
  return hash('sha256', hostname.replace(/^www\./, ''), 'buffer').readUInt32BE(0) % parts;
}

/** Divides a crawl that this claim holds: lines and pages go to the part of their host, and the crawl waits for its parts. */
export async function divideCrawl(database: Database, { claim, crawl }: Claim): Promise<void> {
  const { rows, find, transaction } = database;
  await transaction(async () => {
    const held = await rows(
      `UPDATE crawl_job SET claim = NULL, alive_until = NULL, waits_for = 'parts' WHERE crawl_id = $1 AND claim = $2 RETURNING 1`,
      [crawl.id, claim],
    );
    if (held.length === 0) return;
    const whole = await find<CrawlRow>(
      `UPDATE crawl SET owner = owner + 1, parts = $2, pages_left = pages_max - fetched - reused,
         renders_left = greatest(0, budget - charged - (pages_max - fetched - reused)) WHERE number = $1 RETURNING *`,
      [crawl.number, PARTS],
    );
    if (!whole) return;
    const parts = await addParts(database, whole);
    await moveLines(database, whole.number, parts);
    await rows(
      `INSERT INTO crawl_job (crawl_id, account_id) SELECT id, account_id FROM crawl WHERE parent = $1 AND account_id = $2 AND pending > 0`,
      [whole.number, whole.account_id],
    );
    await wakeWhole(database, whole);
  });
}

/** The numbers of the new parts, in their order. */
async function addParts({ rows }: Database, { number, account_id: accountId }: CrawlRow): Promise<readonly number[]> {
  const ids = Array.from({ length: PARTS }, () => `crl_${randomBytes(16).toString('base64url')}`);
  const added = await rows<{ number: number }>(
    `INSERT INTO crawl (id, account_id, url, options, status, created_at, hold_id, budget, pages_max, parent, part, memory, trace)
     SELECT new.id, account_id, url, options, status, created_at, hold_id, 0, 0, number, place - 1, memory, trace
     FROM crawl, unnest($3::text[]) WITH ORDINALITY AS new(id, place) WHERE number = $1 AND account_id = $2 ORDER BY place RETURNING number`,
    [number, accountId, ids],
  );
  return added.map((part) => part.number);
}

async function moveLines({ rows }: Database, whole: number, parts: readonly number[]): Promise<void> {
  const hosts = (await rows<{ host: string }>('SELECT DISTINCT host FROM crawl_url WHERE crawl = $1', [whole])).map(({ host }) => host);
  const moved = `WITH moved AS (
    SELECT line.id, target.number, (row_number() OVER (PARTITION BY target.number ORDER BY line.id) - 1)::int AS new_id
    FROM crawl_url line JOIN unnest($2::text[], $3::bigint[]) AS target(host, number) USING (host) WHERE line.crawl = $1)`;
  const values = [whole, hosts, hosts.map((host) => parts[partOfHost(host, PARTS)])];
  await rows(
    `${moved} UPDATE crawl_page SET crawl = moved.number, url_id = moved.new_id FROM moved WHERE crawl = $1 AND url_id = moved.id`,
    values,
  );
  await rows(
    `${moved} UPDATE crawl_url SET crawl = moved.number, id = moved.new_id FROM moved WHERE crawl = $1 AND crawl_url.id = moved.id`,
    values,
  );
  // What waits for a canonical address that went elsewhere stands for itself.
  await rows(
    `UPDATE crawl_url line SET state = 'pending', reason = NULL, rule = NULL, alias_of = NULL, content_hash = NULL, sketch = NULL, ignores_canonical = true
     WHERE crawl = ANY($1) AND alias_of IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM crawl_url target WHERE target.crawl = line.crawl AND target.identity_hash = line.alias_of)`,
    [parts],
  );
  const states = ['fetched', 'reused', 'failed', 'skipped', 'pending'];
  const counted = states.map((state) => `count(*) FILTER (WHERE state = '${state}') AS ${state}`).join(', ');
  await rows(
    `UPDATE crawl SET discovered = n.discovered, ${states.map((state) => `${state} = n.${state}`).join(', ')}, pages_max = n.fetched + n.reused
     FROM (SELECT crawl AS of, count(*) AS discovered, ${counted} FROM crawl_url WHERE crawl = ANY($1) GROUP BY crawl) n WHERE number = n.of`,
    [parts],
  );
  await rows(
    'UPDATE crawl SET discovered = 0, fetched = 0, reused = 0, failed = 0, skipped = 0, pending = 0, memory = NULL WHERE number = $1',
    [whole],
  );
}

/** The frontier of a part. What it finds for others is told to them; what others find for it comes in with each of its own settlements. */
export async function openPart<Result>(
  database: Database,
  part: CrawlRow,
  whole: CrawlRow,
  hooks: FrontierHooks<Result>,
): Promise<FrontierStore<Result>> {
  const { rows } = database;
  const found = await rows<{ number: number }>('SELECT number FROM crawl WHERE parent = $1 AND account_id = $2 ORDER BY part', [
    whole.number,
    whole.account_id,
  ]);
  const parts = found.map(({ number }) => number);
  const arrived = async () =>
    (
      await rows<{ offer: UrlOffer }>(
        `DELETE FROM crawl_offer WHERE crawl = $1 AND id IN (SELECT id FROM crawl_offer WHERE crawl = $1 ORDER BY id LIMIT ${ARRIVED_MAX}) RETURNING offer`,
        [part.number],
      )
    ).map(({ offer }) => revived(offer));
  const store = openFrontier<Result>(database, part.number, { ...hooks, arrived, alike: parts });
  const tell = teller(database, parts, whole);
  const isOwn = ({ host }: UrlOffer) => partOfHost(host, parts.length) === part.part;
  return {
    ...store,
    async offer(offers) {
      await tell(offers.filter((offer) => !isOwn(offer)));
      return await store.offer(offers.filter(isOwn));
    },
    async settle(settlements, memory) {
      const own = settlements.map((settlement) => withoutOthers(settlement, isOwn));
      await tell(own.flatMap(({ others }) => others));
      return await store.settle(
        own.map(({ settlement }) => settlement),
        memory,
      );
    },
  };
}

/** Members that are undefined are absent once they were written. */
function revived(offer: UrlOffer): UrlOffer {
  const { parent, skip } = offer;
  return { ...offer, parent, skip: skip && { ...skip, rule: skip.rule } };
}

/** A settlement as far as it is of this part. What answered for another's address is asked for there. */
function withoutOthers<Result>(settlement: Settlement<Result>, isOwn: (offer: UrlOffer) => boolean) {
  const { owner, verdict, offers, ...rest } = settlement;
  const isOthers = owner !== undefined && !isOwn(owner.offer);
  const others = [...offers.filter((offer) => !isOwn(offer)), ...(isOthers ? [owner.offer] : [])];
  const aliasOf = verdict.outcome === 'skipped' ? verdict.aliasOf : undefined;
  // Nobody here learns what the canonical address turns out to be.
  const isAlone = aliasOf !== undefined && others.some(({ identity }) => identity === aliasOf);
  const own = { ...rest, verdict, offers: offers.filter(isOwn), ...(owner && !isOthers ? { owner } : {}) };
  return { settlement: isAlone ? { ...own, standsAlone: true } : own, others };
}

/** Tells other parts what was found for them, once. They begin to work on it where they had ended. */
function teller(database: Database, parts: readonly number[], whole: CrawlRow): (offers: readonly UrlOffer[]) => Promise<void> {
  const { rows, transaction } = database;
  let told = new Set<string>();
  return async (offers) => {
    const fresh = [...new Map(offers.map((offer) => [keyOf(offer), offer])).entries()].filter(([key]) => !told.has(key));
    if (fresh.length === 0) return;
    const target = ({ host }: UrlOffer) => parts[partOfHost(host, parts.length)];
    await transaction(async () => {
      const targets = [...new Set(fresh.map(([, offer]) => target(offer)))];
      // In one order, and held until this is written: who ends a part looks behind it.
      await rows(
        `INSERT INTO crawl_job (crawl_id, account_id) SELECT id, account_id FROM crawl
         WHERE number = ANY($1) AND parent = $2 AND EXISTS (SELECT 1 FROM crawl_job WHERE crawl_id = $3) ORDER BY id ON CONFLICT DO NOTHING`,
        [targets, whole.number, whole.id],
      );
      await rows(
        `SELECT 1 FROM crawl_job WHERE crawl_id IN (SELECT id FROM crawl WHERE number = ANY($1) AND parent = $2) ORDER BY crawl_id FOR KEY SHARE`,
        [targets, whole.number],
      );
      await rows('INSERT INTO crawl_offer (crawl, offer) SELECT * FROM unnest($1::bigint[], $2::json[])', [
        fresh.map(([, offer]) => target(offer)),
        fresh.map(([, offer]) => JSON.stringify(offer)),
      ]);
    });
    if (told.size + fresh.length > TOLD_MAX) told = new Set();
    for (const [key] of fresh) told.add(key);
  };
}

/** A smaller depth and a reason are news. */
function keyOf({ identity, depth, skip }: UrlOffer): string {
  return `${depth} ${skip?.reason ?? ''} ${identity}`;
}

/** The pages that a part may keep, taken from its crawl's in blocks that get smaller towards the end. */
export function pageShareOf({ find, transaction }: Database, part: CrawlRow, whole: CrawlRow): PageShare {
  let pages = part.pages_max;
  return {
    pages: () => pages,
    grow: () =>
      transaction(async () => {
        // The part first and the whole crawl last, as everywhere.
        const row = await find<{ pages_max: number }>('SELECT pages_max FROM crawl WHERE number = $1 FOR NO KEY UPDATE', [part.number]);
        const taken = await find<{ n: number }>(
          `WITH block AS (
             SELECT least(pages_left, ${BLOCK_MAX}, greatest(${BLOCK_MIN}, pages_left / (2 * parts))) AS n FROM crawl WHERE number = $1 AND pages_left > 0 FOR NO KEY UPDATE)
           UPDATE crawl SET pages_left = pages_left - block.n FROM block WHERE number = $1 RETURNING block.n`,
          [whole.number],
        );
        if (!row || !taken) return false;
        await find('UPDATE crawl SET pages_max = pages_max + $2 WHERE number = $1', [part.number, taken.n]);
        pages = row.pages_max + taken.n;
        return true;
      }),
  };
}
