import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PageDocument } from '../../page/page-document.ts';
import { resemblance, signatureOf } from './page-signature.ts';

const signature = (html: string) =>
  signatureOf(
    new PageDocument({ url: 'https://shop.test/', body: new TextEncoder().encode(html), contentType: 'text/html; charset=utf-8' }),
    200,
  );
const WORDS = Array.from({ length: 300 }, (_, i) => `w${String.fromCharCode(97 + (i % 26))}${'abcdefghij'[Math.floor(i / 26)] ?? 'k'}x`);

describe('resemblance', () => {
  it('is 1 for the same words in other markup and order, and for two empty pages', () => {
    assert.equal(resemblance(signature(`<p>${WORDS.join(' ')}</p>`), signature(`<ul><li>${WORDS.toReversed().join('<li>')}</ul>`)), 1);
    assert.equal(resemblance(signature(''), signature('<p></p>')), 1);
  });

  it('comes near to the share of words that two pages have in common', () => {
    const shared = resemblance(signature(WORDS.slice(0, 200).join(' ')), signature(WORDS.slice(100).join(' ')));
    assert.ok(shared > 0.2 && shared < 0.47, String(shared));
    assert.equal(resemblance(signature('one two three'), signature('four five six')), 0);
  });
});
