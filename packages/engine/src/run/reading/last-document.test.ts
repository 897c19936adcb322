import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { DocumentSource } from '../../page/document.ts';
import { LastDocument } from './last-document.ts';

const page = (html: string, more: Partial<DocumentSource> = {}): DocumentSource => ({
  url: 'https://shop.test/',
  body: new TextEncoder().encode(html),
  contentType: 'text/html',
  ...more,
});

suite('the page that was read last', () => {
  test('is parsed once for all questions about the same bytes', () => {
    const last = new LastDocument();
    const first = last.of(page('<p>1'), true);
    assert.equal(last.of(page('<p>1'), true), first);
    assert.equal(last.of(page('<p>1'), undefined), first);
  });

  test('is another one where anything of it is', () => {
    const others = [
      page('<p>2'),
      page('<p>1 '),
      page('<p>1', { url: 'https://shop.test/2' }),
      page('<p>1', { contentType: 'text/plain' }),
      page('<p>1', { xhr: [{ method: 'GET', url: 'https://shop.test/api', status: 200, json: {} }] }),
    ];
    for (const other of others) {
      const last = new LastDocument();
      const first = last.of(page('<p>1'), true);
      assert.notEqual(last.of(other, true), first);
    }
  });

  test('is read without what is hidden where that is asked for, and as before where nobody minds', () => {
    const last = new LastDocument();
    const whole = last.of(page('<details>1</details>'), true);
    const shown = last.of(page('<details>1</details>'), false);
    assert.notEqual(shown, whole);
    assert.deepEqual([whole.tree.hidden.length, shown.tree.hidden.length], [0, 1]);
    assert.equal(last.of(page('<details>2</details>'), undefined).tree.hidden.length, 1);
  });
});
