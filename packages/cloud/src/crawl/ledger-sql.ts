// The statements of a ledger: each reads or writes any number of lines.
import type { CrawlCounts, KnownUrl, LeasedUrl, Lookup } from '@weft/engine';
import type { Queries } from '../db/queries.ts';
import { unnest } from '../db/sets.ts';
import type { Column } from '../db/sets.ts';
import { hashOf } from './ledger-change.ts';
import type { LedgerRow } from './ledger-change.ts';

/** The row of a crawl, as far as its frontier goes. */
export interface FrontierRow extends CrawlCounts {
  readonly owner: number;
}

interface UrlRow {
  readonly id: number;
  readonly identity: string;
  readonly key_hash: string;
  readonly url: string;
  readonly key: string | null;
  readonly host: string;
  readonly is_twin: number;
  readonly depth: number;
  readonly source: LedgerRow['source'];
  readonly parent: string | null;
  readonly state: LedgerRow['state'];
  readonly reason: string | null;
  readonly rule: string | null;
  readonly status: number | null;
  readonly final_url: string | null;
  readonly content_hash: string | null;
  readonly sketch: string | null;
  readonly alias_of: string | null;
  readonly ignores_canonical: boolean;
}

const COUNTS = 'discovered, fetched, reused, failed, skipped, pending';
const LINE = `id, encode(identity_hash, 'hex') AS identity, encode(key_hash, 'hex') AS key_hash, url, key, host, is_twin, depth, source, parent, state,
  reason, rule, status, final_url, content_hash, sketch, encode(alias_of, 'hex') AS alias_of, ignores_canonical`;
/** What `LINE` is made of. */
const LINE_OF = [
  'id, identity_hash, key_hash, url, key, host, is_twin, depth, source, parent, state, reason, rule, status, final_url',
  'content_hash, sketch, alias_of, ignores_canonical',
]
  .join(', ')
  .replaceAll(/\w+/g, 'line.$&');
const KNOWN = 'url, state, content_hash, sketch';
const KEPT = `state IN ('fetched', 'reused')`;

const MOVING: readonly Column<LedgerRow>[] = [
  ['id', 'int', ({ id }) => id],
  ['depth', 'int', ({ depth }) => depth],
  ['source', 'text', ({ source }) => source],
  ['parent', 'text', ({ parent }) => parent],
  ['state', 'text', ({ state }) => state],
  ['reason', 'text', ({ reason }) => reason],
  ['rule', 'text', ({ rule }) => rule],
  ['status', 'int', ({ status }) => status],
  ['final_url', 'text', ({ finalUrl, url }) => (finalUrl === url ? undefined : finalUrl)],
  ['final_hash', 'text', ({ finalUrl, url }) => (finalUrl === undefined || finalUrl === url ? undefined : hashOf(finalUrl))],
  ['content_hash', 'text', ({ contentHash }) => contentHash],
  ['sketch', 'text', ({ sketch }) => sketch],
  ['alias_of', 'text', ({ aliasOf }) => aliasOf],
  ['ignores_canonical', 'boolean', ({ ignoresCanonical }) => ignoresCanonical],
];
const STAYING: readonly Column<LedgerRow>[] = [
  ['identity_hash', 'text', ({ identity }) => identity],
  ['key_hash', 'text', ({ keyHash }) => keyHash],
  ['url', 'text', ({ url }) => url],
  ['key', 'text', ({ key, url }) => (key === url ? undefined : key)],
  ['host', 'text', ({ host }) => host],
  ['is_twin', 'smallint', ({ isCanonical, isTwin }) => (isCanonical ? -1 : Number(isTwin))],
];

const HEX = new Set(['identity_hash', 'key_hash', 'final_hash', 'alias_of']);
/** A column of the rows that are written, as the table has it. */
const written = (name: string) => (HEX.has(name) ? `decode(new.${name}, 'hex')` : `new.${name}`);

export type LedgerSql = ReturnType<typeof ledgerSql>;

/** The statements of the crawl of this number; what it keeps is looked up in `alike` as well. */
export function ledgerSql(queries: Queries, crawl: number, alike: readonly number[] = [crawl]) {
  return { ...rowSql(queries, crawl), ...lineSql(queries, crawl), ...askSql(queries, crawl, alike) };
}

