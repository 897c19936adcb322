// Scores of lists, wrappers, paging, products and forms on the public sets, as rows.
import { bootstrapInterval } from '../../quality/dataset.ts';
import type { Split } from '../../quality/dataset.ts';
import { measureForms, scoreForms } from '../../quality/forms.ts';
import type { FormsRow } from '../../quality/forms.ts';
import { measureLists } from '../../quality/lists/lists.ts';
import { measurePaging, scorePaging } from '../../quality/paging/paging.ts';
import type { PagingRow } from '../../quality/paging/paging.ts';
import { PRODUCT_ATTRIBUTES, measureProducts } from '../../quality/products/products.ts';
import type { BenchRow } from '../row.ts';
import { shownInterval } from './content-rows.ts';

type Half = Split | 'all';
interface Options {
  readonly full: boolean;
  readonly halves: readonly Half[];
}

const ROUNDS = 200;

/** Empty for sets that are not there. */
export function viewRows(options: Options): BenchRow[] {
  return [...listRows(options), ...pagingRows(options), ...productRows(options), ...formRows(options)];
}

function listRows({ full, halves }: Options): BenchRow[] {
  const measured = measureLists({ full });
  if (!measured) return [];
  return halves.flatMap((half) => {
    const { pages, f1, f1Interval, wrapperF1, wrapperInterval, wrapperPairs } = measured.halves[half];
    return [
      { name: `lists, ${half} ${shownInterval(f1Interval)} of ${pages}`, value: f1, unit: 'F1' },
      { name: `wrappers on other pages, ${half} ${shownInterval(wrapperInterval)} of ${wrapperPairs}`, value: wrapperF1, unit: 'F1' },
    ];
  });
}

function pagingRows({ full, halves }: Options): BenchRow[] {
  const measured = measurePaging({ full });
  if (!measured) return [];
  const shares = [
    ['next link where there is one', 'right'],
    ['silence where there is none', 'silent'],
    ['numbered pages', 'pagesF1'],
  ] as const;
  return halves.flatMap((half) => {
    const rows = partOf<PagingRow>(measured.rows, half);
    return shares.map(([name, share]) =>
      scoredRow(name, half, rows, (some) => scorePaging(some)[share], share === 'pagesF1' ? 'F1' : 'share'),
    );
  });
}

function productRows({ full, halves }: Options): BenchRow[] {
  return (measureProducts({ full }) ?? [])
    .filter(({ split }) => halves.includes(split))
    .flatMap(({ split, pages, scores }) =>
      PRODUCT_ATTRIBUTES.map((attribute) => ({
        name: `product ${attribute}, ${split} ${shownInterval(scores[attribute].interval)} of ${pages}`,
        value: scores[attribute].f1,
        unit: 'F1',
      })),
    );
}

function formRows({ full, halves }: Options): BenchRow[] {
  const measured = measureForms({ full });
  if (!measured) return [];
  const scores = [
    ['search forms', 'searchF1', 'F1'],
    ['login forms', 'loginF1', 'F1'],
    ['all forms', 'accuracy', 'right'],
  ] as const;
  return halves.flatMap((half) => {
    const rows = partOf<FormsRow>(measured.rows, half);
    return scores.map(([name, score, unit]) => scoredRow(name, half, rows, (some) => scoreForms(some)[score], unit));
  });
}

function partOf<Row extends { readonly split: Split }>(rows: readonly Row[], half: Half): readonly Row[] {
  return rows.filter(({ split }) => half === 'all' || split === half);
}

function scoredRow<Row>(name: string, half: Half, rows: readonly Row[], score: (rows: readonly Row[]) => number, unit: string): BenchRow {
  const interval = shownInterval(bootstrapInterval(rows, score, ROUNDS));
  return { name: `${name}, ${half} ${interval} of ${rows.length}`, value: score(rows), unit };
}
