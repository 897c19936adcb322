// Executes crawl runs on the rows of the agent. Every write of a page is one transaction.
import { isSettled } from '@weft/contract';
import type { RunFailure, Send } from '@weft/contract';
import { cookiesOf, toldPersona, workCrawl } from '@weft/engine';
import type { Acting, ActingValues, AskingPorts, CookieStore, KeptPage, StoredCrawlOptions } from '@weft/engine';
import { createCookieStore } from '@weft/engine/io';
import type { ViewPool } from '@weft/engine/io';
import type { DatasetTidy } from '../datasets/tidy.ts';
import type { DatasetWriter } from '../datasets/writer.ts';
import type { Database } from '../db/open.ts';
import type { Files } from '../files/file.ts';
import { actingOf } from '../personas/persona.ts';
import type { Personas } from '../personas/persona.ts';
import { SHARED } from '../personas/profile.ts';
import type { Profiles } from '../personas/profile.ts';
import type { Vault } from '../vault/vault.ts';
import { failureOf } from '../runs/executor.ts';
import type { RunWork } from '../runs/executor.ts';
import type { RunRow, Runs } from '../runs/run.ts';
import type { CopyStore } from './copy-store.ts';
import { DEFINITION_SOURCE } from './definition-store.ts';
import { openFrontier } from './frontier.ts';
import { patientStore } from './patient-store.ts';
import { keepRunFile } from './run-files.ts';
import type { SentValues } from './sent.ts';
import type { CrawlStore } from './store.ts';

/** What the runs of crawls need from the rest of the agent; what asks hosts is shared by everything that does (D32). */
export interface CrawlRunPorts extends AskingPorts {
  readonly database: Database;
  readonly store: CrawlStore;
  readonly datasets: DatasetWriter;
  readonly tidy: Pick<DatasetTidy, 'deleteIfEmpty'>;
  readonly sent: Pick<SentValues, 'of' | 'forget'>;
  readonly copies: CopyStore;
  /** Where pictures of pages go. */
  readonly files: Pick<Files, 'keepOfRun'>;
  readonly runs: Runs;
  readonly views: ViewPool;
  readonly personas: Pick<Personas, 'require' | 'allValues'>;
  readonly profiles: Pick<Profiles, 'read'>;
  readonly vault: Pick<Vault, 'require'>;
  /** For what the run itself can't carry. */
  logError(message: string, error: unknown): void;
}

/** Executes crawl runs; one that a dead process left behind goes on where it was. */
export function crawlWork(ports: CrawlRunPorts): RunWork {
  const { database, runs, clock, copies, files, logError } = ports;
  return async (run, signal, turn) => {
    const row = ports.store.find(run.id);
    if (!row) throw new Error(`Run ${run.id} has no crawl.`);
    const options = JSON.parse(row.options) as StoredCrawlOptions;
    const send = ports.sent.of(run.id);
    const frontier = openFrontier<KeptPage>(database, run.id, (pages) => keep(run, pages, ports));
    const onHeld = (error: unknown) => logError(`crawl ${run.id} waits: it can't be written`, error);
    const work = {
      ...ports,
      // Somebody waits for a single page, and is told at once why it can't be kept.
      store: options.limit === 1 ? frontier : patientStore(frontier, { clock, onHeld }, signal),
      // What was sent may have shaped the page: it is no other's copy.
      copies: isLookedFor(run, options) && !send ? copies : undefined,
      send,
      keepFile: (file: Parameters<typeof keepRunFile>[0], url: string) => keepRunFile(file, url, run.id, files),
      ...actingFor(run, options, send, ports),
      place: turn,
      tell: async (event: Parameters<Runs['append']>[1]) => runs.append(run.id, event),
      failureOf,
    };
    try {
      if (options.sends === true && !send) return LOST;
      const failure = await workCrawl(options, work, signal);
      if (!failure || run.persona_id === null) return failure;
      return { ...failure, message: toldPersona(failure.message, run.persona_id, options.url) };
    } finally {
      ports.sent.forget(run.id);
      if (!signal.aborted || isSettled(runs.require(run.id).status))
        ports.tidy.deleteIfEmpty({ kind: 'crawl', id: run.id }, run.dataset_id ?? 0);
      // A crawl that its user cancelled, or whose time was over, ends here; one that was stopped with the agent goes on at the next start.
      const { status, failure } = runs.require(run.id);
      if (signal.aborted && isSettled(status))
        await frontier.closePending(
          failure?.code === 'timeout' ? { reason: 'timeout', rule: failure.message } : { reason: 'cancelled', rule: undefined },
        );
    }
  };
}

const LOST: RunFailure = {
  code: 'interrupted',
  message: 'The agent was restarted, and what this run sends was in its memory alone. Start it again.',
};

/** By which proxy the run goes out, or how as its persona, with the cookies of its session. Throws AppError `vault_locked`. */
function actingFor(
  run: RunRow,
  { proxy, url }: StoredCrawlOptions,
  send: Send | undefined,
  { personas, profiles, vault, runs }: CrawlRunPorts,
): { readonly acting: Acting; readonly actingValues: ActingValues; readonly cookies: CookieStore } {
  const { id, persona_id: personaId, source_name: name } = run;
  if (personaId === null)
    return { acting: { proxy }, actingValues: { secrets: [], names: [] }, cookies: createCookieStore(send ? cookiesOf(send, url) : []) };
  vault.require({ kind: 'crawl', id, name });
  const session = profiles.read(personaId, SHARED);
  if (!session)
    runs.append(id, {
      type: 'log',
      level: 'warn',
      message: `Persona ${personaId} has no session, so nobody is logged in: \`weft persona login\` makes one, and \`weft persona import\` takes one.`,
    });
  const acting = actingOf(personas.require(personaId));
  return {
    acting: proxy === undefined ? acting : { ...acting, proxy },
    actingValues: personas.allValues(personaId),
    cookies: createCookieStore(session?.state.cookies),
  };
}

/** Copies are kept for saved crawls and where the options say for how long a page may be reused; other crawls would never read them. */
function isLookedFor(run: RunRow, options: StoredCrawlOptions): boolean {
  return options.page_max_age !== undefined || run.source_kind === DEFINITION_SOURCE;
}

/** Part of the frontier's own transaction. */
function keep(run: RunRow, pages: readonly KeptPage[], { datasets, copies, runs, clock }: CrawlRunPorts): void {
  const nowMs = clock.now();
  const records = pages.map(({ record }) => ({ run_id: run.id, key: record.url, created_at: nowMs, body: record }));
  const ids = datasets.addRecords(run.dataset_id ?? 0, records);
  pages.forEach(({ copy }, i) => copy && copies.write(copy, ids[i] ?? 0));
  runs.addRows(run.id, pages.length);
}
