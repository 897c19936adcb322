// What a build came to: shown, chosen from, proved again, kept as workflows.
import { AppError, isSettled } from '@weft/contract';
import type { BuildView, BuiltWorkflow, PickDraft, PublishBuild, VerifiedFunction } from '@weft/contract';
import { EMPTY_CATALOGUE, acceptDraft, evidenceOf, newestRung, verifyCertificate } from '@weft/engine';
import type { BuildResult, Clock } from '@weft/engine';
import { durably } from '../db/open.ts';
import type { Database } from '../db/open.ts';
import type { Runs } from '../runs/run.ts';
import type { Workflows } from '../workflows/workflow.ts';
import type { BuildHealths } from './health.ts';
import { runOf } from './run-of.ts';
import type { BuildRow, BuildStore } from './store.ts';

export interface BuildResults {
  /** What was found so far. Throws AppError `not_found`, as all that take an id. */
  evidence(buildId: string): NonNullable<BuildView['evidence']>;
  /** Begins to prove what a person has chosen; the id of the build. Throws AppError `conflict` while it goes on, `bad_request`. */
  pick(buildId: string, draft: PickDraft): number;
  /** Decides the proofs again. Throws AppError `conflict` while the build goes on. */
  verify(buildId: string): Promise<VerifiedFunction[]>;
  /** Keeps functions as workflows. Throws AppError `not_found`, `conflict`. */
  publish(buildId: string, wanted: PublishBuild): BuiltWorkflow[];
}

export interface BuildResultPorts {
  readonly database: Database;
  readonly store: BuildStore;
  readonly runs: Runs;
  readonly workflows: Pick<Workflows, 'create'>;
  readonly health: Pick<BuildHealths, 'plan'>;
  readonly clock: Clock;
}

/** `requireRow` finds the build of a rung, or throws AppError `not_found`. */
export function createBuildResults(ports: BuildResultPorts, requireRow: (buildId: string) => BuildRow): BuildResults {
  const { database, store, runs, clock, workflows, health } = ports;
  const requireEnded = (row: BuildRow): NonNullable<BuildRow['result']> => {
    const { buildId } = newestRung(row.ladder);
    if (!isSettled(runs.require(row.run_id).status))
      throw new AppError('conflict', `Build ${buildId} goes on; wait for it or end it: weft api cancel ${buildId}`);
    if (!row.result)
      throw new AppError('conflict', `Build ${buildId} ended before it had found anything; build again: weft api rebuild ${buildId}`);
    return row.result;
  };
  return {
    evidence(buildId) {
      const { result } = requireRow(buildId);
      return evidenceOf(result?.catalogue ?? EMPTY_CATALOGUE);
    },
    pick(buildId, draft) {
      const row = requireRow(buildId);
      const { catalogue } = requireEnded(row);
      const accepted = acceptDraft({ ...draft, none_match: false }, catalogue);
      if (!accepted.draft || accepted.draft.functions.length === 0)
        throw new AppError('bad_request', `${accepted.dropped.join(' ')} weft api show ${buildId} --evidence names what was found.`);
      const picked = accepted.draft;
      durably(database.fast, () =>
        runs.create(runOf(row.id, row.asked, row.owner_id), (runId) => {
          store.pick(row.id, runId, picked, clock.now());
          return null;
        }),
      );
      return row.id;
    },
    async verify(buildId) {
      const row = requireRow(buildId);
      const verified: VerifiedFunction[] = [];
      for (const { name, certificate } of requireEnded(row).functions) {
        const { faults, ...said } = await verifyCertificate(certificate, async (sha256) => store.answer(row.id, sha256));
        verified.push({ name, ...said, faults: [...faults] });
      }
      return verified;
    },
    publish(buildId, { functions: wanted, slug, expose = true }) {
      const row = requireRow(buildId);
      const { functions } = requireEnded(row);
      const chosen = chooseFunctions(functions, wanted, buildId);
      const prefix = slug ?? hostSlug(row.asked.url);
      return durably(database.fast, () => {
        const made = chosen.map(({ name, workflow }) => {
          const saved = workflows.create({
            ...workflow,
            name: `${prefix} ${name}`,
            expose,
            ...(row.asked.persona_id === undefined ? {} : { persona_id: row.asked.persona_id }),
          });
          store.noteWorkflow(row.id, name, saved.id);
          return { name, workflow_id: saved.id, workflow_slug: saved.slug };
        });
        health.plan(row.id);
        return made;
      });
    },
  };
}

/** Throws AppError `not_found` for a name that there is not, `conflict` for what was not proved. */
function chooseFunctions(functions: BuildResult['functions'], wanted: readonly string[] | undefined, buildId: string) {
  if (wanted === undefined) {
    const proved = functions.filter(({ certificate }) => certificate.state === 'proved');
    if (proved.length > 0) return proved;
    throw new AppError('conflict', `Nothing of build ${buildId} was proved. To keep an unproved function all the same, name it.`);
  }
  return wanted.map((name) => {
    const found = functions.find((each) => each.name === name);
    if (!found)
      throw new AppError(
        'not_found',
        `There is no function "${name}"; there are ${functions.map((each) => each.name).join(', ') || 'none'}.`,
      );
    if (found.certificate.state === 'failed') throw new AppError('conflict', `"${name}" failed its proof: ${found.certificate.reason}`);
    return found;
  });
}

/** `shop` for `https://www.shop.example/`. */
function hostSlug(url: string): string {
  const { hostname, port } = new URL(url);
  const name = /^[\d.]+$|^\[/.test(hostname) ? `site-${port || 'local'}` : (hostname.replace(/^www\./, '').split('.')[0] ?? 'site');
  return name.slice(0, 40);
}
