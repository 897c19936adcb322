// How much it costs to turn a page into a tree, beside cheerio.
import { load } from 'cheerio';
import { parseTree } from '@weft/engine/page';
import { compareCpuMs } from '../measure.ts';
import type { BenchRow } from '../row.ts';

const ITEMS = 2000;
const item = (i: number): string => `<li class="item"><a href="/item/${i}">Item <b>${i}</b></a> &euro;${i}.00`;
const PAGE = `<!doctype html><title>Shelf</title><ul>${Array.from({ length: ITEMS }, (_, i) => item(i)).join('')}</ul>`;

/** CPU milliseconds to parse one page of 2,000 items. */
export async function bench(): Promise<BenchRow[]> {
  const [value, rivalValue] = compareCpuMs(
    () => parseTree(PAGE, 'https://shelf.test/'),
    () => load(PAGE),
  );
  return [{ name: `parse a page of ${ITEMS} items`, value, unit: 'ms CPU', rival: 'cheerio', rivalValue, target: '<= 1x' }];
}
