// Counts the rows that generated pages lose inside of `<main>` and `<article>`, and the words of their frames that come through.
import { PageDocument } from '../../../packages/engine/src/page/page-document.ts';
import { structuredPage } from '../../../packages/engine/src/extract/structured-pages.fixtures.ts';
import type { BenchRow } from '../row.ts';
import { squeeze } from './truth.ts';

/** Other pages than those of the tests. */
const SEED = 2024;
const PAGES = 2_000;

/** Two rows: lost rows, words of chrome. */
export function generatedRows(): BenchRow[] {
  let rows = 0;
  let lost = 0;
  let chromeWords = 0;
  let words = 0;
  for (let made = 0, number = 0; made < PAGES; number++) {
    const page = structuredPage(SEED, number);
    if (!page.isDeclared) continue;
    made++;
    const source = { url: page.url, body: new TextEncoder().encode(page.html), contentType: 'text/html; charset=utf-8' };
    const markdown = new PageDocument(source).markdown('main');
    const found = squeeze(markdown);
    rows += page.rows.length;
    lost += page.rows.filter((row) => !found.includes(squeeze(row))).length;
    chromeWords += page.chrome.filter((text) => found.includes(squeeze(text))).reduce((sum, text) => sum + text.split(' ').length, 0);
    words += markdown.split(/\s+/).length;
  }
  return [
    { name: `${PAGES} generated pages: rows lost, ${lost} of ${rows}`, value: lost, unit: 'rows', target: '0' },
    {
      name: `${PAGES} generated pages: chrome, ${chromeWords} of ${words} words`,
      value: (100 * chromeWords) / words,
      unit: 'per 100',
      target: '<= 1',
    },
  ];
}
