// A build that was built again is a proposal: its functions replace what was published before once the owner accepts it.
import { AppError } from '@weft/contract';
import { newestRung } from '@weft/engine';
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

/** Whether the owner has decided of `row`; undefined for one that proposes nothing. */
export function proposalOf(
  row: Pick<BuildRow, 'rebuild_of' | 'is_live' | 'result' | 'proposal'>,
): 'open' | 'accepted' | 'declined' | undefined {
  if (row.rebuild_of === null || row.is_live || !row.result) return undefined;
  return row.proposal ?? 'open';
}

/** `requireRow` finds the build of a rung and locks it, or throws AppError `not_found`. */
export function createProposals(
  { rows, find, transaction }: Database,
  functions: Pick<Functions, 'publish'>,
  requireRow: (accountId: string, buildId: string) => Promise<BuildRow>,
): Proposals {
  const requireOpen = async (accountId: string, buildId: string): Promise<BuildRow> => {
    const row = await requireRow(accountId, buildId);
    const state = proposalOf(row);
    if (row.rebuild_of === null) throw new AppError('conflict', `Build "${buildId}" proposes nothing: build one again for that.`);
    if (state === undefined) throw new AppError('conflict', `Build "${buildId}" goes on, or ended before it had found anything.`);
    if (state !== 'open') throw new AppError('conflict', `Build "${buildId}" was ${state} already.`);
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
