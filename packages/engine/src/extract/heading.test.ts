import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PageDocument } from '../page/page-document.ts';

const PARAGRAPHS = Array.from(
  { length: 4 },
  (_, i) => `<p>The bridge number ${i} was built of stone, wood and iron, and it carried the road over the river for many years.</p>`,
).join('');
const FIRST = 'The bridge number 0';

/** What the Markdown of a page says before its first paragraph. */
function opening(title: string, before: string, inside = ''): string {
  const html = `<!doctype html><title>${title}</title><body>${before}<main><article>${inside}${PARAGRAPHS}</article></main>`;
  const body = new TextEncoder().encode(html);
  const markdown = new PageDocument({ url: 'https://x.test/wiki/bridge', body, contentType: 'text/html; charset=utf-8' }).markdown('main');
  return markdown.slice(0, markdown.indexOf(FIRST)).trim();
}

const CASES: readonly (readonly [promise: string, title: string, before: string, inside: string, opening: string])[] = [
  ['the heading outside of the content', 'Bridges | Site', '<h1>Bridges</h1>', '', '# Bridges'],
  ['no heading twice', 'Bridges | Site', '', '<h1>Bridges</h1>', '# Bridges'],
  [
    'not the logo (DokuWiki)',
    'bridges [My Wiki]',
    '<header><h1><a href="/"><span>My Wiki</span></a></h1></header>',
    '<h1>Bridges</h1>',
    '# Bridges',
  ],
  ['not the logo where there is no heading', 'My Wiki', '<header><h1><a href="/">My Wiki</a></h1></header>', '', ''],
  [
    'a heading that links to its own page',
    'Bridges',
    '<h1><a href="/wiki/bridge">Bridges</a></h1>',
    '',
    '# [Bridges](https://x.test/wiki/bridge)',
  ],
  ['no hidden heading', 'Bridges', '<h1 hidden>Bridges</h1>', '', ''],
  [
    'the h2 of a manual page (DocBook)',
    'BRIDGE',
    '',
    '<div class="refnamediv"><h2><span class="refentrytitle">BRIDGE</span></h2></div>',
    '# BRIDGE',
  ],
  [
    'the h2 of a class (Javadoc)',
    'Bridge (Stones 3.6 API)',
    '<div class="header"><h2 title="Class Bridge" class="title">Class Bridge</h2></div>',
    '',
    '# Class Bridge',
  ],
  [
    'the h2 of a chapter under the name of its book (mdBook)',
    'Bridges - The Book of Stones',
    '<div class="bar"><h1>The Book of Stones</h1></div>',
    '<h2>Bridges</h2>',
    '# Bridges',
  ],
  [
    'the h1 over the name of the site',
    'Stones - Bridges',
    '<div class="hero"><h1>Bridges</h1></div>',
    '<h2>Why Stones</h2>',
    '# Bridges\n\n## Why Stones',
  ],
  ['no lower heading that the title does not know', 'Rivers', '', '<h2>Notes</h2>', '## Notes'],
];
for (const [promise, title, before, inside, expected] of CASES)
  test(`begins with the heading of the page: ${promise}`, () => assert.equal(opening(title, before, inside), expected));
