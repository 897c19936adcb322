import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CrawlCounts } from '../../packages/engine/src/crawl/ledger.ts';
import { PageError } from '../../packages/engine/src/errors.ts';
import type { FetchRequest, Fetcher, Page } from '../../packages/engine/src/ports.ts';
import { JumpingClock, crawl } from './crawl-harness.ts';
import { CrawlTables } from '../../packages/engine/src/crawl/memory-frontier.ts';

const SITE = 'https://shop.test';
const PAGES = 60;

/** A site that a seed makes: pages with links to others, some moved, missing, broken for a while, or refused now and then. */
class RandomSite implements Fetcher {
  readonly asked: string[] = [];
  /** What was asked for by following redirects. */
  readonly answered: string[] = [];
  /** What each page needs before it answers: so many more tries. */
  private readonly broken = new Map<number, number>();
  private readonly links: readonly (readonly number[])[];
  private readonly moved = new Map<number, number>();
  private readonly missing = new Set<number>();
  private readonly clock: JumpingClock;

  /** Whether it asks before each redirect, as requests over HTTP do, and a browser does not. */
  private readonly asksFirst: boolean;

  constructor(seed: number, clock: JumpingClock, asksFirst = false) {
    this.clock = clock;
    this.asksFirst = asksFirst;
    let state = seed;
    const random = (below: number) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % below;
    this.links = Array.from({ length: PAGES }, () => Array.from({ length: random(6) }, () => random(PAGES)));
    for (let i = 1; i < PAGES; i++) {
      const fate = random(10);
      if (fate === 0) this.missing.add(i);
      // Who is asked first can't know of a circle where it ends.
      if (fate === 1) this.moved.set(i, random(asksFirst ? i : PAGES));
      if (fate === 2) this.broken.set(i, 1 + random(2));
    }
  }

  async fetch(request: FetchRequest, signal: AbortSignal): Promise<Page> {
    await Promise.resolve();
    if (signal.aborted) throw new PageError('aborted', 'Stopped.');
    this.asked.push(request.url);
    if (request.url.endsWith('/robots.txt')) return this.page(request.url, request.url, 404, '');
    const asked = numberOf(request.url);
    const number = this.landsOn(asked);
    for (let at = this.moved.get(asked); this.asksFirst && at !== undefined; at = this.moved.get(at)) {
      await request.beforeRedirect?.(`${SITE}/p${at}`, 301, 'public');
      this.answered.push(`${SITE}/p${at}`);
    }
    const url = `${SITE}/p${number}`;
    const tries = this.broken.get(number) ?? 0;
    if (tries > 0) this.broken.set(number, tries - 1);
    if (tries > 0) return this.page(request.url, url, tries % 2 === 0 ? 500 : 429, 'busy');
    if (this.missing.has(number)) return this.page(request.url, url, 404, 'missing');
    const links = (this.links[number] ?? []).map((to) => `<a href="/p${to}">to ${to}</a>`);
    return this.page(
      request.url,
      url,
      200,
      `<h1>${number}</h1><p>What page ${number} says is said by no other page of this site.</p>${links.join('')}`,
    );
  }

  async close(): Promise<void> {}

  /** Whether a page, or one that it redirects to, answered with an error first. */
  wasBroken(number: number): boolean {
    return this.broken.has(this.landsOn(number));
  }

  /** The pages that a crawl from the first must keep, by walking the tables. */
  reachable(): ReadonlySet<number> {
    const found = new Set<number>();
    for (const pending = [0]; pending.length > 0;) {
      const number = this.landsOn(pending.pop() ?? 0);
      if (found.has(number) || this.missing.has(number)) continue;
      found.add(number);
      pending.push(...(this.links[number] ?? []));
    }
    return found;
  }

  /** A page can be moved to one that was moved; a circle ends where it was entered. */
  private landsOn(asked: number): number {
    let number = asked;
    for (let hops = 0; hops < PAGES; hops++) number = this.moved.get(number) ?? number;
    return number;
  }

