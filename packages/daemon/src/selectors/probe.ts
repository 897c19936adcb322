// Looks with one selector or extractor at the live page: to see what it finds, or to record a baseline of it.
import { AppError } from '@weft/contract';
import type { ExtractorTest, Selector, SelectorTest, TestSelector } from '@weft/contract';
import { PageError, baselineValues, probeTarget, valueKey } from '@weft/engine';
import type { CheckPorts, CheckSubject, KeptBaseline, Probe, ProbeOptions, ValueReading } from '@weft/engine';
import { isNoBrowser } from '@weft/engine/io';
import type { Extractors } from '../extractors/extractor.ts';
import type { Files } from '../files/file.ts';
import type { AgentCheckStore } from '../monitors/checks.ts';
import type { Monitors } from '../monitors/monitor.ts';
import { parseBaseline } from './definition.ts';
import type { Selectors } from './selector.ts';
import type { SelectorRow } from './store.ts';

export interface Prober {
  /**
   * Throws AppError `not_found`, `captcha_required`, `vault_locked`; with a picture also `bad_request` for what is not asked for by an address
   * alone, and `device_capacity` without a browser. What is wrong with the page is an answer.
   */
  test(monitorId: number, selectorId: number, asked: TestSelector, ownerId: string, signal: AbortSignal): Promise<SelectorTest>;
  testExtractor(extractorId: number, ownerId: string, signal: AbortSignal): Promise<ExtractorTest>;
  /** Throws AppError `conflict` where the page gives none; the one before stays. */
  setBaseline(monitorId: number, selectorId: number, ownerId: string, signal: AbortSignal): Promise<Selector>;
}

export interface ProbePorts {
  readonly selectors: Selectors;
  readonly extractors: Extractors;
  readonly monitors: Pick<Monitors, 'requireOpen'>;
  readonly store: Pick<AgentCheckStore, 'subjectFor'>;
  readonly files: Pick<Files, 'keepOfSelector'>;
  /** What the checks of whoever looks go by. */
  readonly checkPorts: (ownerId: string) => CheckPorts;
  readonly now: () => number;
}

/** How the values of a baseline look to the value that is read now. */
interface Compared {
  readonly baseline?: unknown;
  readonly differs_from_baseline?: boolean;
}

export function createProber(ports: ProbePorts): Prober {
  const { selectors, extractors } = ports;
  const look = async (row: SelectorRow, how: ProbeOptions, ownerId: string, signal: AbortSignal): Promise<Probe | PageError> => {
    ports.monitors.requireOpen(row.monitor_id);
    const subject = ports.store.subjectFor(row.monitor_id, row.id);
    if (!subject) throw new AppError('not_found', `There is no monitor ${row.monitor_id}.`);
    if (how.withPicture === true) requireAddress(subject);
    try {
      const probe = await probeTarget(subject, row.id, how, ports.checkPorts(ownerId), signal);
      const { standsBefore } = probe.reading;
      if (standsBefore?.code === 'captcha') throw captcha(standsBefore.message);
      return probe;
    } catch (error) {
      if (!(error instanceof PageError) || error.code === 'aborted' || error.code === 'internal') throw error;
      if (error.code === 'captcha') throw captcha(error.message);
      if (how.withPicture === true && isNoBrowser(error)) throw new AppError('device_capacity', error.message);
      return error;
    }
  };
  return {
    async test(monitorId, selectorId, { screenshot: withPicture = false }, ownerId, signal) {
      const row = selectors.requireRow(monitorId, selectorId);
      const came = await look(row, { withPicture }, ownerId, signal);
      if (came instanceof PageError) return failedTest(came);
      const test = testOf(came, parseBaseline(row));
      return withPicture ? { ...test, screenshot: await keepPicture(came, row, ports) } : test;
    },
    async testExtractor(extractorId, ownerId, signal) {
      const { selector_id: selectorId, monitor_id: monitorId } = extractors.require(extractorId);
      const row = selectors.requireRow(monitorId, selectorId);
      const came = await look(row, {}, ownerId, signal);
      if (came instanceof PageError)
        return { extractor_id: extractorId, ...placeOf(came), matches: 0, problem: came.message, timing_ms: NO_TIME };
      const { page, reading, target } = came;
      const value = target.values.find(({ extractorId: id }) => id === extractorId);
      return {
        extractor_id: extractorId,
        url: page.source.url,
        status: page.status,
        matches: target.matches,
        ...(value ? shownValue(value) : { problem: 'It is not active, and so is not read.' }),
        ...(reading.standsBefore ? { problem: reading.standsBefore.message } : {}),
        ...(value ? compare(value, parseBaseline(row)) : {}),
        timing_ms: { fetch: came.fetchMs, read: came.readMs },
      };
    },
    async setBaseline(monitorId, selectorId, ownerId, signal) {
      const row = selectors.requireRow(monitorId, selectorId);
      const came = await look(row, { isAnew: true }, ownerId, signal);
      if (came instanceof PageError)
        throw new AppError('conflict', `The page gives no baseline, and the one before stays: ${came.message}`);
      const { page, reading, target } = came;
      const why = reading.standsBefore?.message ?? target.problem ?? target.values.find(({ problem }) => problem !== undefined)?.problem;
      if (!target.baseline || why !== undefined)
        throw new AppError('conflict', `The page gives no baseline, and the one before stays: ${why ?? 'the selector finds nothing.'}`);
      return selectors.setBaseline(monitorId, selectorId, {
        capturedMs: ports.now(),
        url: page.source.url,
        target: target.baseline,
        values: baselineValues(target.values),
      });
    },
  };
}