/** The row of a crawl: who owns its frontier, and its counts. */
function rowSql({ find }: Pick<Queries, 'find'>, crawl: number) {
  return {
    /** The row of the crawl, held until the transaction ends; undefined once it was deleted. */
    lock: () => find<FrontierRow>(`SELECT owner, ${COUNTS} FROM crawl WHERE number = $1 FOR NO KEY UPDATE`, [crawl]),
    takeOver: () =>
      find<FrontierRow & { memory: string | null }>(
        `UPDATE crawl SET owner = owner + 1 WHERE number = $1 RETURNING owner, memory, ${COUNTS}`,
        [crawl],
      ),
    owner: async () => (await find<{ owner: number }>('SELECT owner FROM crawl WHERE number = $1', [crawl]))?.owner,
    counts: () => find<CrawlCounts>(`SELECT ${COUNTS} FROM crawl WHERE number = $1`, [crawl]),
    addCounts: async (delta: CrawlCounts, memory: string | undefined) => {
      const { discovered, fetched, reused, failed, skipped, pending } = delta;
      const counts = await find<CrawlCounts>(
        `UPDATE crawl SET discovered = discovered + $2, fetched = fetched + $3, reused = reused + $4, failed = failed + $5, skipped = skipped + $6,
         pending = pending + $7, memory = coalesce($8, memory) WHERE number = $1 RETURNING ${COUNTS}`,
        [crawl, discovered, fetched, reused, failed, skipped, pending, memory],
      );
      if (!counts) throw new Error('The crawl was deleted in a transaction that held it.');
      return counts;
    },
  };
}

/** Lines, as they are read for a change and written after it. */
function lineSql({ rows, find }: Queries, crawl: number) {
  return {
    pendingByHost: async () =>
      new Map(
        (
          await rows<{ host: string; n: number }>(
            `SELECT host, count(*) AS n FROM crawl_url WHERE crawl = $1 AND state = 'pending' GROUP BY host`,
            [crawl],
          )
        ).map(({ host, n }) => [host, n] as const),
      ),
    /** The lines with these ids or identities, and those that wait for one of the identities. */
    async known(ids: readonly number[], identities: readonly string[]): Promise<readonly LedgerRow[]> {
      const found = await rows<UrlRow>(
        `WITH wanted AS (SELECT decode(hash, 'hex') AS hash FROM unnest($3::text[]) AS hash),
         named AS (SELECT identity_hash AS hash FROM crawl_url WHERE crawl = $1 AND id = ANY($2::int[]) UNION SELECT hash FROM wanted),
         lines AS (
           SELECT ${LINE_OF} FROM named JOIN crawl_url line ON line.crawl = $1 AND line.identity_hash = named.hash
           UNION SELECT ${LINE_OF} FROM named JOIN crawl_url line ON line.crawl = $1 AND line.alias_of = named.hash)
         SELECT ${LINE} FROM lines ORDER BY id`,
        [crawl, ids, identities],
      );
      return found.map(toLine);
    },
    async insert(added: readonly LedgerRow[]) {
      if (added.length === 0) return;
      const columns = [...MOVING, ...STAYING];
      const { from, values } = unnest(added, columns, 2);
      const twin = `CASE WHEN new.is_twin <> 0 THEN new.is_twin
        WHEN EXISTS (SELECT 1 FROM crawl_url old WHERE old.crawl = $1 AND old.key_hash = decode(new.key_hash, 'hex')) THEN 1 ELSE 0 END`;
      const selected = columns.map(([name]) => (name === 'is_twin' ? twin : written(name))).join(', ');
      await rows(`INSERT INTO crawl_url (crawl, ${columns.map(([name]) => name).join(', ')}) SELECT $1, ${selected} FROM ${from}`, [
        crawl,
        ...values,
      ]);
    },
    async update(changed: readonly LedgerRow[]) {
      if (changed.length === 0) return;
      const { from, values } = unnest(changed, MOVING, 2);
      const sets = MOVING.slice(1).map(([name]) => `${name} = ${written(name)}`);
      await rows(`UPDATE crawl_url SET ${sets.join(', ')} FROM ${from} WHERE crawl = $1 AND crawl_url.id = new.id`, [crawl, ...values]);
    },
    async closePending(reason: string, rule: string | undefined): Promise<number> {
      const closed = await find<{ n: number }>(
        `WITH closed AS (UPDATE crawl_url SET state = 'skipped', reason = $2, rule = $3 WHERE crawl = $1 AND state = 'pending' RETURNING 1)
         SELECT count(*) AS n FROM closed`,
        [crawl, reason, rule],
      );
      return closed?.n ?? 0;
    },
    firstLines: (count: number) =>
      rows<Pick<UrlRow, 'url' | 'source' | 'state' | 'reason' | 'rule'>>(
        'SELECT url, source, state, reason, rule FROM crawl_url WHERE crawl = $1 ORDER BY id LIMIT $2',
        [crawl, count],
      ),
  };
}

