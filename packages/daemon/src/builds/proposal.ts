// A build that was built again is a proposal: its functions replace what was published before once a person accepts it.
import { AppError, isSettled } from '@weft/contract';
import type { BuiltWorkflow } from '@weft/contract';
import { newestRung, whyClosed } from '@weft/engine';
import type { Clock, Proposing } from '@weft/engine';
import { durably } from '../db/open.ts';
import type { Database } from '../db/open.ts';
import type { Runs } from '../runs/run.ts';
import type { Workflows } from '../workflows/workflow.ts';
import type { BuildHealths } from './health.ts';
import type { BuildRow, BuildStore } from './store.ts';

export interface Proposals {
  /** Replaces workflows by new revisions; those that were replaced. Throws AppError `conflict`. */
  accept(row: BuildRow): BuiltWorkflow[];
  /** Throws AppError `conflict`. */
  decline(row: BuildRow): void;
}

export interface ProposalPorts {
  readonly database: Database;
  readonly store: BuildStore;
  readonly runs: Pick<Runs, 'require'>;
  readonly workflows: Pick<Workflows, 'update'>;
  readonly health: Pick<BuildHealths, 'plan'>;
  readonly clock: Clock;
}

export function proposingOf({ rebuild_of: rebuildOf, result, proposal }: BuildRow, isLive: boolean): Proposing {
  return { isRebuild: rebuildOf !== undefined, isLive, hasResult: result !== undefined, decided: proposal };
}

export function createProposals({ database, store, runs, workflows, health, clock }: ProposalPorts): Proposals {
  /** Throws AppError `conflict` where there is nothing to decide. */
  const refuseClosed = (row: BuildRow): void => {
    const why = whyClosed(proposingOf(row, !isSettled(runs.require(row.run_id).status)), newestRung(row.ladder).buildId);
    if (why !== undefined) throw new AppError('conflict', why);
  };
  return {
    accept(row) {
      refuseClosed(row);
      const { rebuild_of: before = 0 } = row;
      const published = store.workflows(before);
      const proved = (row.result?.functions ?? []).filter(({ name, certificate }) => certificate.state === 'proved' && published.has(name));
      if (proved.length === 0)
        throw new AppError(
          'conflict',
          `Build ${newestRung(row.ladder).buildId} has proved none of the functions that are published, so it can replace none.`,
        );
      return durably(database.fast, () => {
        const replaced = proved.map(({ name, workflow }) => {
          const { id = 0 } = published.get(name) ?? {};
          const { inputs, lane, steps } = workflow;
          const { slug } = workflows.update(id, { steps, inputs: inputs ?? null, ...(lane === undefined ? {} : { lane }) });
          store.moveWorkflow(before, row.id, name);
          return { name, workflow_id: id, workflow_slug: slug };
        });
        store.decide(row.id, 'accepted', clock.now());
        health.plan(before);
        health.plan(row.id);
        return replaced;
      });
    },
    decline(row) {
      refuseClosed(row);
      durably(database.fast, () => store.decide(row.id, 'declined', clock.now()));
    },
  };
}
