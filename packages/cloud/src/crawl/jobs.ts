// Who works on which crawl: a job is claimed by one process for seconds at a time, and goes to another once nobody says that it lives.
import { randomBytes } from 'node:crypto';
import type { RunFailure } from '@weft/contract';
import type { Database } from '../db/queries.ts';
import type { Alive, Claimed } from '../jobs/worker.ts';
import type { CrawlRow } from './crawl-row.ts';
import { endCrawl, wakeWhole } from './ending.ts';
import type { EndingPorts } from './ending.ts';

/** A claim on a crawl, or on a part of one. */
export interface Claim extends Claimed {
  readonly claim: string;
  readonly crawl: CrawlRow;
  /** Of a part: the crawl that was divided. */
  readonly whole: CrawlRow | undefined;
  /** Milliseconds since the crawl was asked for. */
  readonly ageMs: number;
  /** Claims in a row that were lost without an address having been settled. */
  readonly losses: number;
}

export interface CrawlJobs {
  /** A job of the account that has the fewest places, and of those the one that was given none for longest; undefined where none waits. */
  claim(): Promise<Claim | undefined>;
  /** Says that these claims live. */
  keepAlive(claims: readonly string[]): Promise<Alive>;
  /** Whether a claim holds; within a transaction, what others may do about it comes after. */
  holds(claim: Claim): Promise<boolean>;
  /** What others have come to want since: that a part goes on with what they found for it, or its place. */
  wanted(part: CrawlRow): Promise<{ readonly hasArrived: boolean; readonly isPlace: boolean }>;
  /** Gives a job back, behind all others of its account. One that `needsPages` is claimed once another part gives some back. */
  giveBack(claim: Claim, needsPages?: boolean): Promise<void>;
  /** Gives a crawl back as one that ended its worker. */
  lose(claim: Claim): Promise<void>;
  /** Settles the run, or ends the part; what was not spent is given back. Nothing where the claim was lost. A failure ends all parts. */
  finish(claim: Claim, failure: RunFailure | undefined): Promise<void>;
}

/** A process that has said nothing for so long is taken for dead: four of its heartbeats. */
const ALIVE_SECONDS = 8;

const FREE = '(job.claim IS NULL OR job.alive_until < now())';
/** Whether there is something that the worker of a job could do. */
const READY = `(job.waits_for IS NULL OR (job.waits_for = 'pages' AND EXISTS (
  SELECT 1 FROM crawl part JOIN crawl whole ON whole.number = part.parent WHERE part.id = job.crawl_id AND whole.pages_left > 0)))`;
/** Each job that may be claimed with its place in the line of its account: as many as the account has places, and those before it. */
const LINES = `busy AS (SELECT account_id, count(*) AS n FROM crawl_job WHERE alive_until > now() GROUP BY account_id),
  line AS (
    SELECT job.crawl_id, served_at, coalesce(busy.n, 0) + row_number() OVER (PARTITION BY job.account_id ORDER BY job.queued_at) - 1 AS place
    FROM crawl_job job LEFT JOIN busy USING (account_id) LEFT JOIN account_turn USING (account_id) WHERE ${FREE} AND ${READY})`;

/** `perAccount`: places that one account may have at once, of all processes together. */
export function createCrawlJobs(ports: EndingPorts, perAccount: number): CrawlJobs {
  const { database } = ports;
  const { rows, find, transaction } = database;
  return {
    claim: () => claimNext(database, perAccount),
    async keepAlive(claims) {
      const kept = await rows<{ claim: string }>(
        `UPDATE crawl_job SET alive_until = now() + $2 * interval '1 second' WHERE claim = ANY($1) RETURNING claim`,
        [claims, ALIVE_SECONDS],
      );
      const waiting = await find<{ n: number }>(`WITH ${LINES} SELECT count(*) AS n FROM line WHERE place < $1`, [perAccount]);
      return { held: new Set(kept.map(({ claim }) => claim)), waiting: waiting?.n ?? 0 };
    },
    async holds({ claim, crawl }) {
      return (await find('SELECT 1 FROM crawl_job WHERE crawl_id = $1 AND claim = $2', [crawl.id, claim])) !== undefined;
    },
    async wanted({ number }) {
      const found = await find<{ arrived: boolean; place: boolean }>(
        `SELECT EXISTS (SELECT 1 FROM crawl_offer WHERE crawl = $1) AS arrived, EXISTS (SELECT 1 FROM crawl_job job WHERE ${FREE} AND ${READY}) AS place`,
        [number],
      );
      return { hasArrived: found?.arrived === true, isPlace: found?.place === true };
    },
    giveBack: (claim, needsPages = false) =>
      transaction(async () => {
        const given = await rows(
          `UPDATE crawl_job SET claim = NULL, alive_until = NULL, queued_at = clock_timestamp(), waits_for = $3 WHERE crawl_id = $1 AND claim = $2 RETURNING 1`,
          [claim.crawl.id, claim.claim, needsPages ? 'pages' : null],
        );
        if (given.length > 0 && claim.whole) await returnPages(database, claim.crawl, claim.whole);
      }),
    async lose({ claim, crawl }) {
      await rows('UPDATE crawl_job SET alive_until = now() WHERE crawl_id = $1 AND claim = $2', [crawl.id, claim]);
    },
    finish: (claim, failure) =>
      transaction(async () => {
        const { crawl, whole } = claim;
        const held = await rows('DELETE FROM crawl_job WHERE crawl_id = $1 AND claim = $2 RETURNING 1', [crawl.id, claim.claim]);
        if (held.length === 0) return;
        if (whole && !failure) return await endPart(database, crawl, whole);
        await endCrawl(ports, whole ?? crawl, failure ? { status: 'failed', failure } : { status: 'succeeded' });
      }),
  };
}