/** Throws AppError `bad_request` for what a browser does not open by an address. */
function requireAddress({ source }: CheckSubject): void {
  if (source.kind === 'workflow')
    throw new AppError('bad_request', 'A "screenshot" is of a page with an address; a workflow takes its own with a step "screenshot".');
  const { method = 'GET' } = source.request;
  if (method !== 'GET') throw new AppError('bad_request', `A "screenshot" is of a page that is asked for by GET, and this is a ${method}.`);
}

/** Throws AppError `device_capacity`, also where the page came without a picture because nothing here takes any. */
async function keepPicture({ page }: Probe, row: SelectorRow, { files }: ProbePorts): Promise<NonNullable<SelectorTest['screenshot']>> {
  const { picture, boxes } = page;
  if (!picture) throw new AppError('device_capacity', 'A "screenshot" needs a browser, and there is none here; test without it.');
  const file = { name: `selector-${row.id}.png`, contentType: 'image/png', bytes: picture };
  return { file_id: (await files.keepOfSelector(file, row.id)).id, boxes: [...boxes] };
}

const NO_TIME = { fetch: 0, read: 0 };

function captcha(sentence: string): AppError {
  return new AppError('captcha_required', sentence);
}

function placeOf({ url = '', status }: PageError): { readonly url: string; readonly status?: number } {
  return { url, ...(status === undefined ? {} : { status }) };
}

function failedTest(error: PageError): SelectorTest {
  const nothing = { matches: 0, values: [], texts: [], alternates: [], near_misses: [], confidence: 0 };
  return { ...placeOf(error), verdict: 'blocked', ...nothing, problem: error.message, timing_ms: NO_TIME };
}

function testOf({ page, reading, target, fetchMs, readMs }: Probe, baseline: KeptBaseline | undefined): SelectorTest {
  const { verdict, via, confidence, matches, values, texts, alternates, nearMisses, proposal } = target;
  const problem = reading.standsBefore?.message ?? target.problem;
  return {
    url: page.source.url,
    status: page.status,
    lane: page.lane,
    ...(reading.title === undefined ? {} : { title: reading.title }),
    verdict: reading.standsBefore ? 'blocked' : verdict,
    ...(via === undefined ? {} : { via }),
    confidence,
    matches,
    values: values.map((value) => ({
      ...idOf(value),
      name: value.name,
      type: value.type,
      ...shownValue(value),
      ...compare(value, baseline),
    })),
    texts: [...texts],
    alternates: [...alternates],
    near_misses: [...nearMisses],
    ...(proposal ? { proposal: foundProposal(proposal) } : {}),
    ...(problem === undefined ? {} : { problem }),
    timing_ms: { fetch: fetchMs, read: readMs },
  };
}

/** Without for how long it has held: a test keeps nothing. */
function foundProposal({ selector, score, gap, evidence }: NonNullable<Probe['target']['proposal']>): SelectorTest['proposal'] {
  return { selector, score, gap, evidence: [...evidence] };
}

function idOf({ extractorId }: ValueReading) {
  return extractorId === undefined ? {} : { extractor_id: extractorId };
}

function shownValue({ value, text, problem }: ValueReading) {
  return { ...(value === undefined ? {} : { value, text }), ...(problem === undefined ? {} : { problem }) };
}

function compare({ selectorId, extractorId, digest }: ValueReading, baseline: KeptBaseline | undefined): Compared {
  const before = baseline?.values[valueKey(selectorId, extractorId)];
  return before ? { baseline: before.value, differs_from_baseline: before.digest !== digest } : {};
}
