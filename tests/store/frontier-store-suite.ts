// What every crawl store must hold to: the rules that the port states, one test each.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { UrlOffer, UrlSource } from '../../packages/engine/src/crawl/ledger.ts';
import { StaleOwnerError } from '../../packages/engine/src/crawl/frontier-store.ts';
import type { FrontierStore, LeasedUrl, Settlement } from '../../packages/engine/src/crawl/frontier-store.ts';

/** One line of a ledger, as the suite reads it. */
export interface LedgerEntry {
  readonly url: string;
  readonly outcome: 'fetched' | 'reused' | 'failed' | 'skipped' | 'pending';
  readonly reason: string | undefined;
  readonly rule: string | undefined;
  readonly parent: string | undefined;
  readonly source: UrlSource;
  readonly depth: number;
  readonly status: number | undefined;
  /** Where it answered, when that is another address. */
  readonly finalUrl: string | undefined;
  readonly contentHash: string | undefined;
}

/** A crawl in a store under test. The sink's result is a string. */
export interface CrawlUnderTest {
  readonly store: FrontierStore<string>;
  /** Another store object on the same crawl, as a second process would have it. */
  again(): Promise<FrontierStore<string>>;
  /** The whole ledger in order of discovery. */
  ledger(): Promise<readonly LedgerEntry[]>;
  /** What was recorded of kept pages, in any order. */
  results(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const HOST = 'https://shop.test';

function offer(path: string, over: Partial<UrlOffer> = {}): UrlOffer {
  const url = path.startsWith('/') ? `${HOST}${path}` : path;
  return {
    url,
    identity: url,
    key: url,
    host: new URL(url).origin,
    depth: 1,
    source: 'link',
    parent: `${HOST}/`,
    skip: undefined,
    ...over,
  };
}

function fetched(id: number, contentHash: string, offers: readonly UrlOffer[] = [], finalUrl = `${HOST}/final-${id}`): Settlement<string> {
  return { id, offers, verdict: { outcome: 'fetched', status: 200, finalUrl, contentHash, result: `page ${id}`, rule: undefined } };
}

function aliased(id: number, contentHash: string, target: UrlOffer): Settlement<string> {
  const skip = { reason: 'canonical', rule: target.url } as const;
  return { id, offers: [target], verdict: { outcome: 'skipped', skip, status: 200, contentHash, aliasOf: target.identity } };
}

async function leaseAll(store: FrontierStore<string>, count = 100, host = HOST): Promise<readonly LeasedUrl[]> {
  return store.lease([{ host, count }], 0, 1_000);
}

async function leaseOne(store: FrontierStore<string>): Promise<LeasedUrl> {
  const [leased] = await leaseAll(store, 1);
  assert.ok(leased, 'nothing to lease');
  return leased;
}

/** Counts are what the ledger holds, and they add up. */
async function assertBalanced(crawl: CrawlUnderTest): Promise<void> {
  const counts = await crawl.store.counts();
  const ledger = await crawl.ledger();
  const number = (outcome: LedgerEntry['outcome']) => ledger.filter((entry) => entry.outcome === outcome).length;
  assert.deepEqual(counts, {
    discovered: ledger.length,
    fetched: number('fetched'),
    reused: number('reused'),
    failed: number('failed'),
    skipped: number('skipped'),
    pending: number('pending'),
  });
  assert.equal(counts.discovered, counts.fetched + counts.reused + counts.failed + counts.skipped + counts.pending);
}

/** Runs the suite on stores that `makeCrawl` makes; each test gets a new crawl. */
export function frontierStoreSuite(name: string, makeCrawl: () => Promise<CrawlUnderTest>): void {
  const check = (promise: string, body: (crawl: CrawlUnderTest) => Promise<void>): void => {
    test(promise, async () => {
      const crawl = await makeCrawl();
      try {
        await body(crawl);
        await assertBalanced(crawl);
      } finally {
        await crawl.close();
      }
    });
  };

  describe(`${name} frontier store`, () => {
    check('opens a new crawl empty', async ({ store }) => {
      const resumed = await store.open();
      assert.deepEqual(resumed.counts, { discovered: 0, fetched: 0, reused: 0, failed: 0, skipped: 0, pending: 0 });
      assert.equal(resumed.pendingByHost.size, 0);
      assert.equal(resumed.memory, undefined);
    });

    check('tells the first lines in order of discovery, with what became of them', async ({ store }) => {
      await store.open();
      const skip = { reason: 'excluded', rule: '/b*' } as const;
      await store.offer([offer('/', { source: 'seed', depth: 0 }), offer('/b', { skip }), offer('/c')]);
      const leased = await leaseOne(store);
      await store.settle([
        { id: leased.id, offers: [], verdict: { outcome: 'failed', reason: 'dns', rule: 'no such host', status: undefined } },
      ]);
      assert.deepEqual(await store.firstLines(2), [
        { url: `${HOST}/`, source: 'seed', outcome: 'failed', reason: 'dns', rule: 'no such host' },
        { url: `${HOST}/b`, source: 'link', outcome: 'skipped', reason: 'excluded', rule: '/b*' },
      ]);
      assert.deepEqual((await store.firstLines(9)).slice(2), [{ url: `${HOST}/c`, source: 'link', outcome: 'pending' }]);
    });

    check('adds each identity once and tells how many became pending', async ({ store, ledger }) => {
      await store.open();
      const added = await store.offer([
        offer('/a'),
        offer('/a'),
        offer('/b', { skip: { reason: 'excluded', rule: '/b' } }),
        offer('https://x.test/c'),
      ]);
      assert.deepEqual(Object.fromEntries(added), { [HOST]: 1, 'https://x.test': 1 });
      assert.equal((await store.offer([offer('/a'), offer('/b')])).size, 0);
      assert.deepEqual(
        (await ledger()).map((entry) => [entry.url, entry.outcome, entry.reason, entry.rule]),
        [
          [`${HOST}/a`, 'pending', undefined, undefined],
          [`${HOST}/b`, 'skipped', 'excluded', '/b'],
          ['https://x.test/c', 'pending', undefined, undefined],
        ],
      );
    });

    check('takes addresses with one identity for one', async ({ store }) => {
      await store.open();
      await store.offer([offer('/a?x=1', { identity: `${HOST}/a` }), offer('/a?x=2', { identity: `${HOST}/a` })]);
      assert.deepEqual(
        (await leaseAll(store)).map((leased) => leased.url),
        [`${HOST}/a?x=1`],
      );
    });

    check('takes thousands of offers in one call', async ({ store }) => {
      await store.open();
      const offers = Array.from({ length: 5_000 }, (_, i) => offer(`/p/${i % 2_500}`));
      assert.equal((await store.offer(offers)).get(HOST), 2_500);
      assert.equal((await store.counts()).discovered, 2_500);
      assert.equal((await leaseAll(store, 2_000)).length, 2_000);
      assert.equal((await leaseAll(store, 2_000)).length, 500);
    });

    check('leases by depth, then in order of discovery, twins last', async ({ store }) => {
      await store.open();
      const twin = (path: string, depth: number) => offer(path, { depth, key: 'twin' });
      await store.offer([offer('/deep', { depth: 3 }), twin('/one', 2), twin('/one/', 0), offer('/b'), offer('/a')]);
      assert.deepEqual(
        (await leaseAll(store)).map((leased) => leased.url.slice(HOST.length)),
        ['/b', '/a', '/one', '/deep', '/one/'],
      );
    });

    check('leases other views of a page after its neighbours, whatever their depth', async ({ store }) => {
      await store.open();
      await store.offer([{ ...offer('/a?view=history', { depth: 0 }), isLate: true }, offer('/b', { depth: 3 }), offer('/a')]);
      assert.deepEqual(
        (await leaseAll(store)).map((leased) => leased.url.slice(HOST.length)),
        ['/a', '/b', '/a?view=history'],
      );
    });

    check('leases first what pages call canonical', async ({ store }) => {
      await store.open();
      await store.offer([offer('/a', { depth: 0 }), offer('/b', { depth: 0 }), offer('/c', { depth: 3, source: 'canonical' })]);
      assert.equal((await leaseOne(store)).url, `${HOST}/c`);
    });

    check('settles an answer under the address that it belongs to, known or not, waiting or leased, and records it once', async (crawl) => {
      const { store, ledger, results } = crawl;
      await store.open();
      await store.offer([offer('/a'), offer('/b'), offer('/c'), offer('/target'), offer('/d')]);
      const [a, b, c, target] = await leaseAll(store, 4);
      assert.ok(a && b && c && target);
      const moved = (id: number, to: string, result: string): Settlement<string> => {
        const skip = { reason: 'redirect', rule: `redirects to ${to}` } as const;
        const verdict = { outcome: 'fetched', status: 200, finalUrl: `${HOST}${to}`, contentHash: to, result, rule: undefined } as const;
        const owner = { offer: offer(to, { source: 'redirect' }), verdict };
        return { id, owner, offers: [], verdict: { outcome: 'skipped', skip, status: 200, contentHash: undefined, aliasOf: undefined } };
      };
      await store.settle([
        moved(a.id, '/new', 'new'),
        moved(b.id, '/target', 'target'),
        moved(c.id, '/new', 'again'),
        fetched(target.id, 'late'),
      ]);
      assert.deepEqual((await results()).toSorted(), ['new', 'target']);
      assert.deepEqual(
        (await ledger()).map((entry) => [entry.url.slice(HOST.length), entry.reason ?? entry.outcome]),
        [
          ['/a', 'redirect'],
          ['/b', 'redirect'],
          ['/c', 'redirect'],
          ['/target', 'fetched'],
          ['/d', 'pending'],
          ['/new', 'fetched'],
        ],
      );
      assert.equal((await store.find({ contentHash: '/new', own: undefined, identities: [] })).sameContent?.url, `${HOST}/new`);
    });

    check('takes a canonical address for the same page when it differs by a line', async ({ store, ledger }) => {
      await store.open();
      await store.offer([offer('/a'), offer('/b')]);
      const [a, b] = await leaseAll(store);
      assert.ok(a && b);
      const sketch = (bits: string) => `64.${bits.padEnd(64, '0')}`;
      const waiting = (id: number, bits: string): Settlement<string> => {
        const settlement = aliased(id, `h${id}`, offer('/canonical', { source: 'canonical' }));
        return { ...settlement, verdict: { ...settlement.verdict, sketch: sketch(bits) } as Settlement<string>['verdict'] };
      };
      await store.settle([waiting(a.id, '7'), waiting(b.id, 'ffffffff')]);
      const canonical = await leaseOne(store);
      const settlement = fetched(canonical.id, 'own');
      await store.settle([{ ...settlement, verdict: { ...settlement.verdict, sketch: sketch('0') } as Settlement<string>['verdict'] }]);
      assert.deepEqual(
        (await ledger()).map((entry) => entry.reason ?? entry.outcome),
        ['duplicate', 'pending', 'fetched'],
      );
    });

    check('settles a waiting address that turns out to act or to redirect, but never a seed', async ({ store, ledger }) => {
      await store.open();
      await store.offer([offer('/a'), offer('/b'), offer('/c', { source: 'seed', parent: undefined })]);
      const acts = { reason: 'acts', rule: 'data-method="delete"' } as const;
      await store.offer([
        offer('/a', { skip: acts }),
        offer('/b', { skip: { reason: 'redirect', rule: 'redirects to /d' } }),
        offer('/c', { skip: acts }),
      ]);
      assert.deepEqual(
        (await ledger()).map((entry) => entry.reason ?? entry.outcome),
        ['acts', 'redirect', 'pending'],
      );
    });

    check('leases no address twice, gives released ones out again, and those whose lease has ended', async ({ store }) => {
      await store.open();
      await store.offer([offer('/a'), offer('/b')]);
      const first = await leaseOne(store);
      assert.deepEqual(
        (await leaseAll(store)).map((leased) => leased.url),
        [`${HOST}/b`],
      );
      assert.equal((await leaseAll(store)).length, 0);
      await store.release([first.id]);
      assert.equal((await leaseOne(store)).url, first.url);
      assert.equal((await store.lease([{ host: HOST, count: 9 }], 999, 2_000)).length, 0);
      assert.equal((await store.lease([{ host: HOST, count: 9 }], 1_000, 2_000)).length, 2);
    });

    check('leases from several hosts in one call, each up to its count', async ({ store }) => {
      await store.open();
      await store.offer(['/a', '/b', 'https://x.test/c', 'https://x.test/d'].map((path) => offer(path)));
      const wants = [
        { host: 'https://x.test', count: 1 },
        { host: HOST, count: 5 },
        { host: 'https://unknown.test', count: 5 },
      ];
      assert.deepEqual((await store.lease(wants, 0, 1)).map((leased) => leased.url).toSorted(), [
        `${HOST}/a`,
        `${HOST}/b`,
        'https://x.test/c',
      ]);
    });

    check('hands out what was offered, whole', async ({ store }) => {
      await store.open();
      await store.offer([offer('/a', { key: 'k', depth: 4, source: 'pagination', parent: `${HOST}/list` })]);
      const { id, ...leased } = await leaseOne(store);
      assert.equal(typeof id, 'number');
      assert.deepEqual(leased, {
        url: `${HOST}/a`,
        key: 'k',
        host: HOST,
        depth: 4,
        source: 'pagination',
        parent: `${HOST}/list`,
        ignoresCanonical: false,
        twin: undefined,
      });
    });

    check('settles page, ledger, new addresses and counts together', async ({ store, ledger, results }) => {
      await store.open();
      await store.offer([offer('/a'), offer('/b'), offer('/c'), offer('/d')]);
      const [a, b, c, d] = (await leaseAll(store)).map((leased) => leased.id) as [number, number, number, number];
      const settled = await store.settle([
        fetched(a, 'h1', [offer('/e'), offer('/a')]),
        { id: b, offers: [], verdict: { outcome: 'failed', reason: 'http_status', rule: 'HTTP 404', status: 404 } },
        {
          id: c,
          offers: [],
          verdict: {
            outcome: 'skipped',
            skip: { reason: 'robots', rule: 'Disallow: /c' },
            status: undefined,
            contentHash: undefined,
            aliasOf: undefined,
          },
        },
        {
          id: d,
          offers: [],
          verdict: { outcome: 'reused', status: 200, finalUrl: `${HOST}/d`, contentHash: 'h2', result: `page ${d}`, rule: 'Disallow: /d' },
        },
      ]);
      assert.deepEqual(settled.counts, { discovered: 5, fetched: 1, reused: 1, failed: 1, skipped: 1, pending: 1 });
      assert.deepEqual(Object.fromEntries(settled.pendingByHost), { [HOST]: 1 });
      assert.deepEqual((await results()).toSorted(), [`page ${a}`, `page ${d}`].toSorted());
      assert.deepEqual(
        (await ledger()).map((entry) => [entry.outcome, entry.reason, entry.rule, entry.status]),
        [
          ['fetched', undefined, undefined, 200],
          ['failed', 'http_status', 'HTTP 404', 404],
          ['skipped', 'robots', 'Disallow: /c', undefined],
          ['reused', undefined, 'Disallow: /d', 200],
          ['pending', undefined, undefined, undefined],
        ],
      );
    });

    check('records no page twice: what is not leased is left out with its offers', async ({ store, results }) => {
      await store.open();
      await store.offer([offer('/a'), offer('/b')]);
      const { id } = await leaseOne(store);
      await store.settle([fetched(id, 'h'), fetched(id, 'h', [offer('/x')])]);
      await store.settle([fetched(id, 'h', [offer('/y')]), fetched(id + 1, 'h', [offer('/z')]), fetched(9_999, 'h')]);
      assert.deepEqual(await results(), [`page ${id}`]);
      assert.equal((await store.counts()).discovered, 2);
    });

    check('keeps what the loop has learnt, and only when it is given', async ({ store, again }) => {
      await store.open();
      await store.settle([], 'learnt');
      await store.settle([]);
      assert.equal((await (await again()).open()).memory, 'learnt');
    });

    check('goes on at once when a killed owner is followed by another', async ({ store, again, results }) => {
      await store.open();
      await store.offer([offer('/a'), offer('/b'), offer('/c')]);
      const [first, second] = await leaseAll(store, 2);
      assert.ok(first && second);
      await store.settle([fetched(first.id, 'h')]);
      const next = await again();
      const resumed = await next.open();
      assert.deepEqual(Object.fromEntries(resumed.pendingByHost), { [HOST]: 2 });
      assert.deepEqual(resumed.counts, { discovered: 3, fetched: 1, reused: 0, failed: 0, skipped: 0, pending: 2 });
      await assert.rejects(store.settle([fetched(second.id, 'h2')]), StaleOwnerError);
      await assert.rejects(store.release([second.id]), StaleOwnerError);
      const rest = await leaseAll(next);
      await next.settle(rest.map((leased) => fetched(leased.id, `h${leased.id}`)));
      assert.equal((await results()).length, 3);
      assert.equal(new Set(await results()).size, 3);
    });

    check('lets a smaller depth replace a larger one while the address waits, never the other way', async ({ store, ledger }) => {
      await store.open();
      await store.offer([offer('/a', { depth: 3, parent: `${HOST}/far` })]);
      await store.offer([offer('/a', { depth: 1, parent: `${HOST}/near`, source: 'sitemap' }), offer('/a', { depth: 5 })]);
      const [entry] = await ledger();
      assert.deepEqual([entry?.depth, entry?.parent, entry?.source], [1, `${HOST}/near`, 'sitemap']);
    });

    check('reopens what was too deep when a shorter way is found, and nothing else', async ({ store, ledger }) => {
      await store.open();
      await store.offer([
        offer('/a', { depth: 9, skip: { reason: 'depth', rule: 'max_depth is 3' } }),
        offer('/b', { skip: { reason: 'excluded', rule: '/b' } }),
      ]);
      const added = await store.offer([offer('/a', { depth: 2, parent: `${HOST}/near` }), offer('/b')]);
      assert.deepEqual(Object.fromEntries(added), { [HOST]: 1 });
      const [a, b] = await ledger();
      assert.deepEqual([a?.outcome, a?.depth, a?.parent, a?.reason], ['pending', 2, `${HOST}/near`, undefined]);
      assert.equal(b?.outcome, 'skipped');
    });

    check('settles a waiting address that is offered as a duplicate, unless it is leased', async ({ store, ledger }) => {
      await store.open();
      await store.offer([offer('/a'), offer('/b')]);
      await leaseOne(store);
      const skip = { reason: 'duplicate', rule: 'answered for another' } as const;
      await store.offer([offer('/a', { skip }), offer('/b', { skip })]);
      assert.deepEqual(
        (await ledger()).map((entry) => entry.outcome),
        ['pending', 'skipped'],
      );
      assert.equal((await leaseAll(store)).length, 0);
    });

    check('finds pages by content, by identity and by the address that answered', async ({ store }) => {
      await store.open();
      await store.offer([offer('/a'), offer('/b'), offer('/c'), offer('/moved')]);
      const [a, b] = await leaseAll(store, 2);
      assert.ok(a && b);
      assert.equal((await store.find({ contentHash: undefined, own: `${HOST}/moved`, identities: [] })).own, undefined);
      await store.settle([fetched(a.id, 'same', [], `${HOST}/moved`), fetched(b.id, 'same', [], b.url)]);
      const found = await store.find({
        contentHash: 'same',
        own: `${HOST}/moved`,
        identities: [`${HOST}/moved`, `${HOST}/c`, `${HOST}/none`],
      });
      assert.equal(found.sameContent?.url, a.url);
      assert.deepEqual(found.byIdentity.get(`${HOST}/moved`), { url: a.url, state: 'fetched', contentHash: 'same', sketch: undefined });
      assert.equal(found.own?.url, a.url);
      assert.equal(found.byIdentity.get(`${HOST}/c`)?.state, 'pending');
      assert.equal(found.byIdentity.has(`${HOST}/none`), false);
      const nothing = await store.find({ contentHash: undefined, own: b.url, identities: [] });
      assert.deepEqual([nothing.sameContent, nothing.own], [undefined, undefined]);
    });

    check('hands out the oldest kept address of the same key as twin', async ({ store }) => {
      await store.open();
      await store.offer(['/a', '/a/', '/a?'].map((path) => offer(path, { key: 'k' })));
      const first = await leaseOne(store);
      await store.settle([fetched(first.id, 'h')]);
      const rest = await leaseAll(store);
      assert.deepEqual(
        rest.map((leased) => leased.twin),
        [
          { url: first.url, contentHash: 'h', sketch: undefined },
          { url: first.url, contentHash: 'h', sketch: undefined },
        ],
      );
    });

    check('confirms a canonical address by its content', async ({ store, ledger }) => {
      await store.open();
      await store.offer([offer('/a'), offer('/b')]);
      const [a, b] = await leaseAll(store);
      assert.ok(a && b);
      const target = offer('/canonical', { source: 'canonical' });
      await store.settle([aliased(a.id, 'same', target), aliased(b.id, 'other', target)]);
      assert.deepEqual(await store.counts(), { discovered: 3, fetched: 0, reused: 0, failed: 0, skipped: 2, pending: 1 });
      const canonical = await leaseOne(store);
      const settled = await store.settle([fetched(canonical.id, 'same')]);
      assert.deepEqual(Object.fromEntries(settled.pendingByHost), { [HOST]: 1 });
      const [first, second] = await ledger();
      assert.deepEqual([first?.outcome, first?.reason, first?.rule], ['skipped', 'duplicate', `${HOST}/canonical`]);
      assert.deepEqual([second?.outcome, second?.reason], ['pending', undefined]);
      const reopened = await leaseOne(store);
      assert.deepEqual([reopened.url, reopened.ignoresCanonical], [b.url, true]);
    });

    check('reopens what waits for a canonical address that fails, also when it failed before', async ({ store }) => {
      await store.open();
      await store.offer([offer('/a'), offer('/canonical'), offer('/b')]);
      const [a, canonical, b] = await leaseAll(store);
      assert.ok(a && canonical && b);
      await store.settle([aliased(a.id, 'h', offer('/canonical'))]);
      const failed = { outcome: 'failed', reason: 'http_status', rule: 'HTTP 404', status: 404 } as const;
      assert.equal((await store.settle([{ id: canonical.id, offers: [], verdict: failed }])).pendingByHost.get(HOST), 1);
      assert.equal((await store.settle([aliased(b.id, 'h', offer('/canonical'))])).pendingByHost.get(HOST), 1);
      assert.deepEqual(
        (await leaseAll(store)).map((leased) => [leased.url, leased.ignoresCanonical]),
        [
          [a.url, true],
          [b.url, true],
        ],
      );
    });

    check('closes everything pending, leased or not, and nothing else', async ({ store, ledger }) => {
      await store.open();
      await store.offer([offer('/a'), offer('/b'), offer('/c')]);
      const { id } = await leaseOne(store);
      await store.settle([fetched(id, 'h')]);
      await leaseOne(store);
      const counts = await store.closePending({ reason: 'limit', rule: 'limit is 1' });
      assert.deepEqual(counts, { discovered: 3, fetched: 1, reused: 0, failed: 0, skipped: 2, pending: 0 });
      assert.deepEqual(
        (await ledger()).map((entry) => entry.reason),
        [undefined, 'limit', 'limit'],
      );
      assert.equal((await leaseAll(store)).length, 0);
    });
  });
}
