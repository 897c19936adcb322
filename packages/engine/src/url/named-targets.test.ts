import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { targetsNamedBy } from './named-targets.ts';

suite('the private addresses that a URL names', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['http://127.0.0.9/', ['127.0.0.9:80', '127.0.0.9:443']],
    ['http://127.0.0.9:80/a', ['127.0.0.9:80', '127.0.0.9:443']],
    ['http://wiki.internal/', ['wiki.internal:80', 'wiki.internal:443']],
    ['http://[::1]/', ['[::1]:80', '[::1]:443']],
    ['http://127.0.0.9:8080/', ['127.0.0.9:8080']],
    ['http://127.0.0.9:443/', ['127.0.0.9:443']],
    ['https://127.0.0.9/', ['127.0.0.9:443']],
    ['https://127.0.0.9:80/', ['127.0.0.9:80']],
    ['https://127.0.0.9:8443/', ['127.0.0.9:8443']],
  ];
  for (const [url, expected] of cases) test(`${url}: ${expected.join(' ')}`, () => assert.deepEqual(targetsNamedBy(url), expected));
});
