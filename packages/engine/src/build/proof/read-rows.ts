// Reads the rows of a function out of one of its answers, as its proof and every later look at it do.
import type { ListWrapper } from '@weft/contract';
import { readPage } from '../../run/reading/read-page.ts';
import type { ReadingRequest } from '../../run/reading/read-page.ts';
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

/** How the list of `reading` is asked for. Fields of data are named by their ids, those of the markup as the list names them. */
export function listAskOf(reading: RowReading): ListAsk {
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
  return { source: { url, body, contentType }, status, headers: [], ask: { kind: 'list', ...listAskOf(reading) } };
}

/** The rows of `answer`; none of an answer that refuses. Throws PageError. */
export async function readRows(reading: RowReading, answer: ReadableAnswer): Promise<readonly Row[]> {
  if (answer.status >= 400) return [];
  const { rows } = await readPage(readingRequestOf(reading, answer));
  return rows?.rows ?? [];
}
