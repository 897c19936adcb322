// Automations: what makes them act, and what they do (D39).
import { AppError, NewAutomation } from '@weft/contract';
import type { Automation, AutomationPatch, NewAutomation as AutomationBody, Trigger } from '@weft/contract';
import { misfit } from '@weft/engine';
import type { Clock, NamedThing } from '@weft/engine';
import { isAdmin, mergePatch, toInstant } from '@weft/serve';
import type { Actor } from '@weft/serve';
import { targetsInTexts } from '../auth/private-targets.ts';
import type { Runs } from '../runs/run.ts';
import { definitionOf, doesName, parseDefinition } from './definition.ts';
import type { AutomationDefinition, Nameable } from './definition.ts';
import type { Fire } from './firing.ts';
import type { Listening } from './listening.ts';
import { AUTOMATION_SOURCE } from './store.ts';
import type { AutomationFilter, AutomationRow, AutomationStore } from './store.ts';

export interface Automations {
  /** Newest first; all unless `limit` is given. */
  list(query: AutomationFilter & { readonly limit?: number | undefined; readonly offset?: number | undefined }): {
    readonly data: Automation[];
    readonly total: number;
  };
  /** Throws AppError `bad_request`, and `not_found` for what it names, with the place. */
  create(input: AutomationBody): Automation;
  /** Throws AppError `not_found`. */
  require(id: number): Automation;
  /** Throws as `create` does. */
  update(id: number, patch: AutomationPatch): Automation;
  /** The other way round where nothing is said. Throws AppError `not_found`, also for what is gone of what it names. */
  enable(id: number, enabled?: boolean): Automation;
  /** The ids of its live runs, which are cancelled. */
  delete(id: number): readonly number[];
  /** Sets it off by hand; the id of the run. Throws AppError `not_found`, `bad_request` for a payload that does not fit, `device_capacity`. */
  run(id: number, payload: unknown, actor: Actor): number;
  /** Switches those off that name what is being deleted, with the reason; part of that transaction. */
  disableNaming(kind: NamedThing['kind'], id: number): void;
}

export interface AutomationPorts {
  readonly store: AutomationStore;
  readonly listening: Listening;
  readonly fire: Fire;
  readonly runs: Pick<Runs, 'lastOf' | 'cancelOf'>;
  readonly clock: Clock;
  readonly nameable: Omit<Nameable, 'requireAutomation'>;
}

const NOUN = 'automation';
const WORDS: Readonly<Record<NamedThing['kind'], string>> = {
  monitor: 'Monitor',
  workflow: 'Workflow',
  crawl: 'Saved crawl',
  automation: 'Automation',
  channel: 'Channel',
};

export function createAutomations(ports: AutomationPorts): Automations {
  const { store, listening, runs, clock } = ports;
  const requireRow = (id: number): AutomationRow => {
    const row = store.find(id);
    if (!row) throw new AppError('not_found', `There is no automation ${id}.`);
    return row;
  };
  const nameable: Nameable = { ...ports.nameable, requireAutomation: requireRow };
  const sourceOf = (id: number) => ({ source_kind: AUTOMATION_SOURCE, source_id: id });
  const show = (row: AutomationRow): Automation => shown(row, ports);
  const save = (row: AutomationRow, body: AutomationBody): Automation => {
    const { name, enabled: isEnabled = true } = body;
    const definition = JSON.stringify(definitionOf(body, nameable));
    const enabled = isEnabled ? 1 : 0;
    // Who switched it off by hand needs no reason; one that the agent gave stands until it is on again.
    const reason = isEnabled ? null : row.disabled_reason;
    store.update(row.id, { name, definition, enabled, disabled_reason: reason, updated_at: clock.now() }, () => {
      // A new name does not make a state begin anew that has held for a while.
      if (definition !== row.definition || enabled !== row.enabled) listening.listen(requireRow(row.id));
    });
    return show(requireRow(row.id));
  };
  const disableNaming: Automations['disableNaming'] = (kind, id) => {
    for (const row of store.list({}, -1, 0)) {
      if (row.id === id && kind === 'automation') continue;
      if (!doesName(row, kind, id)) continue;
      const reason = `${WORDS[kind]} ${id}, which it names, was deleted.`;
      store.update(row.id, { ...row, enabled: 0, disabled_reason: reason, updated_at: clock.now() }, () => listening.end(row.id));
    }
  };
  return {
    list: ({ limit, offset = 0, ...filter }) => ({ data: store.list(filter, limit ?? -1, offset).map(show), total: store.count(filter) }),
    create(input) {
      const { name, enabled = true } = input;
      const nowMs = clock.now();
      const definition = JSON.stringify(definitionOf(input, nameable));
      const row = { name, definition, enabled: enabled ? 1 : 0, disabled_reason: null, created_at: nowMs, updated_at: nowMs } as const;
      return show(requireRow(store.insert(row, (id) => listening.listen(requireRow(id)))));
    },
    require: (id) => show(requireRow(id)),
    update(id, patch) {
      const row = requireRow(id);
      return save(row, mergePatch(bodyOf(row), patch, NewAutomation, NOUN));
    },
    enable(id, enabled) {
      const row = requireRow(id);
      return save(row, { ...bodyOf(row), enabled: enabled ?? row.enabled === 0 });
    },
    delete(id) {
      requireRow(id);
      let live: readonly number[] = [];
      store.delete(id, () => {
        live = runs.cancelOf(sourceOf(id));
        listening.end(id);
        disableNaming('automation', id);
      });
      return live;
    },
    run(id, payload, actor) {
      const row = requireRow(id);
      requireFit(payload, parseDefinition(row));
      const data = { type: 'call', summary: 'It was called.', ...(payload === undefined ? {} : { payload }) } as const;
      const privateTargets = isAdmin(actor) ? targetsInTexts(payload) : [];
      return ports.fire(row, { data, made: 'call', ownerId: actor.id, depth: 1, privateTargets });
    },
    disableNaming,
  };
}

/** Throws AppError `bad_request` that names what does not fit. */
function requireFit(payload: unknown, { triggers }: AutomationDefinition): void {
  const schemas = triggers.flatMap((trigger: Trigger) => (trigger.type === 'call' && trigger.payload ? [trigger.payload] : []));
  const faults = schemas.map((schema) => misfit(payload, schema, 'payload'));
  const [first] = faults;
  if (first !== undefined && faults.every((fault) => fault !== undefined)) throw new AppError('bad_request', `${first}.`);
}

function bodyOf(row: AutomationRow): AutomationBody {
  return { name: row.name, enabled: row.enabled === 1, ...parseDefinition(row) };
}

function shown(row: AutomationRow, { listening, runs }: AutomationPorts): Automation {
  const { mode = 'single', ...definition } = parseDefinition(row);
  const last = runs.lastOf({ source_kind: AUTOMATION_SOURCE, source_id: row.id });
  const nextMs = listening.nextMs(row.id);
  return {
    id: row.id,
    name: row.name,
    enabled: row.enabled === 1,
    ...definition,
    mode,
    ...(row.disabled_reason === null ? {} : { disabled_reason: row.disabled_reason }),
    ...(last ? { last_run: last } : {}),
    ...(nextMs === undefined ? {} : { next_run_at: toInstant(nextMs) }),
    created_at: toInstant(row.created_at),
    updated_at: toInstant(row.updated_at),
  };
}