  private page(requestedUrl: string, url: string, status: number, html: string): Page {
    const body = new TextEncoder().encode(html);
    const fixed = {
      headers: [],
      contentType: 'text/html',
      lane: 'http',
      laneReason: 'asked',
      redirects: [],
      optionsIgnored: [],
      fromCache: false,
    } as const;
    return { ...fixed, requestedUrl, url, status, body, timings: { totalMs: 0 }, fetchedAtMs: this.clock.now() };
  }
}

function numberOf(url: string): number {
  return Number(/\d+$/.exec(url)?.[0] ?? 0);
}

test('keeps every reachable page of a random site once, with counts that add up at every step', async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const clock = new JumpingClock();
    const fetcher = new RandomSite(seed, clock);
    const onProgress = ({ discovered, fetched, reused, failed, skipped, pending }: CrawlCounts) =>
      assert.equal(discovered, fetched + reused + failed + skipped + pending, `seed ${seed}`);
    const { outcome, ledger } = await crawl(`${SITE}/p0`, { maxDepth: 100, crawlEntireDomain: true }, { clock, fetcher, onProgress });
    const kept = ledger.filter((entry) => entry.outcome === 'fetched').map((entry) => numberOf(entry.finalUrl ?? ''));
    assert.equal(new Set(kept).size, kept.length, `seed ${seed}`);
    assert.deepEqual(kept.toSorted(byNumber), [...fetcher.reachable()].toSorted(byNumber), `seed ${seed}`);
    assert.deepEqual([outcome.end, outcome.counts.pending], ['complete', 0], `seed ${seed}`);
  }
});

test('keeps them all, and asks for nothing twice, where each redirect is asked about first', async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const clock = new JumpingClock();
    const fetcher = new RandomSite(seed, clock, true);
    const { ledger } = await crawl(`${SITE}/p0`, { maxDepth: 100, crawlEntireDomain: true, hostConcurrency: 8 }, { clock, fetcher });
    const kept = ledger.filter((entry) => entry.outcome === 'fetched').map((entry) => numberOf(entry.url));
    assert.deepEqual(kept.toSorted(byNumber), [...fetcher.reachable()].toSorted(byNumber), `seed ${seed}`);
    assert.ok(
      ledger.every((entry) => entry.finalUrl === undefined || entry.finalUrl === entry.url),
      `seed ${seed}`,
    );
    // Pages that are broken or refused for a while are asked again; nothing else is.
    const all = [...fetcher.asked, ...fetcher.answered];
    const again = all.filter((url, i) => all.indexOf(url) < i && !fetcher.wasBroken(numberOf(url)));
    assert.deepEqual(again, [], `seed ${seed}`);
  }
});

test('keeps the same pages however often it is interrupted', async () => {
  for (let seed = 1; seed <= 30; seed++) {
    const clock = new JumpingClock();
    const fetcher = new RandomSite(seed, clock, seed > 15);
    const tables = new CrawlTables<string>();
    const options = { maxDepth: 100, crawlEntireDomain: true };
    for (let killAt = 5; killAt < 40; killAt += 9) {
      const killed = new AbortController();
      const killing = {
        fetch: (...asked: Parameters<Fetcher['fetch']>) =>
          fetcher.asked.length >= killAt ? abort(killed, fetcher, asked) : fetcher.fetch(...asked),
        close: async () => undefined,
      };
      await crawl(`${SITE}/p0`, options, { clock, fetcher: killing, tables, signal: killed.signal });
    }
    const { ledger } = await crawl(`${SITE}/p0`, options, { clock, fetcher, tables });
    const kept = ledger.filter((entry) => entry.outcome === 'fetched').map((entry) => numberOf(entry.finalUrl ?? ''));
    assert.deepEqual(kept.toSorted(byNumber), [...fetcher.reachable()].toSorted(byNumber), `seed ${seed}`);
    assert.equal(tables.results.length, kept.length, `seed ${seed}`);
  }
});

function abort(killed: AbortController, fetcher: Fetcher, asked: Parameters<Fetcher['fetch']>): Promise<Page> {
  killed.abort();
  return fetcher.fetch(...asked);
}

function byNumber(a: number, b: number): number {
  return a - b;
}
