// Our own small pages: three of each of seven types, in three layouts. They stand in where the public sets are absent.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Document } from '@weft/engine/page';
import type { LabelledPage } from '../../quality/content/pages.ts';
import { normalise, scoreItems } from '../../quality/lists/score.ts';
import type { BenchRow } from '../row.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'pages');

interface OwnTruth {
  readonly type: string;
  readonly url: string;
  readonly text: string;
  readonly forms: readonly string[];
  readonly records?: readonly (readonly string[])[];
  readonly next?: string;
  readonly price?: string;
  readonly sku?: string;
}

interface OwnPage extends LabelledPage {
  readonly known: OwnTruth;
}

/** The pages by name. */
export function loadOwnPages(): readonly OwnPage[] {
  const truths = JSON.parse(readFileSync(join(FOLDER, 'truth.json'), 'utf8')) as Readonly<Record<string, OwnTruth>>;
  return Object.entries(truths).map(([id, known]) => ({
    set: 'pages',
    id,
    url: known.url,
    split: 'report',
    type: known.type,
    truth: known.text,
    bytes: () => readFileSync(join(FOLDER, `${id}.html`)),
    known,
  }));
}

/** Lists, next links, products and forms of our own pages. */
export function ownViewRows(pages: readonly OwnPage[]): BenchRow[] {
  const read = pages.map(({ url, known, bytes }) => ({
    known,
    document: new Document({ url, body: bytes(), contentType: 'text/html; charset=utf-8' }),
  }));
  const listF1 = read.flatMap(({ known: { records }, document }) => {
    const truth = records?.map((cells) => cells.map(normalise));
    const items = (document.records[0]?.items ?? []).map(({ text }) => text);
    return truth ? [scoreItems(items, truth).f1] : [];
  });
  const share = (rights: readonly boolean[]) => rights.filter(Boolean).length / (rights.length || 1);
  const paged = read.filter(({ known }) => known.next !== undefined);
  const silent = read.filter(({ known }) => known.next === undefined);
  const priced = read.filter(({ known }) => known.price !== undefined);
  const rows: readonly (readonly [name: string, value: number, of: number, unit: string])[] = [
    ['lists', listF1.reduce((a, b) => a + b, 0) / (listF1.length || 1), listF1.length, 'F1'],
    [
      'next link where there is one',
      share(paged.map(({ known, document }) => document.paging.onward === known.next)),
      paged.length,
      'share',
    ],
    ['silence where there is none', share(silent.map(({ document }) => document.paging.next.length === 0)), silent.length, 'share'],
    ['product price', share(priced.map(({ known, document }) => document.product?.price?.amount === known.price)), priced.length, 'right'],
    ['product sku', share(priced.map(({ known, document }) => document.product?.sku === known.sku)), priced.length, 'right'],
    [
      'forms',
      share(
        read.map(({ known, document }) =>
          isEqual(
            known.forms,
            document.forms.map(({ type }) => type),
          ),
        ),
      ),
      read.length,
      'right',
    ],
  ];
  return rows.map(([name, value, of, unit]) => ({ name: `${name}, own pages, of ${of}`, value, unit }));
}

function isEqual(left: readonly string[], right: readonly string[]): boolean {
  return left.join() === right.join();
}
