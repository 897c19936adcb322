// From a page's bytes to the views that a caller asked for, as plain data that can cross threads and be stored.
import type { PageFormat } from '@weft/contract';
import { isHtmlBody } from '../extract/documents/body-kind.ts';
import { PageDocument } from './page-document.ts';
import type { DocumentSource } from './page-document.ts';
import { VIEWS } from './view-table.ts';
import type { Views } from './view-table.ts';

export type { Views } from './view-table.ts';

/** Which views of which page. */
export interface ViewRequest {
  readonly source: DocumentSource;
  readonly formats: readonly PageFormat[];
  readonly onlyMainContent: boolean;
  /** Whether what the page hides is read as if it were shown; default false. */
  readonly includeHidden?: boolean;
}

/** How many lists a record keeps of a page; of another document it keeps all that were read. */
const RECORD_LISTS_MAX = 5;

/**
 * The views of one page, each only when it was asked for; `title` and `encoding` always. Documents that are not HTML have those views
 * that make sense for them, and no `page_type`. Throws PageError.
 */
export async function readViews(request: ViewRequest): Promise<Views> {
  const { source, formats } = request;
  if (isHtmlBody(source.body, source.contentType)) return await viewsOfPage(request);
  const { readOther } = await import('./other-documents.ts');
  const document = await readOther(source);
  if (!document) return await viewsOfPage(request);
  const views = await Promise.all(formats.map((format) => VIEWS[format].other?.(document)));
  return Object.assign(titled(document.title), ...views);
}

async function viewsOfPage({ source, formats, onlyMainContent, ...options }: ViewRequest): Promise<Views> {
  const document = new PageDocument(source, options);
  const views: Views[] = [{ encoding: document.decoded.encoding, ...titled(document.metadata.title) }];
  for (const format of formats) views.push(await VIEWS[format].page(document, onlyMainContent ? 'main' : 'page'));
  const { records, ...rest }: Views = Object.assign({}, ...views);
  return records ? { ...rest, records: records.slice(0, RECORD_LISTS_MAX) } : rest;
}

function titled(title: string | undefined): Views {
  return title === undefined ? {} : { title };
}
