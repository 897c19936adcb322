// Every stored page of the public sets with its address, whatever it was collected for: raw material for truth that pages declare themselves.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { decodePage, loadPages } from './content/pages.ts';
import { findDataset, hostKey } from './dataset.ts';
import { textsInCsv } from './lists/csv.ts';

/** One stored page. */
export interface RawPage {
  readonly set: 'pages' | 'articles' | 'products' | 'forms' | 'paging';
  readonly id: string;
  readonly url: string;
  /** The type that the set names; undefined where it names none. */
  readonly type: string | undefined;
  html(): string;
}

/** The stored pages of all sets that are here, one for each address. */
export function loadRawPages(): readonly RawPage[] {
  const pages = [...labelledPages(), ...productPages(), ...formPages(), ...pagingPages()];
  return [...new Map(pages.filter(({ url }) => hostKey(url) !== '').map((page) => [page.url, page])).values()];
}

function labelledPages(): RawPage[] {
  return (['pages', 'articles'] as const).flatMap((set) =>
    loadPages(set).map((page) => ({ set, id: page.id, url: page.url, type: page.type, html: () => decodePage(page.bytes()) })),
  );
}

function productPages(): RawPage[] {
  const folder = findDataset('products');
  if (folder === undefined) return [];
  const truths = JSON.parse(readFileSync(join(folder, 'ground-truth.json'), 'utf8')) as Record<string, { url: string }>;
  return Object.entries(truths).map(([id, { url }]) => ({
    set: 'products',
    id,
    url,
    type: 'product',
    html: () => decodePage(gunzipSync(readFileSync(join(folder, 'html', `${id}.html.gz`)))),
  }));
}

function formPages(): RawPage[] {
  const folder = findDataset('forms');
  if (folder === undefined) return [];
  const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as Record<string, { url: string }>;
  return Object.entries(index).map(([id, { url }]) => ({
    set: 'forms',
    id,
    url,
    type: undefined,
    html: () => decodePage(readFileSync(join(folder, id))),
  }));
}

function pagingPages(): RawPage[] {
  const folder = findDataset('paging');
  if (folder === undefined) return [];
  return readPagingIndex(folder).map(({ name, url, encoding }) => ({
    set: 'paging',
    id: name,
    url,
    type: undefined,
    html: () => new TextDecoder(encoding).decode(readFileSync(join(folder, 'html', `${name}.html`))),
  }));
}

function readPagingIndex(folder: string): { name: string; url: string; encoding: string }[] {
  return readCsvRecords(readFileSync(join(folder, 'data.csv'), 'utf8'))
    .filter((record) => record['failed'] !== '1')
    .map((record) => ({
      name: record['File Name'] ?? '',
      url: record['Page URL'] ?? '',
      encoding: encodingOf(record['Encoding'] ?? 'utf-8'),
    }));
}

/** The name that TextDecoder knows for what the paging set calls an encoding. */
export function encodingOf(name: string): string {
  return name.replace(/^cp/, 'windows-').replace(/^iso8859/, 'iso-8859');
}

/** Records of a CSV file by the names in its header row. */
export function readCsvRecords(text: string): readonly Readonly<Record<string, string>>[] {
  const [header = [], ...records] = textsInCsv(text);
  return records.map((fields) => Object.fromEntries(header.map((name, i) => [name, fields[i] ?? ''])));
}
