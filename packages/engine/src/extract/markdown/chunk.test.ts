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

test('truncates between blocks, and inside the first that is too long', () => {
  assert.equal(truncateMarkdown('# A\n\nb\n', 100), '# A\n\nb\n');
  assert.equal(truncateMarkdown(`# A\n\n${WORDS.repeat(10)}`, 16), `# A\n\n${WORDS.trim()}`);
  assert.ok(estimateTokens(truncateMarkdown(WORDS.repeat(100), 20)) <= 20);
});
