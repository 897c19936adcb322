// What following a crawl costs the agent: its progress is told at a pace of its own, and read once for all who follow.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { RunEvent } from '@weft/contract';
import { startTestAgent } from '../agent.ts';
import { startKernelAgent } from '../conformance/kernel.ts';
import { createRunNotifier } from '../../packages/daemon/src/runs/notifier.ts';
import { createRuns } from '../../packages/daemon/src/runs/run.ts';
import { createRunStore } from '../../packages/daemon/src/runs/store.ts';
import { startGeneratedSite } from '../sites/generated-site.ts';
import { until } from '../until.ts';

const FOLLOWERS = 50;
const TOLD = 20;
const PAGES = 300;

suite('attack 12: followers of a crawl', () => {
  test(`share what is read of its log: ${FOLLOWERS} of them get ${TOLD} events that were each made once`, async () => {
    await using agent = await startKernelAgent();
    const notifier = createRunNotifier();
    const runs = createRuns({ store: createRunStore(agent.database), notifier, clock: agent.clock });
    const source = { source_kind: 'url', source_id: null, source_name: 'https://site.test/', owner_id: 'runtime' };
    const { id } = runs.create({ kind: 'crawl', ...source }, () => null);
    const told = new Set<unknown>();
    const heard = Array.from({ length: FOLLOWERS }, async () => {
      const seqs: number[] = [];
      for await (const { id: seq, data } of runs.events(id, 0, new AbortController().signal)) {
        if (seq === undefined) continue;
        seqs.push(seq);
        told.add(data);
      }
      return seqs;
    });
    for (let fetched = 1; fetched < TOLD; fetched++) {
      await until(() => notifier.count() === FOLLOWERS);
      runs.append(id, { type: 'progress', counts: { fetched } });
    }
    await until(() => notifier.count() === FOLLOWERS);
    runs.settle(id, 'succeeded');
    const all = Array.from({ length: TOLD }, (_, i) => i + 1);
    for (const seqs of await Promise.all(heard)) assert.deepEqual(seqs, all);
    assert.equal(told.size, TOLD);
  });

  test(`hear of ${PAGES} pages at the pace of the clock, not of the pages`, async () => {
    const site = await startGeneratedSite(PAGES);
    try {
      await using agent = await startTestAgent();
      const startedMs = agent.clock.steadyMs();
      const { id } = await agent.client.crawl.start({ url: site.start, limit: PAGES, max_depth: 100, formats: [] });
      const follow = async () => {
        const events: RunEvent[] = [];
        await agent.client.waitForRun(id, { onEvent: (event) => events.push(event) });
        return events.filter(({ type }) => type === 'progress');
      };
      const [first = [], ...others] = await Promise.all(Array.from({ length: 3 }, follow));
      const { counts } = await agent.client.crawl.read({ id, limit: 1 });
      const seconds = Math.ceil((agent.clock.steadyMs() - startedMs) / 1000);
      assert.ok(counts.fetched > PAGES / 2, `${counts.fetched} pages`);
      assert.ok(first.length <= seconds + 2, `${first.length} in ${seconds} s`);
      for (const heard of others) assert.deepEqual(heard, first);
    } finally {
      await site.close();
    }
  });
});
