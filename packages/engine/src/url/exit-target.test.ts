import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findExitTarget } from './exit-target.ts';

const ELSEWHERE = encodeURIComponent('https://elsewhere.example/a?b=c');

const CASES: readonly (readonly [url: string, target: string | undefined])[] = [
  [`/admin/url.php?url=${ELSEWHERE}`, 'https://elsewhere.example/a?b=c'],
  [`/away.php?to=${ELSEWHERE}&cc_key=`, 'https://elsewhere.example/a?b=c'],
  ['/redirect?q=http://elsewhere.example/', 'http://elsewhere.example/'],
  [`/linkfilter/?u=${ELSEWHERE}`, 'https://elsewhere.example/a?b=c'],
  // Within the site it leads to a page of it.
  [`/go?to=${encodeURIComponent('https://site.test/b')}`, undefined],
  ['/go?to=/b', undefined],
  // A page about an address, not a way to it.
  [`/preview?url=${ELSEWHERE}`, undefined],
  [`/url.php?url=${ELSEWHERE}%zz`, undefined],
  ['/url.php', undefined],
];

test('knows addresses that only lead out of the site, by the name of their script and the address they carry', () => {
  for (const [path, target] of CASES) assert.equal(findExitTarget(`https://site.test${path}`), target, path);
});
