// Runs of workflows: made of a revision and its inputs, for somebody (D31, D33).
import { AppError } from '@weft/contract';
import { allSteps } from '@weft/engine';
import type { WorkflowDefinition } from '@weft/engine';
import { isAdmin } from '@weft/serve';
import type { Actor } from '@weft/serve';
import type { Runs } from '../runs/run.ts';
import type { Vault } from '../vault/vault.ts';
import { parseDefinition } from './definition.ts';
import { privateTargetsOf, settleInputs } from './inputs.ts';
import { requireOpenVault } from './reveal.ts';
import { WORKFLOW_SOURCE } from './store.ts';
import type { WorkflowRow, WorkflowStore } from './store.ts';

export interface WorkflowRuns {
  /** Throws AppError `vault_locked` where its runs need the vault, and it is locked (D33). */
  requireOpen(ref: string): void;
  /** Makes a run; its id. Throws AppError `bad_request` for inputs that do not fit and for a window without a screen, `device_capacity`. */
  run(ref: string, order: RunOrder, actor: RunActor): number;
  /** The newest live run, of those that the actor may cancel; else the newest settled one. Throws AppError `not_found` where there is none. */
  newestRun(id: number, actor: Actor): number;
}

/** What a run is made of. */
export interface RunOrder {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly dry?: DryRun | undefined;
  /** True where its browser has a window on the screen. */
  readonly isHeaded?: boolean | undefined;
  readonly made?: Pick<Parameters<Runs['create']>[0], 'trigger' | 'parent_id'>;
}

/** A run that ends after one step, and keeps no rows. */
export interface DryRun {
  readonly until: string;
  /** By the id of a step what it gives instead of being executed. */
  readonly pins: Readonly<Record<string, unknown>>;
}

/** For whom a run is made, and whether they may name private addresses (D31). */
export interface RunActor {
  readonly id: string;
  /** All that its inputs name, or only these, as `host:port`. */
  readonly mayName: 'all' | readonly string[];
}

export function runActor(actor: Actor): RunActor {
  return { id: actor.id, mayName: isAdmin(actor) ? 'all' : [] };
}

interface WorkflowRunPorts {
  readonly store: WorkflowStore;
  readonly runs: Runs;
  readonly vault: Pick<Vault, 'require'>;
  /** True where windows can be shown. */
  readonly hasScreen: boolean;
}

/** What the runs of a workflow are of. */
export const sourceOf = (id: number) => ({ source_kind: WORKFLOW_SOURCE, source_id: id });

/** `requireRow` finds a workflow by id or slug, or throws AppError `not_found`. */
export function createWorkflowRuns(
  { store, runs, vault, hasScreen }: WorkflowRunPorts,
  requireRow: (ref: string) => WorkflowRow,
): WorkflowRuns {
  return {
    requireOpen: (ref) => requireOpenVault(parseDefinition(requireRow(ref).definition), vault),
    run(ref, { inputs, dry, isHeaded = false, made }, actor) {
      const row = requireRow(ref);
      const definition = parseDefinition(row.definition);
      requireOpenVault(definition, vault);
      if (dry) requireSteps(definition, dry);
      if (isHeaded && !hasScreen)
        throw new AppError('bad_request', 'A run with a window ("headed") needs a screen, and this machine has none. Run it without.');
      const settled = settleInputs(definition, inputs);
      const targets = privateTargetsOf(definition, settled, actor.mayName);
      const lane = isHeaded ? 'browser' : definition.lane === 'http' || definition.lane === 'browser' ? definition.lane : null;
      const run = {
        kind: 'workflow',
        ...sourceOf(row.id),
        source_name: row.name,
        owner_id: actor.id,
        revision: row.revision,
        lane,
        ...made,
      } as const;
      const write = (id: number) => {
        store.insertRun({
          run_id: id,
          definition: row.definition,
          inputs: JSON.stringify(settled),
          private_targets: JSON.stringify(targets),
          dry: dry ? JSON.stringify(dry) : null,
          is_headed: isHeaded ? 1 : 0,
        });
        return dry ? null : row.dataset_id;
      };
      return runs.create({ ...run, persona_id: definition.persona_id ?? null }, write).id;
    },
    newestRun(id, actor) {
      requireRow(String(id));
      const ownerId = isAdmin(actor) ? undefined : actor.id;
      const found = store.newestLiveRun(id, ownerId) ?? store.newestRun(id, ownerId);
      if (found === undefined) throw new AppError('not_found', `Workflow ${id} has no run to cancel.`);
      return found;
    },
  };
}

/** Throws AppError `bad_request` for a step that there is not. */
function requireSteps({ steps, finally: last = [] }: WorkflowDefinition, { until, pins }: DryRun): void {
  const ids = new Set(allSteps([...steps, ...last]).map(({ id }) => id));
  const unknown = [until, ...Object.keys(pins)].find((id) => !ids.has(id));
  if (unknown !== undefined)
    throw new AppError('bad_request', `There is no step "${unknown}"; there are ${[...ids].join(', ').slice(0, 500)}.`);
}
