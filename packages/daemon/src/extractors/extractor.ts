// Extractors of selectors.
import { AppError, ExtractorSpec } from '@weft/contract';
import type { Extractor, ExtractorPatch, ExtractorSpec as ExtractorBody, NewExtractor } from '@weft/contract';
import { readingOfExtractor } from '@weft/engine';
import type { Clock, ExtractorDefinition } from '@weft/engine';
import { mergePatch, toInstant } from '@weft/serve';
import { requireExtractor } from '../monitors/definition.ts';
import type { SelectorRow, SelectorStore } from '../selectors/definition.ts';
import { parseExtractorRow } from './definition.ts';
import type { ExtractorRow, ExtractorStore } from './store.ts';

export type { ExtractorStore } from './store.ts';

export interface Extractors {
  /** In the order in which they were added. */
  ofSelector(selectorId: number): Extractor[];
  /** The same. Throws AppError `not_found` where there is no such selector. */
  list(selectorId: number): Extractor[];
  /** Checks the body of an extractor; what adds it to a selector, in a transaction of the caller. Throws AppError `bad_request`. */
  prepare(input: ExtractorBody, where: string): (selectorId: number) => number;
  /** The id of the new one. Throws AppError `bad_request`, `not_found`. */
  create(input: NewExtractor): number;
  /** Throws AppError `not_found`. */
  require(id: number): Extractor;
  requireRow(id: number): ExtractorRow;
  /** Throws AppError `not_found`, `bad_request`. */
  update(id: number, patch: ExtractorPatch): Extractor;
  toggle(id: number): Extractor;
  delete(id: number): void;
}

export interface ExtractorNounPorts {
  readonly store: ExtractorStore;
  readonly selectors: SelectorStore;
  readonly clock: Clock;
}

export function createExtractors({ store, selectors, clock }: ExtractorNounPorts): Extractors {
  const requireSelectorRow = (id: number): SelectorRow => {
    const row = selectors.find(id);
    if (!row) throw new AppError('not_found', `There is no selector ${id}.`);
    return row;
  };
  const requireRow = (id: number): ExtractorRow => {
    const row = store.find(id);
    if (!row) throw new AppError('not_found', `There is no extractor ${id}.`);
    return row;
  };
  const show = (row: ExtractorRow): Extractor => shown(row, requireSelectorRow(row.selector_id));
  const ofSelector = (selectorId: number) => store.ofSelector(selectorId).map(show);
  const prepare: Extractors['prepare'] = (input, where) => {
    const { active = true, ...definition } = input;
    requireExtractor(input, where);
    return (selectorId) => {
      const nowMs = clock.now();
      return store.insert({
        selector_id: selectorId,
        definition: JSON.stringify(definition),
        active: active ? 1 : 0,
        created_at: nowMs,
        updated_at: nowMs,
      });
    };
  };
  const save = (row: ExtractorRow, definition: ExtractorDefinition, active: boolean): Extractor => {
    requireExtractor(definition, '');
    const readsElse = readingOfExtractor(parseExtractorRow(row)) !== readingOfExtractor(definition);
    store.update(row.id, { definition: JSON.stringify(definition), active: active ? 1 : 0, updated_at: clock.now() }, () => {
      if (readsElse) selectors.forgetValue(row.selector_id, row.id);
    });
    return show(requireRow(row.id));
  };
  return {
    ofSelector,
    list(selectorId) {
      requireSelectorRow(selectorId);
      return ofSelector(selectorId);
    },
    prepare,
    create({ selector_id: selectorId, ...input }) {
      requireSelectorRow(selectorId);
      const add = prepare(input, '');
      return selectors.inTransaction(() => add(selectorId));
    },
    require: (id) => show(requireRow(id)),
    requireRow,
    update(id, patch) {
      const row = requireRow(id);
      const current: ExtractorBody = { ...parseExtractorRow(row), active: row.active === 1 };
      const { active = true, ...definition } = mergePatch(current, patch, ExtractorSpec, 'extractor');
      return save(row, definition, active);
    },
    toggle(id) {
      const row = requireRow(id);
      return save(row, parseExtractorRow(row), row.active === 0);
    },
    delete(id) {
      const { selector_id: selectorId } = requireRow(id);
      store.delete(id, () => selectors.forgetValue(selectorId, id));
    },
  };
}

function shown(row: ExtractorRow, selector: SelectorRow): Extractor {
  const definition = parseExtractorRow(row);
  return {
    id: row.id,
    selector_id: row.selector_id,
    monitor_id: selector.monitor_id,
    ...definition,
    name: definition.name ?? definition.type,
    active: row.active === 1,
    created_at: toInstant(row.created_at),
    updated_at: toInstant(row.updated_at),
  };
}
