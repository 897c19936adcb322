// What monitors saw over time, over HTTP, on a page that changes.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import type {
  Change,
  Check,
  Dataset,
  Durations,
  HistoryDiff,
  Monitor,
  MonitorHour,
  Run,
  SeriesBucket,
  SeriesPoint,
  Snapshot,
  SnapshotWithValues,
} from '@weft/contract';
import { startTestAgent } from '../agent.ts';
import { monitorStage } from '../monitor-stage.ts';
import type { MonitorStage } from '../monitor-stage.ts';

interface List<Item> {
  readonly data: readonly Item[];
  readonly count: number;
  readonly next_cursor?: string;
}

const MINUTE_MS = 60_000;
const page = (price: string, text = 'A chair', more = '') =>
  `<title>Shop</title><main><p class="price">${price}</p><p class="text">${text}</p>${more}</main>`;
const PRICE = { selector: '.price', extractors: [{ type: 'price' }] };
const TEXT = { selector: '.text' };

/** SHA-256 of the contents that are on the disk. */
const contentsBelow = (home: string) =>
  readdirSync(join(home, 'blobs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath.slice(-2)}${name}`)
    .toSorted();
const hashesOf = (snapshots: readonly Snapshot[]) =>
  [...new Set(snapshots.flatMap(({ parts }) => parts.map(({ sha256 }) => sha256)))].toSorted();

/** All of a list that goes on by a cursor. */
async function paged<Item>(stage: MonitorStage, path: string): Promise<readonly Item[]> {
  const { data, next_cursor: cursor } = await stage.read<List<Item>>(path);
  return cursor === undefined ? data : [...data, ...(await paged<Item>(stage, `${path.replace(/&cursor=.*$/, '')}&cursor=${cursor}`))];
}

suite('snapshots', () => {
  test('T30 after thirty changes the five newest are kept, and index and files agree', async () => {
    const home = mkdtempSync(join(tmpdir(), 'weft-history-'));
    writeFileSync(join(home, 'config.json'), JSON.stringify({ retention: { snapshots_per_monitor: 5 } }));
    try {
      await using stage = await monitorStage({ home });
      const id = await stage.watch({ selectors: [PRICE] });
      await stage.see(id, ...Array.from({ length: 30 }, (_, i) => page(`€ ${i + 1}.00`)));
      const { data } = await stage.read<List<Snapshot>>(`/x/monitors/${id}/snapshots`);
      assert.deepEqual(
        data.map((snapshot) => snapshot.id),
        [30, 29, 28, 27, 26],
      );
      assert.deepEqual(contentsBelow(home), hashesOf(data));
      const { values } = await stage.read<SnapshotWithValues>(`/x/monitors/${id}/snapshots/26`);
      assert.deepEqual(values[0]?.value, { amount_minor: 2600, amount: '26.00', currency: 'EUR' });
      await stage.agent.client.monitors.delete({ id });
      assert.deepEqual(contentsBelow(home), []);
      const { data: datasets } = await stage.read<List<Dataset>>('/v1/datasets');
      assert.deepEqual(
        datasets.map(({ records, source_deleted: isAlone }) => [records, isAlone]),
        [[30, true]],
      );
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });

  test('are taken of what is new, and hold the values, the body and what came with it', async () => {
    await using stage = await monitorStage();
    const id = await stage.watch({ selectors: [TEXT] });
    await stage.see(id, page('1', 'old'), page('2', 'old'), page('2', 'new'));
    const { data, count } = await stage.read<List<Snapshot>>(`/x/monitors/${id}/snapshots?limit=1`);
    assert.deepEqual([data[0]?.run_id, count], [3, 1]);
    const content = await stage.get(`/x/monitors/${id}/snapshots/${data[0]?.id}/content`);
    assert.equal(await content.text(), page('2', 'new'));
    assert.deepEqual(
      ['content-type', 'content-disposition', 'x-content-type-options', 'content-security-policy'].map((name) => content.headers.get(name)),
      [
        'text/html; charset=utf-8',
        `attachment; filename="monitor-1-2-body.html"; filename*=UTF-8''monitor-1-2-body.html`,
        'nosniff',
        "sandbox; default-src 'none'",
      ],
    );
    const values: unknown = await (await stage.get(`/x/monitors/${id}/snapshots/2/content?part=values`)).json();
    assert.deepEqual(values, [{ selector_id: 1, name: 'text', type: 'text', value: 'new', text: 'new', compared: 'new' }]);
    const other = await stage.watch();
    for (const path of [`${other}/snapshots/2`, `${other}/snapshots/2/content`, `${id}/snapshots/2/content?part=picture`])
      assert.equal((await stage.get(`/x/monitors/${path}`)).status, 404, path);
  });

  test('survive the agent, and equal contents are kept once', async () => {
    const home = mkdtempSync(join(tmpdir(), 'weft-history-'));
    try {
      let before: List<Snapshot>;
      {
        await using stage = await monitorStage({ home });
        const id = await stage.watch({ selectors: [TEXT] });
        await stage.see(id, page('1', 'a'), page('1', 'b'), page('1', 'a'));
        before = await stage.read(`/x/monitors/${id}/snapshots`);
        assert.deepEqual([before.count, contentsBelow(home).length], [3, 4]);
      }
      await using agent = await startTestAgent({ home });
      assert.deepEqual(await agent.client.monitors.snapshots({ id: 1 }), before);
      const { damaged } = await agent.client.files.verify();
      assert.deepEqual(damaged, []);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});

suite('differences', () => {
  const shop = async (stage: MonitorStage) => {
    const id = await stage.watch({ selectors: [PRICE, TEXT, { selector: 'li', many: true, extractors: [{ type: 'list' }] }] });
    await stage.see(
      id,
      page('€ 10.00', 'One line<br>and another', '<ul><li>a</li><li>b</li></ul>'),
      page('€ 12.00', 'One line<br>and a third', '<ul><li>b</li><li>c</li></ul>'),
    );
    return id;
  };

  test('of a change are told in every form', async () => {
    await using stage = await monitorStage();
    await shop(stage);
    const changes = await stage.read<Change[]>('/v1/changes/recent');
    const of = (kind: string, name: string) => changes.find((one) => one.kind === kind && one.name === name)?.id;
    const text = of('changed', 'text');
    const kinds = await Promise.all(
      ['word', 'line', 'unified', 'side_by_side', 'json'].map(
        async (as) => (await stage.read<HistoryDiff>(`/x/monitors/changes/${text}/diff?as=${as}`)).difference.kind,
      ),
    );
    assert.deepEqual(kinds, ['text', 'text', 'unified', 'side_by_side', 'json']);
    const { difference, ...sides } = await stage.read<HistoryDiff>(`/x/monitors/changes/${text}/diff`);
    assert.deepEqual([sides.old.snapshot_id, sides.new.snapshot_id, sides.change_id], [1, 2, text]);
    assert.deepEqual(difference.kind === 'text' && difference.parts.filter(({ kind }) => kind !== 'same'), [
      { kind: 'removed', text: 'another' },
      { kind: 'added', text: 'a third' },
    ]);
    const { difference: list } = await stage.read<HistoryDiff>(`/x/monitors/changes/${of('changed', 'list')}/diff`);
    assert.deepEqual(list.kind === 'items' && [list.added.length, list.gone.length, list.unchanged], [1, 1, 1]);
    const { difference: price } = await stage.read<HistoryDiff>(`/x/monitors/changes/${of('price', 'price')}/diff`);
    assert.deepEqual(price.kind === 'json' && price.changes[0], { kind: 'changed', pointer: '/amount_minor', old: 1000, new: 1200 });
    const { difference: words } = await stage.read<HistoryDiff>(`/x/monitors/changes/${of('price', 'price')}/diff?as=word`);
    assert.deepEqual(words.kind === 'text' && words.parts.at(-1), { kind: 'same', text: ' EUR' });
  });

  test('are written for people, as files', async () => {
    await using stage = await monitorStage();
    const id = await shop(stage);
    const written = async (render: string) => {
      const answer = await stage.get(`/x/monitors/${id}/diff?selector_id=2&render=${render}`);
      return [answer.headers.get('content-type'), answer.headers.get('content-disposition')?.split(';')[1], await answer.text()];
    };
    assert.deepEqual(await written('text'), [
      'text/plain; charset=utf-8',
      ' filename="monitor-1-diff.txt"',
      'One line\nand [-another-]{+a third+}\n',
    ]);
    assert.deepEqual((await written('markdown'))[0], 'text/markdown; charset=utf-8');
    const [type, name, body = ''] = await written('html');
    assert.deepEqual([type, name], ['text/html; charset=utf-8', ' filename="monitor-1-diff.html"']);
    assert.match(body ?? '', /<del>another<\/del><ins>a third<\/ins>/);
  });

  test('of two bodies are of their source, or of what JSON says', async () => {
    await using stage = await monitorStage();
    const id = await stage.watch();
    for (const body of ['{"a":1,"b":[1,2]}', '{"b":[1,3],"a":1}']) {
      stage.show({ body, type: 'application/json' });
      await stage.check(id);
    }
    const { difference } = await stage.read<HistoryDiff>(`/x/monitors/${id}/diff?part=body`);
    assert.deepEqual(difference.kind === 'json' && difference.changes.map(({ pointer }) => pointer), ['/b/1']);
    const { difference: lines } = await stage.read<HistoryDiff>(`/x/monitors/${id}/diff?part=body&as=line`);
    assert.equal(lines.kind === 'text' && lines.removed, 1);
  });

  test('that nobody can make are refused with what to do', async () => {
    await using stage = await monitorStage();
    const id = await shop(stage);
    const cases = [
      [`/x/monitors/${id}/diff`, 404, /send "selector_id"/],
      [`/x/monitors/${id}/diff?extractor_id=1`, 400, /"selector_id" that it belongs to/],
      [`/x/monitors/${id}/diff?from=1&to=9`, 404, /has no snapshot 9/],
      [`/x/monitors/${id}/diff?to=1`, 404, /kept from before 1/],
      [`/x/monitors/${id}/diff?selector_id=2&as=items`, 400, /compares lists/],
      [`/x/monitors/${id}/diff?part=body&as=json`, 400, /is no JSON/],
      [`/x/monitors/${id}/diff?as=picture`, 404, /set "screenshot"/],
      [`/x/monitors/${id}/diff?selector_id=2&render=png`, 400, /is for "as": "picture"/],
    ] as const;
    for (const [path, status, sentence] of cases) {
      const answer = await stage.get(path);
      assert.deepEqual([path, answer.status], [path, status]);
      assert.match(((await answer.json()) as { error: string }).error, sentence);
    }
  });

  test('of a change outlive its snapshots', async () => {
    const home = mkdtempSync(join(tmpdir(), 'weft-history-'));
    writeFileSync(join(home, 'config.json'), JSON.stringify({ retention: { snapshots_per_monitor: 1 } }));
    try {
      await using stage = await monitorStage({ home });
      const id = await stage.watch({ selectors: [TEXT] });
      await stage.see(id, page('', 'a'), page('', 'b'), page('', 'c'));
      const { difference, old } = await stage.read<HistoryDiff>('/x/monitors/changes/1/diff');
      assert.deepEqual(old, {});
      assert.deepEqual(difference.kind === 'text' && difference.parts, [
        { kind: 'removed', text: 'a' },
        { kind: 'added', text: 'b' },
      ]);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});

suite('how a value went', () => {
  test('is told by points, page by page, and by buckets', async () => {
    await using stage = await monitorStage();
    const startMs = stage.agent.clock.now();
    const id = await stage.watch({ selectors: [PRICE] });
    for (const euros of [10, 12, 12, 9, 'gone', 20]) await stage.see(id, euros === 'gone' ? '<main></main>x' : page(`€ ${euros}.00`));
    const path = `/x/monitors/${id}/values?selector_id=1&extractor_id=1`;
    const points = await paged<SeriesPoint>(stage, `${path}&limit=2`);
    assert.deepEqual(
      points.map(({ at, text }) => [(Date.parse(at) - startMs) / MINUTE_MS, text]),
      [
        [1, '10.00 EUR'],
        [2, '12.00 EUR'],
        [4, '9.00 EUR'],
        [6, '20.00 EUR'],
      ],
    );
    stage.agent.clock.advance(4 * MINUTE_MS);
    const { data } = await stage.read<List<SeriesBucket>>(`${path}&bucket=hour`);
    const mean = (10 * 1 + 12 * 2 + 9 * 2 + 20 * 4) / 9;
    assert.deepEqual(
      data.map(({ at, points: n, min, max, currency, first, last, mean: counted = 0 }) => ({
        at,
        n,
        min,
        max,
        currency,
        first,
        last,
        mean: counted.toFixed(6),
      })),
      [
        {
          at: new Date(startMs).toISOString(),
          n: 4,
          min: 900,
          max: 2000,
          currency: 'EUR',
          first: { amount_minor: 1000, amount: '10.00', currency: 'EUR' },
          last: { amount_minor: 2000, amount: '20.00', currency: 'EUR' },
          mean: (100 * mean).toFixed(6),
        },
      ],
    );
    const since = new Date(startMs + 4 * MINUTE_MS).toISOString();
    const { data: minutes } = await stage.read<List<SeriesBucket>>(`${path}&bucket=minute&since=${since}&limit=1`);
    assert.deepEqual([minutes.length, minutes[0]?.at, minutes[0]?.mean], [1, since, 900]);
    const { data: all } = await stage.read<List<SeriesBucket>>(`${path}&bucket=minute`);
    assert.deepEqual(await paged<SeriesBucket>(stage, `${path}&bucket=minute&limit=1`), all);
    assert.equal(all.length, 4);
    assert.equal((await stage.get(`/x/monitors/${id}/durations?selector_id=1&extractor_id=1`)).status, 400);
    assert.equal((await stage.get(`/x/monitors/${id}/values?extractor_id=1`)).status, 400);
    for (const query of ['', '?selector_id=99', '?selector_id=1&extractor_id=99']) {
      const none = await stage.get(`/x/monitors/${id}/values${query}`);
      assert.equal(none.status, 400, query);
      assert.match(((await none.json()) as { error: string }).error, /what is read here is "[^"]+" \(selector_id=1&extractor_id=1\)/);
    }
  });

  test('is told by how long it was in each state', async () => {
    await using stage = await monitorStage();
    const startMs = stage.agent.clock.now();
    const id = await stage.watch({ selectors: [{ selector: '.text', extractors: [{ type: 'availability' }] }] });
    await stage.see(id, page('', 'In stock'), page('', 'Out of stock'), page('', 'Out of stock'), page('', 'In stock'));
    stage.agent.clock.advance(2 * MINUTE_MS);
    const of = `/x/monitors/${id}/durations?selector_id=1&extractor_id=1`;
    const { total, spans, buckets } = await stage.read<Durations>(`${of}&bucket=minute`);
    assert.deepEqual(total, [
      { state: 'in_stock', seconds: 180, share: 0.6 },
      { state: 'out_of_stock', seconds: 120, share: 0.4 },
    ]);
    const minutes = (instant: string) => (Date.parse(instant) - startMs) / MINUTE_MS;
    assert.deepEqual(
      spans.map(({ state, from, to }) => [state, minutes(from), minutes(to)]),
      [
        ['in_stock', 1, 2],
        ['out_of_stock', 2, 4],
        ['in_stock', 4, 6],
      ],
    );
    assert.deepEqual(buckets?.[1], { at: new Date(startMs + 2 * MINUTE_MS).toISOString(), states: { out_of_stock: 60 } });
  });

  test('is told of the monitor itself as well', async () => {
    await using stage = await monitorStage();
    const id = await stage.watch({ trouble: { after: 1 } });
    await stage.see(id, 'a');
    stage.show({ body: '', status: 500 });
    stage.agent.clock.advance(MINUTE_MS);
    await stage.check(id);
    stage.agent.clock.advance(3 * MINUTE_MS);
    await stage.see(id, 'a');
    const { of, total } = await stage.read<Durations>(`/x/monitors/${id}/durations`);
    assert.deepEqual(
      [of, total.map(({ state, seconds }) => [state, seconds >= 120])],
      [
        'monitor',
        [
          ['error', true],
          ['ok', true],
        ],
      ],
    );
    assert.equal((await stage.get(`/x/monitors/${id}/durations?bucket=minute&since=2000-01-01T00:00:00Z`)).status, 200);
  });
});

suite('checks that found nothing new', () => {
  test('D23 are summed up by the hour, the last twenty are kept, and the feed passes over them', async () => {
    await using stage = await monitorStage();
    const id = await stage.watch({ selectors: [TEXT] });
    await stage.see(id, page('', 'a'), ...Array.from({ length: 25 }, () => page('', 'a')), page('', 'b'));
    stage.show({ body: '', status: 500 });
    await stage.check(id);
    const { data: hours } = await stage.read<List<MonitorHour>>(`/x/monitors/${id}/hours`);
    assert.deepEqual(
      hours.map(({ checks, unchanged, trouble }) => [checks, unchanged, trouble]),
      [[28, 25, 1]],
    );
    const checks = await stage.read<List<Check>>(`/x/monitors/${id}/checks?limit=100`);
    assert.deepEqual(
      ['first', 'unchanged', 'changed', 'trouble'].map((verdict) => checks.data.filter((check) => check.verdict === verdict).length),
      [1, 20, 1, 1],
    );
    const { data: runs } = await stage.read<List<Run>>('/v1/runs');
    const { data: all } = await stage.read<List<Run>>('/v1/runs?kind=monitor');
    assert.deepEqual([runs.length, all.length], [3, 23]);
    const { checks: counted } = await stage.read<Monitor>(`/v1/monitors/${id}`);
    assert.equal(counted, 28);
  });
});

suite('a feed of changes', () => {
  test('is Atom, with the differences, under names that stay', async () => {
    await using stage = await monitorStage();
    const shop = await stage.watch({ name: 'Shop <1>', tags: ['shop'], selectors: [TEXT] });
    const other = await stage.watch({ name: 'Other', selectors: [TEXT] });
    await stage.see(shop, page('', 'old &amp; \u0001dusty'), page('', 'new'));
    await stage.see(other, page('', 'x'), page('', 'y'));
    const answer = await stage.get(`/x/monitors/${shop}/atom`);
    assert.equal(answer.headers.get('content-type'), 'application/atom+xml; charset=utf-8');
    const feed = await answer.text();
    const [change] = await stage.read<Change[]>(`/v1/changes/recent?tag=shop`);
    assert.match(feed, /^<\?xml version="1\.0" encoding="utf-8"\?>\n<feed xmlns="http:\/\/www\.w3\.org\/2005\/Atom">/);
    assert.match(feed, new RegExp(`<id>tag:127\\.0\\.0\\.1,2026:[0-9a-f]{32}/x/monitors/changes/${change?.id}</id>`));
    assert.ok(feed.includes(`<updated>${change?.created_at}</updated>`));
    assert.ok(feed.includes('<title>Changes of Shop &#60;1&#62;</title>'));
    assert.ok(feed.includes('&#60;del&#62;old &#38;#38; dusty&#60;/del&#62;&#60;ins&#62;new&#60;/ins&#62;'));
    assert.ok(!/[\u0000-\u0008]/.test(feed));
    const entries = async (path: string) => ((await (await stage.get(path)).text()).match(/<entry>/g) ?? []).length;
    assert.deepEqual(
      await Promise.all(
        ['/x/monitors/atom', '/x/monitors/atom?tag=shop', '/x/monitors/atom?tag=none', '/x/monitors/atom?limit=1'].map(entries),
      ),
      [2, 1, 0, 1],
    );
    const open = await fetch(`${stage.agent.baseUrl}/x/monitors/atom`);
    assert.equal(open.status, 401);
  });
});
