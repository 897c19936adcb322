import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTree } from '../html/tree.ts';
import { findRecordLists } from './detect.ts';
import { type Wrapper, applyWrapper, learnWrapper } from './wrapper.ts';

interface Look {
  readonly from: number;
  readonly count: number;
  /** A class that the build makes up anew. */
  readonly build: string;
}

function results({ from, count, build }: Look): string {
  const numbers = Array.from({ length: count }, (_, i) => from + i);
  const items = numbers.map(
    (n) =>
      `<li class="hit css-${build}"><h3><a href="/x/${n}">Result number ${n}</a></h3><p class="snippet">Some words about ${n} that go on for a while.</p><span class="price">$${n}</span></li>`,
  );
  return `<nav><ul>${'<li><a href="/n">Menu entry</a></li>'.repeat(6)}</ul></nav><main id="results"><p>${count} found</p><ol>${items.join('')}</ol></main>`;
}

function learn(html: string): Wrapper {
  const tree = parseTree(html, 'https://x.test/?q=a');
  const [list] = findRecordLists(tree);
  assert.ok(list);
  return JSON.parse(JSON.stringify(learnWrapper(tree, list))) as Wrapper;
}

function apply(wrapper: Wrapper, html: string) {
  return applyWrapper(wrapper, parseTree(html, 'https://x.test/?q=b'));
}

const FIRST = results({ from: 1, count: 8, build: '1a2b3c' });

test('keeps selectors of several kinds and the fields, as plain data', () => {
  const wrapper = learn(FIRST);
  assert.deepEqual(wrapper.selectors, [
    { kind: 'class', css: 'li.hit' },
    { kind: 'landmark', css: '#results > ol > li' },
    { kind: 'structure', css: 'body > main:nth-of-type(1) > ol:nth-of-type(1) > li' },
  ]);
  assert.deepEqual(wrapper.fields.map(({ name }) => name).toSorted(), ['description', 'price', 'title', 'url']);
});

const next: readonly (readonly [name: string, html: string, count: number])[] = [
  ['more items and another build', results({ from: 20, count: 15, build: '9z8y7x' }), 15],
  ['one item only', results({ from: 20, count: 1, build: '9z8y7x' }), 1],
  ['another class on the items', results({ from: 20, count: 9, build: 'q' }).replaceAll('"hit ', '"match '), 9],
  [
    'another landmark',
    results({ from: 20, count: 9, build: 'q' })
      .replace('id="results"', 'id="found"')
      .replaceAll('<ol>', '<ul>')
      .replaceAll('</ol>', '</ul>'),
    9,
  ],
];

for (const [name, html, count] of next) {
  test(`finds the same list on the next page with ${name}`, () => {
    const list = apply(learn(FIRST), html);
    assert.equal(list?.items.length, count);
    assert.deepEqual(list?.items[0]?.fields['title'], { type: 'text', raw: 'Result number 20' });
    assert.deepEqual(list?.items[0]?.fields['price'], { type: 'price', amount: '20.00', amountMinor: 2000, currency: 'USD', raw: '$20' });
  });
}

test('finds flat runs again, each with its own elements', () => {
  const runs = (from: number, count: number) =>
    `<main><dl>${Array.from({ length: count }, (_, i) => `<dt><a href="/${i}">Term ${from + i}</a></dt><dd>Meaning of it, at length.</dd>`).join('')}</dl></main>`;
  const list = apply(learn(runs(1, 6)), runs(30, 4));
  assert.deepEqual(
    list?.nodes.map((elements) => elements.map(({ name }) => name).join()),
    ['dt,dd', 'dt,dd', 'dt,dd', 'dt,dd'],
  );
  assert.equal(list?.items[3]?.text, 'Term 33 Meaning of it, at length.');
});

test('finds lines of text again, with what stands behind each link', () => {
  const lines = (from: number) =>
    `<h1>Index</h1><pre>${[0, 1, 2, 3, 4].map((i) => `<a href="${from + i}.zip">file-${from + i}.zip</a>    2026-01-0${i + 1} 10:00    ${i}K\n`).join('')}</pre>`;
  const list = apply(learn(lines(1)), lines(70));
  assert.equal(list?.items[1]?.text, 'file-71.zip 2026-01-02 10:00 1K');
  assert.deepEqual(list?.items[1]?.fields['date'], {
    type: 'date',
    iso: '2026-01-02T10:00',
    secondsAgo: undefined,
    raw: '2026-01-02 10:00',
  });
});

test('finds nothing on a page of another template', () => {
  assert.equal(
    apply(learn(FIRST), '<main><h1>Sorry</h1><p>Nothing here.</p><table><tr><td>1</td></tr><tr><td>2</td></tr></table></main>'),
    undefined,
  );
});

test('reads the date and the name of a line on the next page as on the first', () => {
  const page = (from: number, people: readonly string[]) =>
    `<ol>${people.map((who, i) => `<li class="hit"><h3><a href="/x/${from + i}">Result number ${from + i}</a></h3><p class="note">Posted by ${who} on ${i + 1} May 2024 in the news of the house and of the garden</p></li>`).join('')}</ol>`;
  const wrapper = learn(page(1, ['Ann Miller', 'admin', 'J. R. Hale', 'Ole Berg']));
  const found = apply(wrapper, page(5, ['Mia Kern', 'Ida Holm', 'Cy']))?.items.map(({ fields }) => [fields['author'], fields['date']]);
  assert.deepEqual(found?.[1], [
    { type: 'text', raw: 'Ida Holm' },
    { type: 'date', iso: '2024-05-02', secondsAgo: undefined, raw: '2 May 2024' },
  ]);
});
