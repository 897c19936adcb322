// Builds of accounts: made with the credits that they may spend, and polled rung by rung.
import { AppError, BUILD_CREDITS } from '@weft/contract';
import type { CloudBuild, StartCloudBuild, StartCloudDiscovery, UpdateBuild } from '@weft/contract';
import { CHECK_HOURS, beginLadder, diffFunctions, newestRung, proposalOf, viewBuild, viewHealth } from '@weft/engine';
import { newBuildId } from '@weft/serve';
import type { Credits } from '../credits/credits.ts';
import type { Database } from '../db/queries.ts';
import type { Functions } from '../published/function.ts';
import { BUILD_OPERATION, keepRungs, publishedFunctions } from './build-row.ts';
import type { AskedBuild, BuildRow, PublishedPart } from './build-row.ts';
import { createProposals, proposingOf } from './proposal.ts';
import type { Proposals } from './proposal.ts';

export interface Builds extends Proposals {
  /** Reserves what it may cost and queues it; its id. Throws AppError `insufficient_credits`. */
  start(accountId: string, asked: StartCloudBuild): Promise<string>;
  discover(accountId: string, asked: StartCloudDiscovery): Promise<string>;
  /** What a poll of a rung shows; `address` is where functions are called. Throws AppError `not_found`. */
  read(accountId: string, buildId: string, address: string): Promise<CloudBuild>;
  /** Changes how often its published functions are proved again. Throws AppError `not_found`. */
  update(accountId: string, buildId: string, change: UpdateBuild): Promise<void>;
  /** Lets its published functions be proved again now. Throws AppError `not_found`, `conflict` where nothing of it is published. */
  check(accountId: string, buildId: string): Promise<void>;
  /** Makes another build with the same options, beside it; its id. Throws AppError `not_found`, `insufficient_credits`. */
  rebuild(accountId: string, buildId: string): Promise<string>;
  /** Deletes what is past its time. */
  prune(): Promise<void>;
}

export function createBuilds(all: Database, credits: Credits, functions: Pick<Functions, 'publish'>): Builds {
  const { rows, find, transaction } = all;
  const requireRow = async (accountId: string, buildId: string, lock = ''): Promise<BuildRow> => {
    const row = await find<BuildRow>(
      `SELECT build.* FROM build_rung JOIN build ON build.number = build_rung.build AND build.account_id = build_rung.account_id
       WHERE build_id = $1 AND build_rung.account_id = $2 ${lock}`,
      [buildId, accountId],
    );
    if (!row) throw new AppError('not_found', `There is no build "${buildId}".`);
    return row;
  };

  const make = (accountId: string, asked: AskedBuild, { most, checkHours = CHECK_HOURS, rebuildOf }: Making): Promise<string> =>
    transaction(async () => {
      const { hold, amount } = await credits.reserveUpTo(
        { accountId, operation: BUILD_OPERATION, about: asked.url },
        { least: BUILD_CREDITS.least, most },
      );
      const buildId = newBuildId();
      const ladder = beginLadder(buildId, { respectRobots: asked.respectRobots });
      const made = await find<{ number: number }>(
        `INSERT INTO build (account_id, asked, ladder, hold_id, budget, check_hours, rebuild_of) VALUES ($1, $2, $3, $4, $5, $6, $7)
         RETURNING number`,
        [accountId, JSON.stringify(asked), JSON.stringify(ladder), hold.id, amount, checkHours, rebuildOf ?? null],
      );
      if (!made) throw new Error('A row that was inserted is not there.');
      await keepRungs(all, { number: made.number, account_id: accountId }, ladder);
      return buildId;
    });

  return {
    ...createProposals(all, functions, (accountId, buildId) => requireRow(accountId, buildId, 'FOR UPDATE OF build')),
    start: (accountId, { max_credits: most = BUILD_CREDITS.unlessSaid, slug, check_hours: checkHours, ...asked }) =>
      make(accountId, { ...askedOf(asked, false), ...(slug === undefined ? {} : { slug }) }, { most, checkHours }),
    discover: (accountId, { max_credits: most = BUILD_CREDITS.unlessSaid, ...asked }) => make(accountId, askedOf(asked, true), { most }),
    async read(accountId, buildId, address) {
      const row = await requireRow(accountId, buildId);
      const before =
        row.rebuild_of === null
          ? undefined
          : await find<BuildRow>('SELECT * FROM build WHERE number = $1 AND account_id = $2', [row.rebuild_of, accountId]);
      return viewRow(row, before, buildId, address);
    },
    async update(accountId, buildId, { check_hours: hours }) {
      const row = await requireRow(accountId, buildId);
      const isWatched = hours !== null && publishedFunctions(row).length > 0;
      await rows(
        `UPDATE build SET check_hours = $2, check_at = CASE WHEN $3 THEN greatest(now(), coalesce($4, now()) + $5 * interval '1 hour') END
         WHERE number = $1`,
        [row.number, hours, isWatched, row.health ? new Date(row.health.checkedMs) : null, hours ?? 0],
      );
    },
    async check(accountId, buildId) {
      const row = await requireRow(accountId, buildId);
      if (publishedFunctions(row).length === 0)
        throw new AppError('conflict', `Nothing of build "${buildId}" is published, so there is nothing to prove again.`);
      await rows('UPDATE build SET check_at = now() WHERE number = $1', [row.number]);
    },
    async rebuild(accountId, buildId) {
      const { number, asked, budget, check_hours: checkHours } = await requireRow(accountId, buildId);
      return await make(accountId, asked, { most: budget, checkHours, rebuildOf: number });
    },
    async prune() {
      await rows(
        `DELETE FROM build USING account WHERE account.id = build.account_id AND NOT build.is_live
         AND build.check_at IS NULL AND build.updated_at < now() - account.retention_days * interval '1 day'`,
      );
    },
  };
}

