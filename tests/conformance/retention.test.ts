// What is past its time goes, with the files that it brought, and nothing else (D23).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Crawl, FileDescriptor, Monitor } from '@weft/contract';
import { startKernelAgent } from './kernel.ts';
import { PAGE_URL, twoPages } from './ways.ts';

const DAY_MS = 86_400_000;

test('a run goes after 90 days and its files with it; files of others stay', async () => {
  await using agent = await startKernelAgent({ fetcher: twoPages() });
  const scrape = async () => (await agent.json('POST', '/v1/crawl', { url: PAGE_URL, limit: 1, wait: true })).body as Crawl;
  const old = await scrape();
  const fileOf = async (runId: number | undefined) => {
    const { id } = (await agent.json('POST', '/v1/files/from-data', { dataset_id: old.dataset_id, format: 'csv' })).body as FileDescriptor;
    const adopt = agent.database.fast.prepare(`UPDATE file SET source_kind = 'run', source_id = ? WHERE id = ?`);
    if (runId !== undefined) adopt.run(runId, id);
    return id;
  };
  const files = [await fileOf(old.id), await fileOf(undefined)];
  agent.clock.advance(89 * DAY_MS);
  await agent.services.prune();
  const young = await scrape();
  files.push(await fileOf(young.id));
  agent.clock.advance(2 * DAY_MS);
  await agent.services.prune();
  const statuses = async (paths: readonly string[]) => await Promise.all(paths.map(async (path) => (await agent.json('GET', path)).status));
  assert.deepEqual(await statuses([`/v1/runs/${old.id}`, `/v1/runs/${young.id}`]), [404, 200]);
  assert.deepEqual(await statuses(files.map((id) => `/v1/files/${id}`)), [404, 200, 200]);
});

test('the picture of a test of a selector goes with its selector, and after 90 days', async () => {
  await using agent = await startKernelAgent();
  const adopt = async (selectorId: number) => {
    const { id } = (await agent.json('POST', '/v1/files/from-data', { dataset_id: 1, format: 'csv' })).body as FileDescriptor;
    agent.database.fast.prepare(`UPDATE file SET source_kind = 'selector', source_id = ? WHERE id = ?`).run(selectorId, id);
    return `/v1/files/${id}`;
  };
  const monitor = { url: PAGE_URL, active: false, selectors: [{ selector: 'h1' }, { selector: 'p' }] };
  const { id, selectors } = (await agent.json('POST', '/v1/monitors', monitor)).body as Monitor;
  const files = [await adopt(selectors[0]?.id ?? 0), await adopt(selectors[1]?.id ?? 0)];
  const statuses = async () => await Promise.all(files.map(async (path) => (await agent.json('GET', path)).status));
  const gone = await agent.json('DELETE', `/v1/monitors/${id}/selectors/${selectors[0]?.id}`);
  assert.equal(gone.status, 204, JSON.stringify(gone.body));
  await agent.services.prune();
  assert.deepEqual(await statuses(), [404, 200]);
  agent.clock.advance(91 * DAY_MS);
  await agent.services.prune();
  assert.deepEqual(await statuses(), [404, 404]);
});