async function claimNext({ find, rows, transaction }: Database, perAccount: number): Promise<Claim | undefined> {
  // Most looks find nothing, and need no transaction for that.
  if (!(await find(`SELECT 1 FROM crawl_job job WHERE ${FREE} AND ${READY} LIMIT 1`))) return undefined;
  return await transaction(async () => {
    const claim = randomBytes(16).toString('base64url');
    const job = await find<{ crawl_id: string; account_id: string; losses: number }>(
      `WITH ${LINES},
       next AS (
         SELECT job.crawl_id, job.claim IS NOT NULL AS is_lost FROM line JOIN crawl_job job USING (crawl_id)
         WHERE line.place < $3 AND ${FREE} AND ${READY} ORDER BY line.place, line.served_at NULLS FIRST, job.queued_at
         LIMIT 1 FOR UPDATE OF job SKIP LOCKED)
       UPDATE crawl_job job SET claim = $1, alive_until = now() + $2 * interval '1 second', waits_for = NULL,
         losses = CASE WHEN NOT next.is_lost THEN 0 WHEN discovered - pending > settled_at_claim THEN 1 ELSE losses + 1 END,
         settled_at_claim = discovered - pending
       FROM next JOIN crawl ON crawl.id = next.crawl_id WHERE job.crawl_id = next.crawl_id RETURNING job.crawl_id, job.account_id, losses`,
      [claim, ALIVE_SECONDS, perAccount],
    );
    if (!job) return undefined;
    await rows(
      `INSERT INTO account_turn (account_id, served_at) VALUES ($1, clock_timestamp())
       ON CONFLICT (account_id) DO UPDATE SET served_at = excluded.served_at`,
      [job.account_id],
    );
    const crawl = await find<CrawlRow>(`UPDATE crawl SET status = 'running' WHERE id = $1 RETURNING *`, [job.crawl_id]);
    if (!crawl) return undefined;
    const whole =
      crawl.parent === null
        ? undefined
        : await find<CrawlRow>('SELECT * FROM crawl WHERE number = $1 AND account_id = $2', [crawl.parent, crawl.account_id]);
    const age = await find<{ ms: number }>(
      'SELECT (extract(epoch FROM now() - created_at) * 1000)::float8 AS ms FROM crawl WHERE number = $1',
      [(whole ?? crawl).number],
    );
    return { claim, crawl, whole, ageMs: age?.ms ?? 0, losses: job.losses };
  });
}

/** A part that has nothing left to do ends, unless others have found something for it since. */
async function endPart(database: Database, part: CrawlRow, whole: CrawlRow): Promise<void> {
  const { rows } = database;
  // Whoever offers something holds the job until that is written, so that it is seen here.
  await rows(`INSERT INTO crawl_job (crawl_id, account_id) SELECT $1, $2 WHERE EXISTS (SELECT 1 FROM crawl_offer WHERE crawl = $3)`, [
    part.id,
    part.account_id,
    part.number,
  ]);
  await returnPages(database, part, whole);
}

/** Gives pages back that a part took and did not keep, and wakes the whole crawl where nothing is left to do. */
async function returnPages(database: Database, part: CrawlRow, whole: CrawlRow): Promise<void> {
  const { rows } = database;
  await rows(
    `WITH taken AS (SELECT pages_max - fetched - reused AS n FROM crawl WHERE number = $1 FOR UPDATE),
     kept AS (UPDATE crawl SET pages_max = fetched + reused WHERE number = $1 AND EXISTS (SELECT 1 FROM taken))
     UPDATE crawl SET pages_left = pages_left + taken.n FROM taken WHERE number = $2`,
    [part.number, whole.number],
  );
  await wakeWhole(database, whole);
}
