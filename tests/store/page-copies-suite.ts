// What every store of page copies must do, whatever they are kept in.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { KeptPage, PageCopies, PageLinks, StoredCopy } from '@weft/engine';

/** A store under test. */
export interface CopiesUnderTest {
  readonly copies: PageCopies;
  /** Writes what a crawl kept, record and copy at once. */
  keep(page: KeptPage): Promise<void>;
  /** Deletes all records. */
  deleteRecords(): Promise<void>;
  close(): Promise<void>;
}

const URL_HERE = 'https://shop.test/a';
const KEY = { url: URL_HERE, scope: '["text"]' };
const VALIDATORS = { etag: '"1"', lastModified: 'Thu, 01 Jan 2026 00:00:00 GMT' };

const LINKS: PageLinks = {
  baseUrl: URL_HERE,
  links: [{ url: 'https://shop.test/b', kind: 'anchor', isNoFollow: false }],
  canonical: 'https://shop.test/c',
  robots: 'noindex',
  contentHash: '0123456789abcdef',
  sketch: 'xyz',
  textBytes: 7,
};

const record = (text: string): KeptPage['record'] => ({
  url: URL_HERE,
  requested_url: URL_HERE,
  status: 200,
  lane: 'http',
  lane_reason: 'static',
  text,
  content_hash: 'def',
  fetched_at: '2026-01-01T00:00:00.000Z',
});

function fresh(text: string, checkedAtMs: number, validators: StoredCopy['validators'] = VALIDATORS, key = KEY): KeptPage {
  return { record: record(text), copy: { kind: 'new', key, links: LINKS, checkedAtMs, validators } };
}

/** Runs the suite on stores that `open` makes; each test gets a new one. */
export function pageCopiesSuite(name: string, open: () => Promise<CopiesUnderTest>): void {
  const check = (promise: string, body: (under: CopiesUnderTest) => Promise<void>): void => {
    test(promise, async () => {
      const under = await open();
      try {
        await body(under);
      } finally {
        await under.close();
      }
    });
  };

  suite(`${name} page copies`, () => {
    check('gives back what was kept, with its record and its links', async ({ copies, keep }) => {
      await keep(fresh('one', 1_000));
      assert.deepEqual(await copies.find(KEY), { record: record('one'), links: LINKS, checkedAtMs: 1_000, validators: VALIDATORS });
    });

    check('knows a copy by its address and by what shaped its record', async ({ copies, keep }) => {
      await keep(fresh('one', 1_000));
      assert.equal(await copies.find({ ...KEY, scope: '["html"]' }), undefined);
      assert.equal(await copies.find({ ...KEY, url: 'https://shop.test/b' }), undefined);
    });

    check('has the last that was kept under an address', async ({ copies, keep }) => {
      await keep(fresh('one', 1_000));
      await keep(fresh('two', 2_000, { etag: '"2"' }));
      const found = await copies.find(KEY);
      assert.deepEqual([found?.record.text, found?.checkedAtMs, found?.validators], ['two', 2_000, { etag: '"2"' }]);
    });

    check('renews a copy: its links and validators stay, its record and its time are the new ones', async ({ copies, keep }) => {
      await keep(fresh('one', 1_000));
      await keep({ record: record('seen again'), copy: { kind: 'renewed', key: KEY, checkedAtMs: 3_000 } });
      const found = await copies.find(KEY);
      assert.deepEqual(found, { record: record('seen again'), links: LINKS, checkedAtMs: 3_000, validators: VALIDATORS });
    });

    check('says where a host can confirm nothing', async ({ copies, keep }) => {
      await keep({ record: record('none'), copy: { kind: 'new', key: KEY, links: LINKS, checkedAtMs: 2_000, validators: undefined } });
      assert.equal((await copies.find(KEY))?.validators, undefined);
    });

    check('keeps no copy of a page that comes without one', async ({ copies, keep }) => {
      await keep({ record: record('one'), copy: undefined });
      assert.equal(await copies.find(KEY), undefined);
    });

    check('forgets a copy with its record', async ({ copies, keep, deleteRecords }) => {
      await keep(fresh('one', 1_000));
      await deleteRecords();
      assert.equal(await copies.find(KEY), undefined);
    });
  });
}
