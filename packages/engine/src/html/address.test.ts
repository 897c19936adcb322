import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Addresses } from './address.ts';

const BASE = 'https://x.test/a/b?c#d';

const CASES: readonly (readonly [href: string, address: string | undefined])[] = [
  ['e', 'https://x.test/a/e'],
  ['/e', 'https://x.test/e'],
  ['../e', 'https://x.test/e'],
  ['/e/../f', 'https://x.test/f'],
  ['/e/%2E%2e/f', 'https://x.test/f'],
  ['//y.test/e', 'https://y.test/e'],
  ['https://x.test/e', 'https://x.test/e'],
  ['https://x.test', 'https://x.test/'],
  ['https://x.test.evil/e', 'https://x.test.evil/e'],
  ['?e', 'https://x.test/a/b?e'],
  ['#e', 'https://x.test/a/b?c#e'],
  ['/e f', 'https://x.test/e%20f'],
  ['mailto:a@b.test', 'mailto:a@b.test'],
  ['javascript:x()', undefined],
  ['java\nscript:x()', undefined],
  ['data:text/html,x', undefined],
  ['http://[', undefined],
];

for (const [href, address] of CASES) {
  test(`resolves ${JSON.stringify(href)} to ${address ?? 'nothing'}`, () => assert.equal(new Addresses(BASE).resolve(href), address));
}

test('answers as the URL parser does', () => {
  const piece = fc.constantFrom(...'/.?#%:@;&=+$,!~*()[]|^"<> \\\t', '%2e', '%2E', '//', 'a', 'Z', '0', 'é', 'https:', 'https://x.test');
  const addresses = new Addresses(BASE);
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const href = pieces.join('');
      const url = URL.parse(href, BASE);
      assert.equal(addresses.resolve(href), url?.protocol === 'https:' ? url.href : undefined);
    }),
    { numRuns: 3000 },
  );
});
