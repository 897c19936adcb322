// Who works on which build: claimed by one process for seconds at a time, kept after each rung together with what it cost.
import { randomBytes } from 'node:crypto';
import { StaleOwnerError, endNotice, newestRung } from '@weft/engine';
import type { BuildResult } from '@weft/engine';
import type { Hold } from '../credits/books.ts';
import type { Credits } from '../credits/credits.ts';
import type { Database } from '../db/queries.ts';
import type { Alive, Claimed } from '../jobs/worker.ts';
import type { Tell } from '../webhooks/outbox.ts';
import { BUILD_OPERATION, keepRungs, toldOf } from './build-row.ts';
import type { BuildRow, PublishedPart } from './build-row.ts';

/** A claim on a build. */
export interface Claim extends Claimed {
  readonly claim: string;
  readonly build: BuildRow;
  /** Claims in a row that were lost without a rung having been kept. */
  readonly losses: number;
}

export interface BuildJobs {
  /** The build that waits longest, of the accounts that are served least. */
  claim(): Promise<Claim | undefined>;
  keepAlive(claims: readonly string[]): Promise<Alive>;
  /** Keeps what a rung came to, and charges `spent` for it. Throws StaleOwnerError where the claim was lost. */
  keep(claim: Claim, result: BuildResult, spent: number): Promise<void>;
  /** Ends the build, tells of it, and gives back what it did not spend. Nothing where the claim was lost. */
  finish(claim: Claim, ended: BuildResult, published: readonly PublishedPart[] | undefined): Promise<void>;
  giveBack(claim: Claim): Promise<void>;
  keepAnswer(claim: Claim, sha256: string, bytes: Uint8Array): Promise<void>;
}

/** A process that has said nothing for so long is taken for dead: four of its heartbeats. */
export const ALIVE_SECONDS = 8;
const FREE = 'is_live AND (claim IS NULL OR alive_until < now())';

export function createBuildJobs(database: Database, credits: Credits, tell: Tell): BuildJobs {
  const { rows, find, transaction } = database;
  const holdOf = ({ hold_id: id, account_id: accountId, asked }: BuildRow): Hold => ({
    id,
    accountId,
    operation: BUILD_OPERATION,
    about: asked.url,
  });

  return {
    claim: () =>
      transaction(async () => {
        const claim = randomBytes(16).toString('base64url');
        const row = await find<BuildRow & { losses: number }>(
          `WITH busy AS (SELECT account_id, count(*) AS n FROM build WHERE is_live AND alive_until > now() GROUP BY account_id),
           next AS (SELECT number, claim IS NOT NULL AS is_lost FROM build LEFT JOIN busy USING (account_id) WHERE ${FREE}
             ORDER BY coalesce(busy.n, 0), number LIMIT 1 FOR UPDATE OF build SKIP LOCKED)
           UPDATE build SET claim = $1, alive_until = now() + $2 * interval '1 second', losses = CASE WHEN next.is_lost THEN losses + 1 ELSE 0 END
           FROM next WHERE build.number = next.number RETURNING build.*`,
          [claim, ALIVE_SECONDS],
        );
        return row && { claim, build: row, losses: row.losses };
      }),
    async keepAlive(claims) {
      const kept = await rows<{ claim: string }>(
        `UPDATE build SET alive_until = now() + $2 * interval '1 second' WHERE claim = ANY($1) RETURNING claim`,
        [claims, ALIVE_SECONDS],
      );
      const waiting = await find<{ n: number }>(`SELECT count(*) AS n FROM build WHERE ${FREE}`);
      return { held: new Set(kept.map(({ claim }) => claim)), waiting: waiting?.n ?? 0 };
    },
    keep: ({ claim, build }, { ladder, ...result }, spent) =>
      transaction(async () => {
        const held = await rows(
          `UPDATE build SET ladder = $3, result = $4, charged = charged + $5, losses = 0, updated_at = now()
           WHERE number = $1 AND claim = $2 AND is_live RETURNING 1`,
          [build.number, claim, JSON.stringify(ladder), JSON.stringify(result), spent],
        );
        if (held.length === 0) throw new StaleOwnerError();
        await keepRungs(database, build, ladder);
        await credits.charge(holdOf(build), [{ about: build.asked.url, amount: spent }]);
      }),
    finish: ({ claim, build }, ended, published) =>
      transaction(async () => {
        const isPublished = published?.some(({ path }) => path !== undefined) === true;
        const done = await rows(
          `UPDATE build SET is_live = false, claim = NULL, alive_until = NULL, published = $3, updated_at = now(),
             check_at = CASE WHEN $4 THEN now() + check_hours * interval '1 hour' END
           WHERE number = $1 AND claim = $2 AND is_live RETURNING 1`,
          [build.number, claim, published ? JSON.stringify(published) : null, isPublished],
        );
        if (done.length === 0) return;
        await credits.settle(holdOf(build), 0);
        const { event, data } = endNotice(toldOf({ ...build, ladder: ended.ladder }), ended.functions);
        const subject = { kind: 'build', id: newestRung(ended.ladder).buildId, name: build.asked.url } as const;
        await tell(build.account_id, { event, subject, data, dedupeKey: `build ${build.number} ended` });
      }),
    async giveBack({ claim, build }) {
      await rows('UPDATE build SET claim = NULL, alive_until = NULL WHERE number = $1 AND claim = $2', [build.number, claim]);
    },
    async keepAnswer({ build }, sha256, bytes) {
      await rows('INSERT INTO build_answer (build, account_id, sha256, bytes) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING', [
        build.number,
        build.account_id,
        sha256,
        Buffer.from(bytes),
      ]);
    },
  };
}
