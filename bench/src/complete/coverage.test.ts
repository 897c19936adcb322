import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coverageOf } from './coverage.ts';
import { wordsOfMarkdown } from './outputs.ts';
import { readTruth } from './truth.ts';

const truthOf = (html: string) => {
  const truth = readTruth(
    { id: 'a', url: 'https://x.test/', html },
    { name: 'a', content: 'main', neutral: '.permalink', pages: () => [] },
  );
  assert.ok(truth);
  return truth;
};
const LIST =
  '<body><nav>Start here</nav><main><h1>Rakes <a class="permalink">link</a></h1><ul><li>Rated 5</li><li>Rated 5</li></ul><pre>a = b</pre></main>';

const CASES: readonly (readonly [promise: string, output: string, lost: readonly string[], chromeWords: number])[] = [
  ['finds all, whatever the markup', '# Rakes\n\n- Rated **5**\n- Rated 5\n\n```\na = b\n```', [], 0],
  ['counts equal items each', '# Rakes\n- Rated 5\n\na=b', ['list item: rated5'], 0],
  ['counts words of chrome', 'Start here\n# Rakes\n- Rated 5\n- Rated 5\n\na = b', [], 2],
  ['counts everything lost in an empty output', '', ['heading: rakes', 'list item: rated5', 'list item: rated5', 'code block: ab'], 0],
];
for (const [promise, output, lost, chromeWords] of CASES) {
  test(promise, () => {
    const coverage = coverageOf(truthOf(LIST), output);
    assert.deepEqual(coverage.lostTexts, lost);
    assert.equal(coverage.chromeWords, chromeWords);
  });
}

test('finds what a summary says in cells and the text below it says again', () => {
  const line = 'static Function that takes double values too';
  const html = `<body><main><table><tr><td>${line}</td><td>nop()</td></tr></table><h3>NOP</h3><ul><li>static final value NOP</li><li>${line} nop()</li></ul></main>`;
  const output = `| ${line} | nop() |\n\n### NOP\n\n- static final value NOP\n- ${line} nop()`;
  assert.deepEqual(coverageOf(truthOf(html), output).lostTexts, []);
});

test('reads no truth from a page without the content element', () => {
  assert.equal(readTruth({ id: 'a', url: 'https://x.test/', html: '<p>a' }, { name: 'a', content: 'main', pages: () => [] }), undefined);
});

test('reads Markdown without targets and tags, and code as it stands', () => {
  assert.equal(
    wordsOfMarkdown('[a](/b "c") &amp; d<br>![e](/f)\n\n- ```js\n  x[0](/y) &amp;\n  ```\n\n[g](/h)'),
    '[a] & d\n\n- ```js\n  x[0](/y) &amp;\n  ```\n\n[g]',
  );
});

test('leaves the target of a link in a type out', () => {
  assert.equal(wordsOfMarkdown('Result\\<[()](https://x.test/a.html), [Error](/e)>'), 'Result\\<[()], [Error]>');
});

test('reads tags in code and escaped ones as text', () => {
  assert.equal(wordsOfMarkdown('a<br>b `<sub>` \\<sup> <sub>c</sub> [`<u>`](/d)'), 'ab `<sub>` \\<sup> c [`<u>`]');
});
