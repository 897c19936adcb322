import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asCalled } from './called.ts';

for (const [text, shown] of [
  ['Try:   weft status', 'Try:   ./weft status'],
  ['Run `weft crawl cancel 3`, or weft --help', 'Run `./weft crawl cancel 3`, or ./weft --help'],
  ['weft: started the agent', 'weft: started the agent'],
  ['SERVICE_PORT=9131 weft daemon start', 'SERVICE_PORT=9131 ./weft daemon start'],
  ['the warp and weft crawling up', 'the warp and weft crawling up'],
  ['./weft status and /bin/weft status', './weft status and /bin/weft status'],
] as const)
  test(`a hint is named as the program was: ${text}`, () => {
    assert.equal(asCalled(text, './weft', ['status', 'crawl', 'daemon']), shown);
    assert.equal(asCalled(text, 'weft', ['status', 'crawl', 'daemon']), text);
  });
