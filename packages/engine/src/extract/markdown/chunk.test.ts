import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chunkMarkdown, truncateMarkdown } from './chunk.ts';
import { estimateTokens } from './tokens.ts';

const WORDS = 'Lorem ipsum dolor sit amet. ';

test('gives the headings above each chunk', () => {
  const markdown = `# A\n\n${WORDS.repeat(5)}\n\n## [B](https://x.test/)\n\n${WORDS.repeat(5)}\n\n## C\n\n${WORDS.repeat(5)}\n`;
  const chunks = chunkMarkdown(markdown, { tokensMax: 50 });
  assert.deepEqual(
    chunks.map((chunk) => chunk.headings),
    [['A'], ['A', 'B'], ['A', 'C']],
  );
  assert.ok(chunks[1]?.text.startsWith('## [B]'));
});

test('puts small sections together', () => {
  assert.equal(chunkMarkdown('# A\n\nx\n\n# B\n\ny\n', { tokensMax: 100 }).length, 1);
});

test('gives nothing for a blank text', () => {
  assert.deepEqual(chunkMarkdown(' \n\n', { tokensMax: 100 }), []);
});

test('closes and reopens a fence that is too long', () => {
  const markdown = `\`\`\`js\n${'const a = 1;\n\n'.repeat(60)}\`\`\`\n`;
  const chunks = chunkMarkdown(markdown, { tokensMax: 60 });
  assert.ok(chunks.length > 2);
  for (const { text, tokens } of chunks) {
    assert.match(text, /^```js\n[^]*\n```$/);
    assert.ok(tokens <= 60);
  }
});

test('does not take a blank line in a fence for a border', () => {
  const markdown = '```\na\n\n# b\n```\n\nc\n';
  assert.equal(chunkMarkdown(markdown, { tokensMax: 16 })[0]?.text, '```\na\n\n# b\n```\n\nc');
});

test('repeats the header of a table that is too long', () => {
  const markdown = `| a | b |\n| --- | --- |\n${'| some text | more text |\n'.repeat(40)}`;
  for (const { text } of chunkMarkdown(markdown, { tokensMax: 60 }))
    assert.match(text, /^\| a \| b \|\n\| --- \| --- \|\n(\| some text \| more text \|\n?)+$/);
});

test('keeps a table row whole', () => {
  const row = `| ${'x'.repeat(400)} | y |`;
  const chunks = chunkMarkdown(`| a | b |\n| --- | --- |\n${row}\n`, { tokensMax: 20 });
  assert.ok(chunks[0]?.text.includes(row));
});

test('splits a long paragraph at sentence ends', () => {
  for (const { text, tokens } of chunkMarkdown(WORDS.repeat(40), { tokensMax: 40 })) {
    assert.ok(tokens <= 40);
    assert.match(text, /\.$/);
  }
});

test('repeats whole blocks as overlap', () => {
  const markdown = Array.from({ length: 9 }, (_, i) => `${WORDS}${i}`).join('\n\n');
  const chunks = chunkMarkdown(markdown, { tokensMax: 30, overlap: 10 });
  assert.ok(chunks[1]?.text.startsWith(chunks[0]?.text.split('\n\n').at(-1) ?? '-'));
});

test('keeps every word in order and the limit', () => {
  const line = fc.constantFrom(
    '# head',
    '',
    'a b c',
    '- item one',
    '| a | b |',
    WORDS.repeat(3),
    '中文字符',
    '😀😀😀',
    'x'.repeat(300),
    '> q',
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.integer({ min: 16, max: 80 }), (lines, tokensMax) => {
      const chunks = chunkMarkdown(lines.join('\n'), { tokensMax });
      const squeeze = (text: string): string => text.replace(/\s+/g, '');
      assert.equal(squeeze(chunks.map((chunk) => chunk.text).join('')), squeeze(lines.join('')));
      for (const { text, tokens } of chunks) assert.ok(tokens === estimateTokens(text) && tokens <= tokensMax, `${tokens} > ${tokensMax}`);
    }),
  );
});

const TRUNCATED: readonly (readonly [promise: string, markdown: string, tokensMax: number, text: string])[] = [
  ['keeps what fits as it is', '# A\n\nb\n', 100, '# A\n\nb\n'],
  ['cuts between blocks', `${WORDS}\n\n${WORDS}\n\n${WORDS}\n`, 18, `${WORDS.trim()}\n\n${WORDS.trim()}`],
  ['cuts between blocks of lists and tables too', `${WORDS}\n\n| a | b |\n| --- | --- |\n| ${WORDS} | ${WORDS} |\n`, 24, WORDS.trim()],
  ['leaves no heading without what follows it', `${WORDS}\n\n## B\n\n${WORDS.repeat(4)}\n`, 20, WORDS.trim()],
  ['cuts the first block where nothing else fits', `# A\n\n${WORDS.repeat(10)}`, 16, `# A\n\n${WORDS.trim()}`],
  ['cuts no link', `one two [three four](https://x.test/five) six seven eight nine`, 8, 'one two'],
  ['cuts no link round a picture', `one two [![three four](https://x.test/5) x](https://x.test/five) six seven`, 8, 'one two'],
  ['cuts no code', 'one two three `four five six seven` eight nine ten', 7, 'one two three'],
  ['cuts a code block between its lines', '```js\none\ntwo\nthree and many more words of code\n```', 8, '```js\none\ntwo\n```'],
];
for (const [promise, markdown, tokensMax, expected] of TRUNCATED) {
  test(`truncating ${promise}`, () => {
    const { text, tokensLeftOut } = truncateMarkdown(markdown, tokensMax);
    assert.equal(text, expected);
    assert.equal(tokensLeftOut, estimateTokens(markdown) - estimateTokens(text));
  });
}

test('chunks cut no link either', () => {
  const chunks = chunkMarkdown('[alpha beta gamma](https://x.test/a) '.repeat(20), { tokensMax: 30 });
  assert.ok(chunks.length > 5);
  for (const { text } of chunks) assert.match(text, /^(?:\[alpha beta gamma\]\(https:\/\/x\.test\/a\) ?)+$/);
});

test('truncates to no more than it is told', () => {
  assert.ok(estimateTokens(truncateMarkdown(WORDS.repeat(100), 20).text) <= 20);
  assert.ok(estimateTokens(truncateMarkdown(`[${WORDS.repeat(100)}](https://x.test/)`, 20).text) <= 20);
});