/** What is asked next, and what is known of a page that came. */
function askSql({ rows }: Pick<Queries, 'rows'>, crawl: number, alike: readonly number[]) {
  return {
    /** Rule 9, without the lines that are leased. */
    async waiting(
      wants: readonly { readonly host: string; readonly count: number }[],
      leased: readonly number[],
    ): Promise<readonly LeasedUrl[]> {
      const found = await rows<UrlRow & { twin_url: string | null; twin_hash: string | null; twin_sketch: string | null }>(
        `SELECT line.id, line.url, line.key, line.host, line.depth, line.source, line.parent, line.ignores_canonical,
           twin.url AS twin_url, twin.content_hash AS twin_hash, twin.sketch AS twin_sketch
         FROM unnest($2::text[], $3::int[]) WITH ORDINALITY AS want(host, n, place)
         CROSS JOIN LATERAL (
           SELECT id, url, key, key_hash, host, is_twin, depth, source, parent, ignores_canonical FROM crawl_url
           WHERE crawl = $1 AND host = want.host AND state = 'pending' AND id <> ALL($4::int[])
           ORDER BY is_twin, depth, id LIMIT want.n) line
         LEFT JOIN LATERAL (
           SELECT url, content_hash, sketch FROM crawl_url other
           WHERE crawl = $1 AND other.key_hash = line.key_hash AND other.id <> line.id AND ${KEPT} ORDER BY id LIMIT 1) twin ON true
         ORDER BY want.place, line.is_twin, line.depth, line.id`,
        [crawl, wants.map(({ host }) => host), wants.map(({ count }) => count), leased],
      );
      return found.map(({ twin_url, twin_hash, twin_sketch, ...line }) => ({
        id: line.id,
        url: line.url,
        key: line.key ?? line.url,
        host: line.host,
        depth: line.depth,
        source: line.source,
        parent: line.parent ?? undefined,
        ignoresCanonical: line.ignores_canonical,
        twin: twin_url === null ? undefined : { url: twin_url, contentHash: twin_hash ?? '', sketch: twin_sketch ?? undefined },
      }));
    },
    /** What a lookup finds, each under what asked for it: `content`, `own`, or an identity. */
    async lookup({ contentHash, own, identities }: Lookup) {
      const byFinal = (hash: string) => `SELECT ${KNOWN} FROM crawl_url WHERE crawl = ANY($1) AND final_hash = ${hash} ORDER BY id LIMIT 1`;
      const found = await rows<Pick<UrlRow, 'url' | 'state' | 'content_hash' | 'sketch'> & { asked: string; place: number }>(
        `(SELECT 'content' AS asked, 0 AS place, ${KNOWN} FROM crawl_url WHERE crawl = ANY($1) AND content_hash = $2 AND ${KEPT} ORDER BY id LIMIT 1)
         UNION ALL SELECT 'own', 0, own.* FROM (${byFinal(`decode($3, 'hex')`)}) own
         UNION ALL SELECT 'identity', asked.place::int, line.* FROM unnest($4::text[]) WITH ORDINALITY AS asked(hash, place)
           CROSS JOIN LATERAL (
             SELECT ${KNOWN} FROM (
               (SELECT 0 AS rank, final.* FROM (${byFinal(`decode(asked.hash, 'hex')`)}) final)
               UNION ALL SELECT 1, ${KNOWN} FROM crawl_url WHERE crawl = ANY($1) AND identity_hash = decode(asked.hash, 'hex')
             ) either ORDER BY rank LIMIT 1) line`,
        [alike, contentHash, own === undefined ? undefined : hashOf(own), identities.map(hashOf)],
      );
      const one = (asked: string) => found.find((row) => row.asked === asked);
      const byIdentity = found.flatMap((row) => {
        const identity = row.asked === 'identity' ? identities[row.place - 1] : undefined;
        return identity === undefined ? [] : [[identity, toKnown(row)] as const];
      });
      const [sameContent, answering] = [one('content'), one('own')];
      return {
        sameContent: sameContent && toKnown(sameContent),
        own: answering && toKnown(answering),
        byIdentity: new Map(byIdentity),
      };
    },
  };
}

function toLine(row: UrlRow): LedgerRow {
  return {
    id: row.id,
    identity: row.identity,
    keyHash: row.key_hash,
    url: row.url,
    key: row.key ?? row.url,
    host: row.host,
    isCanonical: row.is_twin === -1,
    isTwin: row.is_twin === 1,
    depth: row.depth,
    source: row.source,
    parent: row.parent ?? undefined,
    state: row.state,
    reason: row.reason ?? undefined,
    rule: row.rule ?? undefined,
    status: row.status ?? undefined,
    finalUrl: row.final_url ?? undefined,
    contentHash: row.content_hash ?? undefined,
    sketch: row.sketch ?? undefined,
    aliasOf: row.alias_of ?? undefined,
    ignoresCanonical: row.ignores_canonical,
  };
}

function toKnown({ url, state, content_hash, sketch }: Pick<UrlRow, 'url' | 'state' | 'content_hash' | 'sketch'>): KnownUrl {
  return { url, state, contentHash: content_hash ?? undefined, sketch: sketch ?? undefined };
}
