// A gate whose script sets a cookie is opened by a browser once; what lies behind it comes by HTTP.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAddressGate, createFetcher } from '@weft/engine/io';
import { startTestAgent } from '../agent.ts';
import { findBrowser } from '../browser.ts';
import { reply, startRawServer } from '../sites/raw-server.ts';
import type { RawRequest } from '../sites/raw-server.ts';

const html = (body: string) => reply({ headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: `<!doctype html>${body}` });
const GATE = '<title>One moment</title><body><script>document.cookie="in=1; path=/";location.reload()</script>';
const NAMES = ['lantern', 'block', 'cleat', 'hook', 'compass', 'bucket'];

function page({ path, head }: RawRequest) {
  const name = path === '/' ? 'shop' : NAMES.find((known) => path === `/${known}`);
  if (name === undefined) return undefined;
  if (!/^cookie:.*in=1/im.test(head)) return html(GATE);
  const links = path === '/' ? NAMES.map((known) => `<p><a href="/${known}">${known}</a></p>`).join('') : '';
  return html(`<title>${name}</title><main><h1>${name}</h1><p>The ${name} is made by hand, and each is tested at sea.</p>${links}</main>`);
}

test('a gate whose script sets a cookie is opened by a browser once', async () => {
  const site = await startRawServer(page);
  const fetcher = createFetcher({ gate: createAddressGate({ mode: 'agent' }), home: '/nowhere', chromePath: await findBrowser() });
  try {
    await using agent = await startTestAgent({ fetcher });
    const crawl = await agent.client.crawl.start({ url: `${site.origin}/`, sitemap: 'skip', wait: true, formats: ['markdown'] });
    const lanes = crawl.data.map(({ url, lane }) => `${new URL(url).pathname} ${lane}`).toSorted();
    assert.deepEqual(lanes, ['/ browser', ...NAMES.map((name) => `/${name} http`)].toSorted());
    for (const { markdown } of crawl.data) assert.match(markdown ?? '', /made by hand/);
  } finally {
    await site.close();
  }
});
