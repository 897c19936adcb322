// Steps that read, check and keep data.
import type { StepOf } from '@weft/contract';
import { LaneFault, RunFault } from '../fault.ts';
import { misfit } from '../definition/json-schema.ts';
import type { ReadingResult } from '../reading/read-page.ts';
import type { Row, RowsFound } from '../reading/rows.ts';
import { BOTH, BROWSER } from '../step-work.ts';
import type { StepKind, StepWork } from '../step-work.ts';
import { holdsSealed, isMembers, textOf } from '../value.ts';
import type { JsonValue } from '../../html/loose-json.ts';
import { BEGINS_MS, LOOKS_MAX, settles } from './settling.ts';

/** What reads and keeps. */
export const DATA = {
  extract: {
    lanes: (step) => (step.from === 'xhr' ? BROWSER : BOTH),
    run: async (step, work) => {
      const { rows, page } = await work.read({ kind: 'fields', from: step.from, fields: step.fields });
      requireFields(rows, step.id, work);
      const [row = {}] = rows?.rows ?? [];
      await guardRows(step, [row], page, work);
      if (work.state.rowSource === step.id) await work.state.keepRows([row], undefined);
      return work.state.masker.value(row);
    },
  } satisfies StepKind<StepOf<'extract'>>,
  extractList: {
    lanes: (step) => (step.from === 'xhr' ? BROWSER : BOTH),
    run: extractList,
  } satisfies StepKind<StepOf<'extractList'>>,
  assert: {
    lanes: () => BOTH,
    run: async (step, work) => {
      if (await work.holds(step.that)) return;
      const message = step.message ?? `${step.id} does not hold${work.url === undefined ? '' : ` at ${work.url}`}.`;
      throw await asLaneFault('assert_failed', message, work);
    },
  } satisfies StepKind<StepOf<'assert'>>,
  setVar: {
    lanes: () => BOTH,
    run: async (step, work) => {
      const value = work.json(step.value);
      work.state.setVariable(step.name, value);
      return value;
    },
  } satisfies StepKind<StepOf<'setVar'>>,
  emit: {
    lanes: () => BOTH,
    run: async (step, work) => ({ rows: await work.state.keepRows(rowsOf(work.json(step.rows), step.id), step.dedupe_key) }),
  } satisfies StepKind<StepOf<'emit'>>,
  export: {
    lanes: () => BOTH,
    run: async (step, work) => {
      const rows = work.state.masker.value(rowsOf(work.json(step.rows), step.id));
      const name = step.name === undefined ? `${step.id}.${step.format}` : work.plain(step.name);
      return await work.state.keepFile({
        name,
        contentType: TYPES[step.format],
        bytes: new TextEncoder().encode(WRITERS[step.format](rows)),
      });
    },
  } satisfies StepKind<StepOf<'export'>>,
  screenshot: {
    lanes: () => BROWSER,
    run: async (step, work) => {
      const bytes = await (await work.session()).screenshot({ isFull: step.full }, work.bounds);
      const name = step.name === undefined ? `${step.id}.png` : work.plain(step.name);
      return await work.state.keepFile({ name, contentType: 'image/png', bytes });
    },
  } satisfies StepKind<StepOf<'screenshot'>>,
  script: {
    lanes: () => BROWSER,
    run: async (step, work) => {
      // What a page hands out may hold what was typed into it.
      const out = work.state.masker.value(
        await (
          await work.session()
        ).evaluate(
          step.source,
          (step.args ?? []).map((arg) => plainJson(work.json(arg), step.id)),
          work.bounds,
        ),
      );
      const fault = step.schema && misfit(out, step.schema, 'What the script returned');
      if (fault !== undefined) throw new RunFault('assert', `${fault}.`);
      return out ?? null;
    },
  } satisfies StepKind<StepOf<'script'>>,
} as const;

