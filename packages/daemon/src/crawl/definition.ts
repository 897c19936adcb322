// Saved crawls: options with a name, one dataset for everything that their runs collect, and reuse of recent runs (D5, D7, D29).
import { LIMITS, NewCrawlDefinition } from '@weft/contract';
import type { CrawlDefinition, CrawlDefinitionPatch, CrawlOptions } from '@weft/contract';
import type { Clock, StoredCrawlOptions } from '@weft/engine';
import { mergePatch, seesAllRuns } from '@weft/serve';
import type { Actor } from '@weft/serve';
import { privateTargetsOf } from '../auth/private-targets.ts';
import type { DataSlice, DatasetWriter } from '../datasets/writer.ts';
import type { NewRun, Runs } from '../runs/run.ts';
import { freeSlug, requireByRef, requireFreeSlug } from '../saved/ref.ts';
import { isWithin, toInstant } from '@weft/serve';
import type { Crawls } from './crawl.ts';
import { sliceFrom } from './cursor.ts';
import type { CursorQuery } from './cursor.ts';
import { checkOptions, optionsText } from './options.ts';
import { DEFINITION_SOURCE } from './definition-store.ts';
import type { DefinitionRow, DefinitionStore } from './definition-store.ts';

export interface CrawlDefinitions {
  list(page: { readonly limit?: number | undefined; readonly offset?: number | undefined }): {
    readonly data: CrawlDefinition[];
    readonly total: number;
  };
  /** Throws AppError `conflict` when the slug is taken. */
  create(input: NewCrawlDefinition): CrawlDefinition;
  /** All methods that take a ref throw AppError `not_found`. */
  require(ref: string): CrawlDefinition;
  /** Merges the patch into the saved crawl (RFC 7396). Throws AppError `conflict`, `bad_request` when what results is no crawl. */
  update(ref: string, patch: CrawlDefinitionPatch): CrawlDefinition;
  /** Cancels what runs and keeps what was collected; the ids of the runs that were live. */
  delete(ref: string): readonly number[];
  /** Id of a new run, or of an earlier one that is at most `maxAgeSeconds` old. Throws AppError `device_capacity`. */
  run(ref: string, maxAgeSeconds: number | undefined, actor: Actor): { readonly id: number; readonly isReused: boolean };
  /** The same for an automation, which `made` names; the id of a new run. */
  runFor(ref: string, ownerId: string, made: Pick<NewRun, 'trigger' | 'parent_id'>): number;
  /** The newest record of each page. Throws AppError `bad_request` for a bad cursor. */
  data(ref: string, query: CursorQuery): DataSlice;
}

export interface DefinitionPorts {
  readonly store: DefinitionStore;
  readonly crawls: Crawls;
  readonly datasets: DatasetWriter;
  readonly clock: Clock;
  readonly runs: Pick<Runs, 'lastOf' | 'cancelOf'>;
  /** Part of the transaction that deletes one. */
  readonly deleted: (id: number) => void;
}

const NOUN = 'saved crawl';

export function createCrawlDefinitions(ports: DefinitionPorts): CrawlDefinitions {
  const { store, crawls, datasets, clock } = ports;
  const sourceOf = (id: number) => ({ source_kind: DEFINITION_SOURCE, source_id: id });
  const requireRow = (ref: string): DefinitionRow => requireByRef(ref, store, NOUN);
  const show = (row: DefinitionRow): CrawlDefinition => {
    const last = ports.runs.lastOf(sourceOf(row.id));
    return {
      id: row.id,
      slug: row.slug,
      name: row.name,
      ...optionsOf(row),
      dataset_id: row.dataset_id,
      ...(last ? { last_run: last } : {}),
      created_at: toInstant(row.created_at),
      updated_at: toInstant(row.updated_at),
    };
  };

  return {
    list: (page) => ({
      data: store.list(page.limit ?? LIMITS.listLimitDefault, page.offset ?? 0).map(show),
      total: store.count(),
    }),
    create(input) {
      const { slug, name = nameOf(input.url), ...options } = input;
      checkOptions(options);
      const nowMs = clock.now();
      const row = {
        slug: slug === undefined ? freeSlug(name, store, 'crawl') : requireFreeSlug(slug, store, NOUN),
        name,
        options: optionsText(options),
        created_at: nowMs,
        updated_at: nowMs,
      };
      return show(requireRow(String(store.insert(row, (id) => datasets.ensure({ kind: DEFINITION_SOURCE, id }, name, nowMs)))));
    },
    require: (ref) => show(requireRow(ref)),
    update(ref, patch) {
      const row = requireRow(ref);
      const current: NewCrawlDefinition = { slug: row.slug, name: row.name, ...optionsOf(row) };
      const { slug = row.slug, name = row.name, ...options } = mergePatch(current, patch, NewCrawlDefinition, NOUN);
      checkOptions(options);
      if (slug !== row.slug) requireFreeSlug(slug, store, NOUN);
      store.update(row.id, { slug, name, options: optionsText(options), updated_at: clock.now() });
      return show(requireRow(String(row.id)));
    },
    delete(ref) {
      const { id } = requireRow(ref);
      let live: readonly number[] = [];
      store.delete(id, () => {
        live = ports.runs.cancelOf(sourceOf(id));
        ports.deleted(id);
      });
      return live;
    },
    run(ref, maxAgeSeconds, actor) {
      const row = requireRow(ref);
      const options = storedOptions(row);
      // Who may read only runs of their own is answered with no other (D15).
      const ownerId = seesAllRuns(actor) ? undefined : actor.id;
      const last = maxAgeSeconds === undefined ? undefined : store.lastSuccess(row.id, optionsText(options), ownerId);
      if (last && isWithin(last.finished_at ?? 0, (maxAgeSeconds ?? 0) * 1000, clock.now())) return { id: last.id, isReused: true };
      return { id: crawls.dispatch(options, { ...sourceOf(row.id), source_name: row.name }, () => row.dataset_id, actor), isReused: false };
    },
    runFor(ref, ownerId, made) {
      const row = requireRow(ref);
      return crawls.dispatch(storedOptions(row), { ...sourceOf(row.id), source_name: row.name, ...made }, () => row.dataset_id, {
        id: ownerId,
      });
    },
    data(ref, query) {
      const { dataset_id } = requireRow(ref);
      return datasets.newestData(dataset_id, sliceFrom(query));
    },
  };
}

/** What a saved crawl may reach was decided by who saved it: its own address, even a private one (D31). */
function storedOptions(row: DefinitionRow): StoredCrawlOptions {
  const options = optionsOf(row);
  return { ...options, private_targets: privateTargetsOf(options.url, 'saved') };
}

function optionsOf(row: DefinitionRow): CrawlOptions {
  return JSON.parse(row.options) as CrawlOptions;
}

function nameOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname === '/' ? '' : pathname}`.slice(0, 200);
}
