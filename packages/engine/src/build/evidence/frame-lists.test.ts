import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutFrames } from './frame-lists.ts';
import { readEvidence } from './read-evidence.ts';

const MENU = ['Recent changes', 'Media manager', 'All of the pages'];
const list = (name: string, texts: readonly string[]) =>
  `<ul class="${name}">${texts.map((text) => `<li><a href="/${text}">${text}</a></li>`).join('')}</ul>`;
const page = (place: number, meta = '') =>
  readEvidence({
    source: {
      url: `https://s.test/${place}`,
      contentType: 'text/html',
      body: new TextEncoder().encode(
        `<!doctype html><title>Page ${place}</title>${meta}<main>${list('plants', [`Bean ${place}`, `Pea ${place}`, `Leek ${place}`])}</main>${list('tools', MENU)}`,
      ),
    },
    status: 200,
    headers: [],
    isRendered: false,
  });
const texts = (pages: ReturnType<typeof withoutFrames>) => pages.map(({ lists }) => lists.map((each) => each.texts[0]));

test('leaves out what many pages show in the same words, and keeps what each says itself', () => {
  assert.deepEqual(texts(withoutFrames([1, 2, 3, 4].map((place) => page(place)))), [['Bean 1'], ['Bean 2'], ['Bean 3'], ['Bean 4']]);
});

test('calls nothing frame that only two pages share', () => {
  assert.ok(texts(withoutFrames([page(1), page(2)])).every((each) => each.includes('Recent changes')));
});

test('leaves out the lists of pages that stay out of indexes, unless the first page does as well', () => {
  const hidden = '<meta name="robots" content="noindex,nofollow">';
  assert.deepEqual(texts(withoutFrames([page(1), page(2, hidden)]))[1], []);
  assert.ok((texts(withoutFrames([page(1, hidden), page(2, hidden)]))[1] ?? []).length > 0);
});
