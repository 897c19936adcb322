import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTree } from '../../html/tree.ts';
import { LEAD_NAMES, leadFeaturesOf } from './lead.ts';
import { outlineOf } from './outline.ts';

const LONG = 'The river rose two feet overnight, and by the morning the lower road was under water from end to end.';

/** The named feature of the first block that begins with `start`; the headline is the first h1. */
function featureOf(html: string, start: string, name: string): number | undefined {
  const { blocks } = outlineOf(parseTree(`<body>${html}</body>`, 'https://page.invalid/'));
  const headline = blocks.find((block) => block.box.element.name === 'h1');
  const at = blocks.findIndex((block) => block.text.startsWith(start));
  return leadFeaturesOf(blocks, headline)[at]?.[LEAD_NAMES.indexOf(name)];
}

const PAGE = `<nav><p>Menu ${LONG}</p></nav>
  <article><h1>Flood</h1><p>${LONG}</p><p>Second ${LONG}</p></article>
  <article><h2>Other</h2><p>Teaser ${LONG}</p></article>
  <section><p>Plain ${LONG}</p></section>`;

const cases: readonly (readonly [promise: string, html: string, start: string, name: string, expected: number])[] = [
  ['knows that the text of the article stands beside the lead', PAGE, 'Second', 'lead.samePath', 1],
  ['counts one step from a paragraph up to what it shares with the lead', PAGE, 'Second', 'lead.stepsFromLead', 1],
  ['counts two steps from another article', PAGE, 'Teaser', 'lead.stepsFromLead', 2],
  ['tells an article that holds the lead', PAGE, 'Second', 'lead.articleHolds', 1],
  ['tells an article that does not hold the lead', PAGE, 'Teaser', 'lead.articleHolds', 0],
  ['says that no article is round a block', PAGE, 'Plain', 'lead.articleHolds', -1],
  ['counts no distance inside the box of the lead', PAGE, 'Second', 'lead.blocksSinceBox', 0],
  ['counts the blocks since the box of the lead ended', PAGE, 'Other', 'lead.blocksSinceBox', 1],
  ['gives what is before the lead a negative distance', PAGE, 'Flood', 'lead.wordsSince', -1],
  ['never takes a paragraph of a menu for the lead', `<nav><p>${LONG}</p></nav><h1>One</h1><p>Two</p>`, 'Two', 'lead.samePath', -2],
];

for (const [promise, html, start, name, expected] of cases) {
  test(promise, () => assert.equal(featureOf(html, start, name), expected));
}

test('gives every block a row of all features', () => {
  const { blocks } = outlineOf(parseTree(`<body>${PAGE}</body>`, 'https://page.invalid/'));
  const rows = leadFeaturesOf(blocks, undefined);
  assert.equal(rows.length, blocks.length);
  assert.ok(rows.every((row) => row.length === LEAD_NAMES.length && row.every(Number.isFinite)));
});
