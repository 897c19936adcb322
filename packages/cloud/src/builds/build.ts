// Builds of accounts: made with the credits that they may spend, and polled rung by rung.
import { AppError, BUILD_CREDITS } from '@weft/contract';
import type { CloudBuild, StartCloudBuild, StartCloudDiscovery } from '@weft/contract';
import { beginLadder, newestRung, viewBuild } from '@weft/engine';
import { newBuildId } from '@weft/serve';
import type { Credits } from '../credits/credits.ts';
import type { Database } from '../db/queries.ts';
import { BUILD_OPERATION, keepRungs } from './build-row.ts';
import type { AskedBuild, BuildRow, PublishedPart } from './build-row.ts';

export interface Builds {
  /** Reserves what it may cost and queues it; its id. Throws AppError `insufficient_credits`. */
  start(accountId: string, asked: StartCloudBuild): Promise<string>;
  discover(accountId: string, asked: StartCloudDiscovery): Promise<string>;
  /** What a poll of a rung shows; `address` is where functions are called. Throws AppError `not_found`. */
  read(accountId: string, buildId: string, address: string): Promise<CloudBuild>;
  /** Deletes what is past its time. */
  prune(): Promise<void>;
}

export function createBuilds({ rows, find, transaction }: Database, credits: Credits): Builds {
  const database = { rows, find };

  const make = (accountId: string, asked: AskedBuild, most: number): Promise<string> =>
    transaction(async () => {
      const { hold, amount } = await credits.reserveUpTo(
        { accountId, operation: BUILD_OPERATION, about: asked.url },
        { least: BUILD_CREDITS.least, most },
      );
      const buildId = newBuildId();
      const ladder = beginLadder(buildId, { respectRobots: asked.respectRobots });
      const made = await find<{ number: number }>(
        'INSERT INTO build (account_id, asked, ladder, hold_id, budget) VALUES ($1, $2, $3, $4, $5) RETURNING number',
        [accountId, JSON.stringify(asked), JSON.stringify(ladder), hold.id, amount],
      );
      if (!made) throw new Error('A row that was inserted is not there.');
      await keepRungs(database, { number: made.number, account_id: accountId }, ladder);
      return buildId;
    });

  return {
    start: (accountId, { max_credits: most = BUILD_CREDITS.unlessSaid, slug, ...asked }) =>
      make(accountId, { ...askedOf(asked, false), ...(slug === undefined ? {} : { slug }) }, most),
    discover: (accountId, { max_credits: most = BUILD_CREDITS.unlessSaid, ...asked }) => make(accountId, askedOf(asked, true), most),
    async read(accountId, buildId, address) {
      const row = await find<BuildRow>(
        `SELECT build.* FROM build_rung JOIN build ON build.number = build_rung.build AND build.account_id = build_rung.account_id
         WHERE build_id = $1 AND build_rung.account_id = $2`,
        [buildId, accountId],
      );
      if (!row) throw new AppError('not_found', `There is no build "${buildId}".`);
      return viewRow(row, buildId, address);
    },
    async prune() {
      await rows(
        `DELETE FROM build USING account WHERE account.id = build.account_id AND NOT build.is_live
         AND build.updated_at < now() - account.retention_days * interval '1 day'`,
      );
    },
  };
}

function askedOf(
  asked: Pick<StartCloudDiscovery, 'url' | 'objective' | 'respect_robots' | 'ai_supervise'>,
  isDiscovery: boolean,
): AskedBuild {
  const { url, objective = '', respect_robots: respectRobots = true, ai_supervise: aiSupervise = true } = asked;
  return { url, objective, isDiscovery, respectRobots, aiSupervise };
}

function viewRow(row: BuildRow, buildId: string, address: string): CloudBuild {
  const { asked, ladder, result, budget, charged, published } = row;
  const view = viewBuild(
    {
      url: asked.url,
      objective: asked.objective,
      isDiscovery: asked.isDiscovery,
      ladder,
      result: result ?? undefined,
      createdAt: row.created_at.toISOString(),
      updatedAt: row.updated_at.toISOString(),
    },
    buildId,
  );
  if (!view) throw new Error(`Build ${row.number} has no rung "${buildId}".`);
  const { run_id: _run, rebuild_of: _before, diff: _diff, ...shown } = view;
  const isNewest = newestRung(ladder).buildId === buildId;
  return {
    ...shown,
    credits: { charged, budget },
    ...(isNewest && published && asked.slug !== undefined ? publishedMembers(published, `${address}/v1/${asked.slug}`) : {}),
  };
}

function publishedMembers(parts: readonly PublishedPart[], address: string) {
  const done = parts.flatMap(({ function: name, path }) => (path === undefined ? [] : [{ function: name, url: `${address}/${path}` }]));
  const refused = parts.flatMap(({ function: name, reason }) => (reason === undefined ? [] : [{ function: name, reason }]));
  return { ...(done.length > 0 ? { published: done } : {}), ...(refused.length > 0 ? { not_published: refused } : {}) };
}
