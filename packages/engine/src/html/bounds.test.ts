import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ATTRIBUTES_MAX, START_TAGS_MAX, requireBoundedMarkup } from './bounds.ts';

const attributes = (count: number, write = (i: number) => `a${i}`) => Array.from({ length: count }, (_, i) => write(i)).join(' ');
const TOO_MANY = ATTRIBUTES_MAX + 1;

const CASES: readonly (readonly [promise: string, html: string, isRefused: boolean])[] = [
  ['takes as many attributes as are allowed', `<p ${attributes(ATTRIBUTES_MAX)}>`, false],
  ['refuses one more', `<p ${attributes(TOO_MANY)}>`, true],
  ['counts attributes whose values hold the end of a tag', `<p ${attributes(TOO_MANY, (i) => `a${i}=">"`)}>`, true],
  ['counts attributes without a blank between them', `<p ${attributes(TOO_MANY, (i) => `a${i}="x"`).replaceAll(' ', '')}>`, true],
  ['counts attributes that slashes divide', `<p/${attributes(TOO_MANY).replaceAll(' ', '/')}>`, true],
  ['counts attributes of a tag that never ends', `<p ${attributes(TOO_MANY)}`, true],
  ['counts attributes with blanks around the equals sign', `<p ${attributes(TOO_MANY, (i) => `a${i} = '>'`)}>`, true],
  ['takes words in a value for no attributes', `<p title="${attributes(TOO_MANY)}">`, false],
  ['takes a comparison in a script for no tag', `<script>if (a<b ${attributes(TOO_MANY)})</script><p>`, false],
  ['reads on behind a script', `<SCRIPT>1</Script><p ${attributes(TOO_MANY)}>`, true],
  ['takes what stands in a comment for no tag', `<!-- <p ${attributes(TOO_MANY)}> --><p>`, false],
  ['reads on behind an empty comment', `<!--><p ${attributes(TOO_MANY)}>`, true],
  ['takes text for no tag', `a < b ${attributes(TOO_MANY)}`, false],
  ['refuses more elements than a page may have', '<p>'.repeat(START_TAGS_MAX + 1), true],
];

for (const [promise, html, isRefused] of CASES)
  test(promise, () => {
    if (isRefused) assert.throws(() => requireBoundedMarkup(html), { code: 'page_too_complex' });
    else requireBoundedMarkup(html);
  });
