import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shownText } from '../../../packages/engine/src/extract/product/page-text.ts';
import { generateShopPages } from './shop-pages.ts';

describe('generated shop pages', () => {
  it('keep the systems that are only measured apart', () => {
    const [taught, unseen] = (['taught', 'unseen'] as const).map((kind) => new Set(generateShopPages(kind).map(({ host }) => host)));
    assert.ok(taught && unseen && taught.size >= 9 && unseen.size >= 5);
    assert.deepEqual(
      [...taught].filter((host) => unseen.has(host)),
      [],
    );
  });

  it('show the digits of their price', () => {
    for (const page of generateShopPages('unseen')) {
      const digits = shownText(page.tree().body, 100_000).replace(/\D/g, '');
      const [price = ''] = page.truth.price ?? [];
      assert.ok(digits.includes(price.replace('.', '')), page.id);
    }
  });
});
