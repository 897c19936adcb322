// Crawls as a persona: with its session and by its way out, told in what they keep, and reused for nobody else.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { createClient } from '@weft/client';
import type { NewWorkflow } from '@weft/contract';
import { createAddressGate, proxyFinder } from '@weft/engine/io';
import { createHttpFetcher } from '../../packages/engine/src/io/http/fetcher.ts';
import { docxOf, pdfOf } from '../../packages/engine/src/extract/documents/document.fixtures.ts';
import { startTestAgent } from '../agent.ts';
import type { TestAgent } from '../agent.ts';
import { startSite } from '../sites/crawl-sites.ts';
import { MEMBER, startMembersSite } from '../sites/members-site.ts';
import type { MembersSite } from '../sites/members-site.ts';
import { startProxy } from '../sites/proxy.ts';
import type { TestProxy } from '../sites/proxy.ts';

const { username, password } = MEMBER;

suite('crawls as a persona', { timeout: 600_000 }, () => {
  let site: MembersSite;
  let proxy: TestProxy;
  let agent: TestAgent;
  before(async () => {
    site = await startMembersSite({
      asks: 'nothing',
      says: () => `<p id="echo">Your password is ${password}.</p>`,
      robots: 'User-agent: *\nDisallow: /members\n',
    });
    proxy = await startProxy('http', () => Number(new URL(site.origin).port));
    const findProxy = proxyFinder({ office: { url: proxy.url } });
    agent = await startTestAgent({ fetcher: createHttpFetcher({ gate: createAddressGate({ mode: 'agent' }), findProxy }) });
  });
  after(async () => {
    await agent[Symbol.asyncDispose]();
    await Promise.all([site.close(), proxy.close()]);
  });

  /** A persona that a workflow has logged in. */
  async function member(more: object = {}): Promise<number> {
    const { client } = agent;
    const { id } = await client.personas.create({ name: 'Grace', origins: [site.origin], username, password, ...more });
    const steps = [
      { id: 'in', type: 'login', url: `${site.origin}/members`, success: { page: { selectors: ['#hello'] }, op: 'exists' } },
    ] as unknown as NewWorkflow['steps'];
    const workflow = await client.workflows.create({ name: 'In', persona_id: id, steps });
    assert.equal((await client.workflows.run({ id: workflow.id, wait: true })).status, 'succeeded');
    return id;
  }
  const url = () => `${site.origin}/members`;
  const pathsOf = (data: readonly { readonly url: string }[]) => data.map((page) => new URL(page.url).pathname).toSorted();

  test('see what it sees, say so, and are told among its runs; robots.txt is reported', async () => {
    const { client } = agent;
    const persona_id = await member();
    for (const lane of ['auto', 'http'] as const) {
      const crawl = await client.crawl.start({ url: url(), persona_id, lane, sitemap: 'skip', wait: true });
      assert.deepEqual([crawl.status, pathsOf(crawl.data)], ['succeeded', ['/members', '/members/1', '/members/2', '/members/3']]);
      assert.deepEqual([...new Set(crawl.data.map((page) => page.persona_id))], [persona_id]);
      assert.equal((await client.runs.read({ id: crawl.id })).persona_id, persona_id);
    }
    const { data } = await client.personas.runs({ id: persona_id });
    assert.deepEqual(
      data.map(({ kind }) => kind),
      ['crawl', 'crawl', 'workflow'],
    );
    const page = await client.crawl.start({ url: url(), limit: 1, persona_id, wait: true });
    assert.deepEqual([page.data[0]?.persona_id, page.data[0]?.robots?.allowed], [persona_id, false]);
    const held = await client.crawl.start({ url: url(), persona_id, respect_robots: true, wait: true });
    assert.equal(held.failure?.code, 'robots');
    const stranger = await client.crawl.start({ url: url(), limit: 1, lane: 'http', wait: true });
    assert.equal(stranger.failure?.code, 'blocked');
    assert.match(stranger.failure?.message ?? '', /read it as a persona/);
    const { id } = await client.personas.create({ name: 'Ada', origins: [site.origin], username, password });
    const out = await client.crawl.start({ url: url(), limit: 1, lane: 'http', persona_id: id, wait: true });
    assert.match(out.failure?.message ?? '', new RegExp(`persona ${id} is not logged in there: .*weft persona login ${id} ${url()}`));
  });

  test('keep nothing of the values that pages echo', async () => {
    const { client } = agent;
    const crawl = await client.crawl.start({ url: url(), limit: 1, persona_id: await member(), formats: ['text', 'html'], wait: true });
    const kept = JSON.stringify(await client.crawl.read({ id: crawl.id }));
    assert.match(kept, /Your password is \[masked\]/);
    assert.ok(!kept.includes(password));
  });

  test('keep nothing of them in documents of another encoding, nor a document that packs them away', async () => {
    const [first, last] = [password.slice(0, 3), password.slice(3)];
    const answers: Readonly<Record<string, readonly [type: string, body: Uint8Array]>> = {
      '/mail.csv': ['text/csv', Buffer.from(`\uFEFFname,code\nGrace,${password}\n`, 'utf16le')],
      '/letter.pdf': ['application/pdf', pdfOf(`BT /F 12 Tf 20 700 Td [(Your code is ${first}) 1 (${last}.)] TJ ET`)],
      '/letter.docx': ['application/octet-stream', docxOf(`<w:p><w:r><w:t>Your code is ${password}.</w:t></w:r></w:p>`)],
      '/open.pdf': ['application/pdf', pdfOf('BT /F 12 Tf 20 700 Td (Nothing of yours.) Tj ET')],
    };
    const papers = await startSite((path) => {
      const answer = answers[path];
      return answer && { status: 200, headers: { 'content-type': answer[0] }, body: answer[1] };
    });
    const { client } = agent;
    const persona = await client.personas.create({ name: 'Reader', origins: [papers.origin], username, password });
    const read = async (path: string, who: object) => {
      const asked = { url: `${papers.origin}${path}`, limit: 1, formats: ['text' as const, 'markdown' as const], respect_robots: false };
      const { id } = await client.crawl.start({ ...asked, ...who, wait: true });
      const crawl = await client.crawl.read({ id });
      return { told: JSON.stringify(crawl), failure: crawl.failure?.code };
    };
    for (const path of ['/mail.csv', '/letter.pdf', '/letter.docx']) {
      assert.match((await read(path, {})).told, new RegExp(password), path);
      const { told, failure } = await read(path, { persona_id: persona.id });
      assert.ok(!told.includes(password), path);
      if (path === '/mail.csv') assert.match(told, /Grace[^]*\[masked\]/);
      else assert.equal(failure, 'page_unreadable', path);
    }
    assert.match((await read('/open.pdf', { persona_id: persona.id })).told, /Nothing of yours/);
    await papers.close();
  });

  test('take the admin scope, unless they are saved', async () => {
    const { client, baseUrl } = agent;
    const persona_id = await member();
    const { token } = await client.keys.create({ name: 'run', scopes: 'run' });
    const runner = createClient({ baseUrl, token, retriesMax: 0 });
    await assert.rejects(runner.crawl.start({ url: url(), persona_id }), { status: 403, code: 'forbidden' });
    await assert.rejects(client.crawl.start({ url: url(), persona_id: 999 }), { code: 'bad_request', message: /no persona 999/ });
    const { slug: ref } = await client.crawlDefinitions.create({ url: url(), persona_id, sitemap: 'skip' });
    const crawl = await runner.crawlDefinitions.run({ ref, wait: true });
    assert.deepEqual([crawl.counts.fetched, crawl.data[0]?.persona_id], [4, persona_id]);
  });

  test('are reused for nobody else', async () => {
    const { client } = agent;
    const [one, other] = [await member(), await member()];
    const asked = { url: `${site.origin}/members/1`, limit: 1, lane: 'http', page_max_age: 3600, wait: true } as const;
    const fetch = async (persona_id: number) => {
      const crawl = await client.crawl.start({ ...asked, persona_id });
      return [crawl.counts.fetched, crawl.counts.reused, crawl.data[0]?.persona_id];
    };
    assert.deepEqual(
      [await fetch(one), await fetch(one), await fetch(other)],
      [
        [1, 0, one],
        [0, 1, one],
        [1, 0, other],
      ],
    );
    const stranger = await client.crawl.start(asked);
    assert.equal(stranger.failure?.code, 'blocked');
  });

  test('go by its proxy alone, for robots.txt as well, and in its language', async () => {
    const { client } = agent;
    // Nothing listens there: the proxy leads to the site.
    const gone = await startSite(() => undefined);
    await gone.close();
    const { id: persona_id } = await client.personas.create({ name: 'Far away', proxy: 'office', locale: 'fr-CA' });
    const asked = { url: `${gone.origin}/whoami`, limit: 1, formats: ['text' as const], wait: true };
    const { data } = await client.crawl.start({ ...asked, persona_id });
    assert.match(data[0]?.text ?? '', /fr-CA/);
    assert.deepEqual(data[0]?.robots, { allowed: true, noindex: false });
    assert.equal((await client.crawl.start(asked)).failure?.code, 'connect');
  });

  test('are refused while the vault is locked, and tell that a persona has no session yet', async () => {
    const { client } = agent;
    const { id: persona_id } = await client.personas.create({ name: 'Nobody yet', origins: [site.origin] });
    const crawl = await client.crawl.start({ url: `${site.origin}/`, limit: 1, persona_id, wait: true });
    const told: string[] = [];
    for await (const { data } of (await client.runs.events({ id: crawl.id })) ?? []) told.push(JSON.stringify(data));
    assert.match(told.join('\n'), /has no session/);
    const { slug: ref } = await client.crawlDefinitions.create({ url: url(), persona_id });
    await client.vault.lock();
    await assert.rejects(client.crawl.start({ url: url(), persona_id }), { status: 423, code: 'vault_locked' });
    await assert.rejects(client.crawlDefinitions.run({ ref }), { status: 423, code: 'vault_locked' });
    await client.vault.unlock({});
  });
});

test('a crawl as a persona that an agent goes on with while the vault is locked fails, and the vault names it', async () => {
  const home = mkdtempSync(join(tmpdir(), 'weft-test-'));
  const hangs = await startSite(async (path) => (path === '/' ? await new Promise<never>(() => undefined) : undefined));
  try {
    let id = 0;
    {
      await using agent = await startTestAgent({ home });
      await agent.client.vault.unlock({ new_passphrase: 'correct horse battery' });
      const persona = await agent.client.personas.create({ name: 'Grace', origins: [hangs.origin] });
      ({ id } = await agent.client.crawl.start({ url: `${hangs.origin}/`, persona_id: persona.id }));
    }
    await using agent = await startTestAgent({ home });
    const run = await agent.client.waitForRun(id, { timeout: 600 });
    assert.deepEqual([run.status, run.failure?.code], ['failed', 'vault_locked']);
    const { waiting } = await agent.client.vault.status();
    assert.deepEqual(
      waiting.map((each) => [each.kind, each.id]),
      [['crawl', id]],
    );
  } finally {
    await hangs.close();
    rmSync(home, { recursive: true, force: true });
  }
});
