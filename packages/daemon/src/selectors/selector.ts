// Selectors of monitors, with their extractors.
import { AppError, SelectorSpec } from '@weft/contract';
import type { Selector, SelectorPatch, SelectorSpec as SelectorBody } from '@weft/contract';
import { MISSING_AFTER, selectorName, shownBaseline, shownProposal } from '@weft/engine';
import type { Clock, KeptBaseline, KeptProposal, KnownTarget, SelectorDefinition } from '@weft/engine';
import { mergePatch, toInstant } from '@weft/serve';
import type { Extractors } from '../extractors/extractor.ts';
import { requireSelector } from '../monitors/definition.ts';
import { parseBaseline, parseKnown, parseProposal, parseSelectorRow } from './definition.ts';
import type { SelectorRow, SelectorStore } from './store.ts';

export interface Selectors {
  /** In the order in which they were added. */
  ofMonitor(monitorId: number): Selector[];
  /** Checks the body of a selector; what adds it to a monitor, in a transaction of the caller. Throws AppError `bad_request`. */
  prepare(input: SelectorBody): (monitorId: number) => number;
  /** The id of the new one. Throws AppError `bad_request`; the monitor is there. */
  create(monitorId: number, input: SelectorBody): number;
  /** Throws AppError `not_found`, for one of another monitor too (D7). */
  require(monitorId: number, id: number): Selector;
  requireRow(monitorId: number, id: number): SelectorRow;
  /** Throws AppError `not_found`, `bad_request`. */
  update(monitorId: number, id: number, patch: SelectorPatch): Selector;
  toggle(monitorId: number, id: number): Selector;
  delete(monitorId: number, id: number): void;
  setBaseline(monitorId: number, id: number, baseline: KeptBaseline | undefined): Selector;
  /** Takes a proposed repair over: what it found before is compared with what it finds now. Throws AppError `conflict` where there is none. */
  acceptProposal(monitorId: number, id: number): Selector;
  /** Refuses it for good. Throws AppError `conflict` where there is none. */
  dismissProposal(monitorId: number, id: number): Selector;
}

export interface SelectorNounPorts {
  readonly store: SelectorStore;
  readonly extractors: Extractors;
  readonly clock: Clock;
}

const NOUN = 'selector';
const NOT_KNOWN: KnownTarget = { missing: 0, steady: 0 };

export function createSelectors({ store, extractors, clock }: SelectorNounPorts): Selectors {
  const requireRow = (monitorId: number, id: number): SelectorRow => {
    const row = store.find(id);
    if (!row || row.monitor_id !== monitorId) throw new AppError('not_found', `Monitor ${monitorId} has no selector ${id}.`);
    return row;
  };
  const show = (row: SelectorRow): Selector => shown(row, extractors);
  const prepare: Selectors['prepare'] = (input) => {
    const { extractors: specs = [], active = true, ...definition } = input;
    requireSelector(definition.selector, 'selector');
    const adders = specs.map((spec, i) => extractors.prepare(spec, `extractors[${i}].`));
    return (monitorId) => {
      const nowMs = clock.now();
      const times = { created_at: nowMs, updated_at: nowMs };
      const id = store.insert({ monitor_id: monitorId, definition: JSON.stringify(definition), active: active ? 1 : 0, ...times });
      for (const add of adders) add(id);
      return id;
    };
  };
  const save = (row: SelectorRow, definition: SelectorDefinition, active: boolean): Selector => {
    requireSelector(definition.selector, 'selector');
    const before = parseSelectorRow(row);
    const looksElsewhere = JSON.stringify([before.selector, before.many]) !== JSON.stringify([definition.selector, definition.many]);
    store.update(row.id, { definition: JSON.stringify(definition), active: active ? 1 : 0, updated_at: clock.now() }, looksElsewhere);
    return show(requireRow(row.monitor_id, row.id));
  };
  return {
    ofMonitor: (monitorId) => store.ofMonitor(monitorId).map(show),
    prepare,
    create(monitorId, input) {
      const add = prepare(input);
      return store.inTransaction(() => add(monitorId));
    },
    require: (monitorId, id) => show(requireRow(monitorId, id)),
    requireRow,
    update(monitorId, id, patch) {
      const row = requireRow(monitorId, id);
      const current: SelectorBody = { ...parseSelectorRow(row), active: row.active === 1 };
      const { active = true, extractors: _extractors, ...definition } = mergePatch(current, patch, SelectorSpec, NOUN);
      return save(row, definition, active);
    },
    toggle(monitorId, id) {
      const row = requireRow(monitorId, id);
      return save(row, parseSelectorRow(row), row.active === 0);
    },
    delete(monitorId, id) {
      requireRow(monitorId, id);
      store.delete(id);
    },
    setBaseline(monitorId, id, baseline) {
      requireRow(monitorId, id);
      store.setBaseline(id, baseline ? JSON.stringify(baseline) : null, clock.now());
      return show(requireRow(monitorId, id));
    },
    acceptProposal(monitorId, id) {
      const row = requireRow(monitorId, id);
      const definition = { ...parseSelectorRow(row), selector: requireProposal(row).selector };
      store.inTransaction(() => store.heal(id, JSON.stringify(definition)));
      return show(requireRow(monitorId, id));
    },
    dismissProposal(monitorId, id) {
      const row = requireRow(monitorId, id);
      const { selector } = requireProposal(row);
      const { proposed: _proposed, dismissed = [], ...known } = parseKnown(row) ?? NOT_KNOWN;
      store.dismiss(id, JSON.stringify({ ...known, dismissed: [...dismissed, selector] } satisfies KnownTarget));
      return show(requireRow(monitorId, id));
    },
  };
}

function requireProposal(row: SelectorRow): KeptProposal {
  const proposal = parseProposal(row);
  if (!proposal) throw new AppError('conflict', `Selector ${row.id} has no proposed repair; its test shows what is near.`);
  return proposal;
}

function shown(row: SelectorRow, extractors: Pick<Extractors, 'ofSelector'>): Selector {
  const definition = parseSelectorRow(row);
  const { allow_missing = false, auto_heal = false, many = false, missing_after = MISSING_AFTER, selector } = definition;
  const baseline = parseBaseline(row);
  const known = parseKnown(row);
  const proposal = parseProposal(row);
  return {
    id: row.id,
    monitor_id: row.monitor_id,
    selector,
    name: selectorName(definition),
    active: row.active === 1,
    many,
    allow_missing,
    missing_after,
    auto_heal,
    extractors: extractors.ofSelector(row.id),
    ...(baseline ? { baseline: shownBaseline(baseline) } : {}),
    ...(proposal ? { proposal: shownProposal(proposal, known, row.updated_at) } : {}),
    missing: known?.missing ?? 0,
    created_at: toInstant(row.created_at),
    updated_at: toInstant(row.updated_at),
  };
}
