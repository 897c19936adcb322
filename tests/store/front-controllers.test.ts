import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FRONT_CONTROLLERS, frontControllerSite } from '../sites/front-controllers.ts';
import { crawl } from './crawl-harness.ts';

for (const program of FRONT_CONTROLLERS) {
  test(`crawls a whole site behind ${program.name}, and ends its traps`, async () => {
    const site = await frontControllerSite(program);
    try {
      const { outcome, ledger } = await crawl(`${site.origin}${program.start}`, { crawlEntireDomain: true, maxDepth: 50 });
      assert.equal(outcome.end, 'complete');
      assert.deepEqual(
        program.contents.filter((content) => !site.shown.has(content)),
        [],
      );
      // Each content once, and robots.txt.
      const useful = [...site.shown.keys()].filter((content) => content !== '').length + 1;
      const wasted = site.requests.length - useful;
      // Print views say what no other page does, and are left out all the same: the share is that of the site's pages.
      const views = ledger.filter(({ reason }) => reason === 'alternate').length;
      assert.ok(wasted < (site.requests.length + views) * 0.2, `${wasted} of ${site.requests.length} requests, ${views} views left out`);
    } finally {
      await site.close();
    }
  });
}
