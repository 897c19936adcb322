// Pages that are linked only with the way back to their list are read without it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestAgent } from '../agent.ts';
import { startSite } from '../sites/crawl-sites.ts';

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const page = (name: string, links: readonly string[]) =>
  `<title>${name}</title><h1>${name}</h1><p>${name} says enough to be a page of its own, and is told apart from others by that.</p>` +
  links.map((href) => `<a href="${href}">${href}</a>`).join('');

/** Six lists of the same six things with the way back to each, and one of others behind them. */
const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  '/': [...range(1, 6).map((i) => `/item/${i}`), '/v/1'],
  ...Object.fromEntries(
    range(1, 6).map((view) => [
      `/v/${view}`,
      [...range(1, 6).map((i) => `/item/${i}?back=p%3D${view}`), view < 6 ? `/v/${view + 1}` : '/late'],
    ]),
  ),
  '/late': range(20, 25).map((i) => `/item/${i}?back=p%3D9`),
};

test('what is only linked with the way back to its list is asked for without it, once that was found to say nothing', async () => {
  const asked: string[] = [];
  const site = await startSite((path, url) => {
    const number = /^\/item\/(\d+)$/.exec(path)?.[1];
    if (number !== undefined) asked.push(path + url.search);
    const links = ANSWERS[path];
    return number === undefined ? links && page(`list ${path}`, links) : page(`item ${number}`, []);
  });
  try {
    await using agent = await startTestAgent();
    const crawl = await agent.client.crawl.start({ url: `${site.origin}/`, lane: 'http', max_concurrency: 1, limit: 100, wait: true });
    const items = crawl.data.map(({ url }) => new URL(url).pathname).filter((path) => path.startsWith('/item/'));
    assert.deepEqual(items.toSorted(), [...range(1, 6), ...range(20, 25)].map((i) => `/item/${i}`).toSorted());
    assert.deepEqual(
      asked.filter((path) => path.includes('back=p%3D9')),
      [],
    );
  } finally {
    await site.close();
  }
});
