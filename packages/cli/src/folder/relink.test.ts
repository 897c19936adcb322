import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { relinkHtml, relinkMarkdown } from './relink.ts';

const FILES: Readonly<Record<string, string>> = {
  'https://x.test/a': 'a.md',
  'https://x.test/b_(c)': 'b.md',
  'https://x.test/d?e=1&f="2"': 'd.md',
};
const relink = (address: string) => FILES[address];

suite('links of Markdown', () => {
  const cases: readonly (readonly [before: string, after: string])[] = [
    ['[a](https://x.test/a)', '[a](a.md)'],
    ['![a](https://x.test/a) and [b](https://x.test/b_(c)).', '![a](a.md) and [b](b.md).'],
    [String.raw`[b](https://x.test/b_\(c\))`, '[b](b.md)'],
    ['[a](<https://x.test/a>)', '[a](a.md)'],
    ['[a](https://x.test/a "title")', '[a](a.md "title")'],
    ['[![p](https://x.test/p.png)](https://x.test/a)', '[![p](https://x.test/p.png)](a.md)'],
    ['[x](https://x.test/other)', '[x](https://x.test/other)'],
    ['`[a](https://x.test/a)` [a](https://x.test/a)', '`[a](https://x.test/a)` [a](a.md)'],
    ['``[a](https://x.test/a) ` `` ` [a](https://x.test/a)', '``[a](https://x.test/a) ` `` ` [a](a.md)'],
    ['\\`[a](https://x.test/a)\\`', '\\`[a](a.md)\\`'],
    ['```\n[a](https://x.test/a)\n```\n[a](https://x.test/a)', '```\n[a](https://x.test/a)\n```\n[a](a.md)'],
    ['- ~~~~\n  ~~~\n  [a](https://x.test/a)\n  ~~~~\n[a](https://x.test/a)', '- ~~~~\n  ~~~\n  [a](https://x.test/a)\n  ~~~~\n[a](a.md)'],
    ['| [a](https://x.test/a) | b |', '| [a](a.md) | b |'],
  ];
  for (const [before, after] of cases) test(`${JSON.stringify(before)}`, () => assert.equal(relinkMarkdown(before, relink), after));

  test('a long line of odd characters takes no long time', () => {
    const line = '](('.repeat(50_000) + '`'.repeat(50_000) + ' `'.repeat(50_000);
    assert.equal(relinkMarkdown(line, relink), line);
  });
});

suite('links of HTML', () => {
  const cases: readonly (readonly [before: string, after: string])[] = [
    ['<p><a href="https://x.test/a">a</a></p>', '<p><a href="a.md">a</a></p>'],
    ['<a id="i" href="https://x.test/d?e=1&amp;f=&quot;2&quot;" title="t">d</a>', '<a id="i" href="d.md" title="t">d</a>'],
    ['<a href="https://x.test/other">x</a>', '<a href="https://x.test/other">x</a>'],
    ['<code>&lt;a href="https://x.test/a"&gt;</code>', '<code>&lt;a href="https://x.test/a"&gt;</code>'],
    ['<abbr title="https://x.test/a">a</abbr><a id="b">b</a>', '<abbr title="https://x.test/a">a</abbr><a id="b">b</a>'],
  ];
  for (const [before, after] of cases) test(`${before}`, () => assert.equal(relinkHtml(before, relink), after));
});
