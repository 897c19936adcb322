// How a browser is started.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { findBrowser } from '../../../../../../tests/browser.ts';
import { launchBrowser } from './launch.ts';

suite('starting a browser', { timeout: 600_000, skip: process.platform !== 'linux' }, () => {
  test('the last list of what is turned off, which alone counts, holds all that Playwright turns off', async () => {
    const launched = await launchBrowser({ home: '/nowhere', chromePath: await findBrowser() }, 'http://127.0.0.1:9');
    try {
      const args = readFileSync(`/proc/${launched.pid}/cmdline`, 'utf8').split('\0');
      const lists = args.flatMap((arg) => (arg.startsWith('--disable-features=') ? [arg.slice(arg.indexOf('=') + 1).split(',')] : []));
      assert.equal(lists.length, 2, 'that of Playwright, and ours');
      const [theirs = [], ours = []] = lists;
      assert.deepEqual(
        theirs.filter((name) => !ours.includes(name)),
        [],
      );
      assert.deepEqual(
        ours.filter((name) => !theirs.includes(name)),
        ['DeferRendererTasksAfterInput'],
      );
    } finally {
      await launched.close();
    }
  });
});
