// Reads the rows of a function out of one of its answers, as its proof and every later look at it do.
import type { ListWrapper } from '@weft/contract';
import { readPage } from '../../run/reading/read-page.ts';
import type { ReadingAsk, ReadingRequest, ReadingResult } from '../../run/reading/read-page.ts';
import type { ListAsk, Row } from '../../run/reading/rows.ts';
import { membersFrom } from '../../run/value.ts';
import { identifierOf } from '../draft.ts';
import type { RowReading } from '../evidence/catalogue.ts';

/** An answer that rows are read from. */
export interface ReadableAnswer {
  readonly url: string;
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: Uint8Array;
}

/** How the rows of `reading` are asked for. */
function askOf(reading: RowReading): ReadingAsk {
  if (reading.from !== 'page') return { kind: 'list', ...listAskOf(reading) };
  const fields = Object.entries(reading.fields).map(([id, rule]) => [id.toLowerCase(), rule] as const);
  return { kind: 'fields', fields: membersFrom(fields) };
}

/** How the list of `reading` is asked for. Fields of data are named by their ids, those of the markup as the list names them. */
function listAskOf(reading: Exclude<RowReading, { from: 'page' }>): ListAsk {
  if (reading.from !== 'html') {
    const fields = Object.entries(reading.fields).map(([id, path]) => [id.toLowerCase(), { path }] as const);
    return { from: reading.from, path: reading.path, fields: membersFrom(fields) };
  }
  const { fields, selectors, template, run, version, lines } = reading.wrapper;
  const wrapper: ListWrapper = {
    version,
    lines,
    run: [...run],
    selectors: selectors.map((each) => ({ ...each })),
    template: { ...template, classes: [...template.classes], paths: [...template.paths], tags: [...template.tags] },
    fields: fields.map(({ label, ...field }) => ({ ...field, name: identifierOf(field.name), ...(label === undefined ? {} : { label }) })),
  };
  return { wrapper };
}

/** What a reader in another thread is asked. */
export function readingRequestOf(reading: RowReading, { url, status, contentType, body }: ReadableAnswer): ReadingRequest {
  return { source: { url, body, contentType }, status, headers: [], ask: askOf(reading) };
}

/** The rows of a result: of a page that lacks what is required, none. */
export function rowsOf({ rows }: ReadingResult): readonly Row[] {
  return rows && Object.keys(rows.missing).length === 0 ? rows.rows : [];
}

/** The rows of `answer`; none of an answer that refuses. Throws PageError. */
export async function readRows(reading: RowReading, answer: ReadableAnswer): Promise<readonly Row[]> {
  if (answer.status >= 400) return [];
  return rowsOf(await readPage(readingRequestOf(reading, answer)));
}