/** How a build is made. */
interface Making {
  readonly most: number;
  readonly checkHours?: number | null | undefined;
  readonly rebuildOf?: number;
}

function askedOf(
  asked: Pick<StartCloudDiscovery, 'url' | 'objective' | 'respect_robots' | 'ai_supervise'>,
  isDiscovery: boolean,
): AskedBuild {
  const { url, objective = '', respect_robots: respectRobots = true, ai_supervise: aiSupervise = true } = asked;
  return { url, objective, isDiscovery, respectRobots, aiSupervise };
}

function viewRow(row: BuildRow, before: BuildRow | undefined, buildId: string, address: string): CloudBuild {
  const { asked, ladder, result, budget, charged, published } = row;
  const proposal = proposalOf(proposingOf(row));
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
    {
      ...(before ? { rebuild_of: newestRung(before.ladder).buildId } : {}),
      ...(before?.result && result && !row.is_live ? { diff: diffFunctions(before.result.functions, result.functions) } : {}),
      ...(proposal === undefined ? {} : { proposal }),
      ...servedOf(row, address),
      health: viewHealth(row.health ?? undefined, row.check_hours, row.check_at?.getTime()),
    },
  );
  if (!view) throw new Error(`Build ${row.number} has no rung "${buildId}".`);
  const { run_id: _run, ...shown } = view;
  const isNewest = newestRung(ladder).buildId === buildId;
  return {
    ...shown,
    credits: { charged, budget },
    ...(isNewest && published && asked.slug !== undefined ? publishedMembers(published, `${address}/v1/${asked.slug}`) : {}),
  };
}

/** Where what is published of it is called. */
function servedOf(row: BuildRow, address: string) {
  const { slug } = row.asked;
  const paths = Object.fromEntries(publishedFunctions(row).map(({ built, path }) => [built.name, path]));
  return slug === undefined || Object.keys(paths).length === 0 ? {} : { served: { url: `${address}/v1/${slug}`, paths } };
}

function publishedMembers(parts: readonly PublishedPart[], address: string) {
  const done = parts.flatMap(({ function: name, path }) => (path === undefined ? [] : [{ function: name, url: `${address}/${path}` }]));
  const refused = parts.flatMap(({ function: name, reason }) => (reason === undefined ? [] : [{ function: name, reason }]));
  return { ...(done.length > 0 ? { published: done } : {}), ...(refused.length > 0 ? { not_published: refused } : {}) };
}
