import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scoreLinks } from './rank-links.ts';

const LINKS = [
  { url: 'https://x.test/' },
  { url: 'https://x.test/docs/install-guide.html' },
  { url: 'https://x.test/a?id=7', title: 'How to install the agent' },
  { url: 'https://x.test/blog/installation-notes' },
  { url: 'https://x.test/caf%C3%A9', title: 'Café' },
];

const CASES: readonly (readonly [search: string, best: number | undefined, promise: string])[] = [
  ['install guide', 1, 'finds all words in an address'],
  ['agent', 2, 'finds a word that only the link says'],
  ['notes', 3, 'finds a word in the middle of a path'],
  ['CAFÉ', 4, 'reads escaped letters and ignores case'],
  ['https test', undefined, 'takes no word from scheme and host'],
  ['html', undefined, 'takes no word from the ending of a file'],
  ['', undefined, 'scores nothing without words'],
];

for (const [search, best, promise] of CASES)
  test(promise, () => {
    const scores = scoreLinks(LINKS, search);
    const top = Math.max(...scores);
    assert.equal(top === 0 ? undefined : scores.indexOf(top), best);
  });

test('a whole word counts more than one that begins with it', () => {
  const scores = scoreLinks(LINKS, 'install');
  assert.ok((scores[1] ?? 0) > (scores[3] ?? 0) && (scores[3] ?? 0) > 0);
  assert.equal(scores[0], 0);
});

test('a rare word counts more than a common one', () => {
  const links = Array.from({ length: 20 }, (_, i) => ({ url: `https://x.test/shop/${i === 3 ? 'lamp' : `item-${i}`}` }));
  const scores = scoreLinks(links, 'shop lamp');
  assert.ok((scores[3] ?? 0) > 2 * (scores[4] ?? 0));
});
