// Pictures of what monitors saw, taken by a real browser.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Change, HistoryDiff, Snapshot } from '@weft/contract';
import { createAddressGate, createFetcher } from '@weft/engine/io';
import { findBrowser } from '../browser.ts';
import { monitorStage } from '../monitor-stage.ts';

const page = (color: string, text: string) =>
  `<!doctype html><title>Shop</title><style>body{margin:0}div{width:200px;height:100px;background:${color}}</style><main><div></div><p>${text}</p></main>`;
const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47);

suite('a monitor that takes pictures', { timeout: 600_000 }, () => {
  test('keeps one of each check that found something new, and shows what changed in it', async () => {
    const fetcher = createFetcher({ gate: createAddressGate({ mode: 'agent' }), home: '/nowhere', chromePath: await findBrowser() });
    await using stage = await monitorStage({ fetcher });
    const id = await stage.watch({ screenshot: 'viewport' });
    await stage.see(id, page('red', 'old'), page('blue', 'old'), page('blue', 'new'));
    const { data } = await stage.read<{ data: Snapshot[] }>(`/x/monitors/${id}/snapshots`);
    assert.deepEqual(
      data.map(({ run_id, parts }) => [run_id, parts.map(({ part }) => part)]),
      [
        [3, ['values', 'body', 'picture']],
        [1, ['values', 'body', 'picture']],
      ],
    );
    const picture = await stage.get(`/x/monitors/${id}/snapshots/${data[0]?.id}/content?part=picture`);
    assert.equal(picture.headers.get('content-type'), 'image/png');
    assert.deepEqual((await picture.bytes()).subarray(0, 4), PNG);
    const [change] = await stage.read<Change[]>('/v1/changes/recent');
    const { difference } = await stage.read<HistoryDiff>(`/x/monitors/changes/${change?.id}/diff?as=picture`);
    assert.ok(difference.kind === 'pictures' && difference.same_size);
    assert.ok(difference.boxes.some(({ x, y, width, height }) => x === 0 && y === 0 && width >= 200 && height >= 100));
    const drawn = await stage.get(`/x/monitors/${id}/diff?as=picture&render=png`);
    assert.equal(drawn.headers.get('content-type'), 'image/png');
    assert.deepEqual((await drawn.bytes()).slice(0, 4), PNG);
  });

  test('is refused where no browser would take them', async () => {
    await using stage = await monitorStage();
    const refused = await fetch(`${stage.agent.baseUrl}/v1/monitors`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stage.agent.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: stage.url, screenshot: 'full', lane: 'http' }),
    });
    assert.equal(refused.status, 400);
    assert.match(((await refused.json()) as { error: string }).error, /taken by the browser/);
  });
});