async function extractList(step: StepOf<'extractList'>, work: StepWork): Promise<unknown> {
  const { rows: found, page } = await readList(step, work);
  const rows = found?.rows ?? [];
  const min = step.min ?? (work.room.isPaging ? 0 : 1);
  if (rows.length < min) {
    const message = `${step.id} finds ${rows.length} rows at ${work.url ?? 'the page'}, and ${min} are the fewest.`;
    if (await work.maySwitch()) throw new LaneFault('shape_changed', message);
    throw new RunFault('no_rows', message);
  }
  requireFields(found, step.id, work);
  await guardRows(step, rows, page, work);
  if (work.state.rowSource === step.id) await work.state.keepRows(rows, step.dedupe_key);
  return work.state.masker.value(rows);
}

/** A page in a browser gets its time to begin with a list that is not there yet, where one is wanted. */
async function readList(step: StepOf<'extractList'>, work: StepWork): Promise<ReadingResult> {
  const { from, selectors, path, wrapper, fields, limit } = step;
  const isWanted = step.min !== 0 && !(work.room.isPaging && work.state.rowsKept > 0);
  for (let look = 1; ; look++) {
    const read = await work.read({ kind: 'list', from, selectors, path, wrapper, fields, limit });
    const isThere = read.rows !== undefined && read.rows.rows.length > 0;
    if (isThere || !isWanted || look >= LOOKS_MAX || !(await settles(work, BEGINS_MS))) return read;
  }
}

/** Before rows are kept: those that a guard refuses are none. */
async function guardRows(
  step: StepOf<'extract'> | StepOf<'extractList'>,
  rows: readonly Row[],
  page: ReadingResult['page'],
  work: StepWork,
): Promise<void> {
  const { guards } = work.state;
  const from = { page, url: work.url ?? '' };
  const changed = guards.misfitOfValues(step, rows, from);
  if (changed && (await work.maySwitch())) throw new LaneFault('shape_changed', `${step.id} ${changed.message}`);
  guards.values(step, rows, from);
}

function requireFields(found: RowsFound | undefined, id: string, work: StepWork): void {
  const lacking = Object.entries(found?.missing ?? {});
  if (lacking.length === 0) return;
  const names = lacking.map(([name, rows]) => `${name} (${rows} of ${found?.rows.length ?? 0})`).join(', ');
  throw new RunFault('assert', `${id} finds no ${names} at ${work.url ?? 'the page'}.`);
}

/** The browser may show what the HTTP lane does not; a run that may not go there fails. */
async function asLaneFault(reason: 'assert_failed', message: string, work: StepWork): Promise<Error> {
  return (await work.maySwitch()) ? new LaneFault(reason, message) : new RunFault('assert', message);
}

function rowsOf(value: unknown, id: string): readonly Row[] {
  const rows = Array.isArray(value) ? value : [value];
  if (rows.every((row): row is Row => isMembers(row))) return rows;
  throw new RunFault('input', `${id} takes an object or a list of objects as rows, and was given ${typeName(value)}.`);
}

function typeName(value: unknown): string {
  if (value === null) return 'nothing';
  return Array.isArray(value) ? 'a list with something else' : `a ${typeof value}`;
}

function plainJson(value: unknown, id: string): unknown {
  if (holdsSealed(value)) throw new RunFault('input', `${id} is given a secret, and a page may send what a script is given anywhere.`);
  return value;
}

const TYPES = { json: 'application/json', jsonl: 'application/x-ndjson', csv: 'text/csv' } as const;
const WRITERS = {
  json: (rows: readonly Row[]) => JSON.stringify(rows),
  jsonl: (rows: readonly Row[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  csv: writeCsv,
} as const;

/** RFC 4180; what a spreadsheet would run as a formula begins with an apostrophe. */
function writeCsv(rows: readonly Row[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = rows.map((row) => names.map((name) => cell(Object.hasOwn(row, name) ? row[name] : undefined)));
  return [names.map(cell), ...lines].map((line) => `${line.join(',')}\r\n`).join('');
}

function cell(value: JsonValue | undefined): string {
  const text = textOf(value);
  const safe = /^[=+\-@\t\r]/.test(text) && typeof value === 'string' ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
