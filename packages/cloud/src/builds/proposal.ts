// A build that was built again is a proposal: its functions replace what was published before once the owner accepts it.
import { AppError } from '@weft/contract';
import { newestRung, whyClosed } from '@weft/engine';
import type { Proposing } from '@weft/engine';
import type { Database } from '../db/queries.ts';
import type { Functions } from '../published/function.ts';
import { publishable, publishedFunctions } from './build-row.ts';
import type { BuildRow, PublishedPart } from './build-row.ts';

export interface Proposals {
  /** Publishes the functions that were published before, each as a new revision. Throws AppError `not_found`, `conflict`. */
  accept(accountId: string, buildId: string): Promise<void>;
  /** Throws AppError `not_found`, `conflict`. */
  decline(accountId: string, buildId: string): Promise<void>;
}

export function proposingOf(row: Pick<BuildRow, 'rebuild_of' | 'is_live' | 'result' | 'proposal'>): Proposing {
  return { isRebuild: row.rebuild_of !== null, isLive: row.is_live, hasResult: row.result !== null, decided: row.proposal ?? undefined };
}

/** `requireRow` finds the build of a rung and locks it, or throws AppError `not_found`. */
export function createProposals(
  { rows, find, transaction }: Database,
  functions: Pick<Functions, 'publish'>,
  requireRow: (accountId: string, buildId: string) => Promise<BuildRow>,
): Proposals {
  const requireOpen = async (accountId: string, buildId: string): Promise<BuildRow> => {
    const row = await requireRow(accountId, buildId);
    const why = whyClosed(proposingOf(row), buildId);
    if (why !== undefined) throw new AppError('conflict', why);
    return row;
  };
  return {
    accept: (accountId, buildId) =>
      transaction(async () => {
        const row = await requireOpen(accountId, buildId);
        const before = await find<BuildRow>('SELECT * FROM build WHERE number = $1 AND account_id = $2 FOR UPDATE', [
          row.rebuild_of,
          accountId,
        ]);
        const { slug = '' } = row.asked;
        const parts: PublishedPart[] = [];
        for (const { built, path } of before ? publishedFunctions(before) : []) {
          const now = row.result?.functions.find(({ name, certificate }) => name === built.name && certificate.state === 'proved');
          if (!now) continue;
          await functions.publish(accountId, { slug, path }, publishable(now.workflow));
          parts.push({ function: now.name, path });
        }
        if (parts.length === 0)
          throw new AppError(
            'conflict',
            `Build "${newestRung(row.ladder).buildId}" has proved none of the functions that are published, so it can replace none.`,
          );
        const left = (before?.published ?? []).filter(({ function: name }) => !parts.some((part) => part.function === name));
        await rows(`UPDATE build SET published = $2, check_at = CASE WHEN $3 THEN check_at END WHERE number = $1`, [
          row.rebuild_of,
          JSON.stringify(left),
          left.some(({ path }) => path !== undefined),
        ]);
        await rows(
          `UPDATE build SET proposal = 'accepted', published = $2, check_at = now() + check_hours * interval '1 hour', updated_at = now()
           WHERE number = $1`,
          [row.number, JSON.stringify(parts)],
        );
      }),
    decline: (accountId, buildId) =>
      transaction(async () => {
        const { number } = await requireOpen(accountId, buildId);
        await rows(`UPDATE build SET proposal = 'declined', updated_at = now() WHERE number = $1`, [number]);
      }),
  };
}
