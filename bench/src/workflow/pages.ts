// Ten real pages that a workflow opens and reads by HTTP: the CPU of the whole agent, beside the least program that does the same.
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadRawPages } from '../../quality/raw-pages.ts';
import { startAgentUnderTest } from '../agent-under-test.ts';
import type { AgentUnderTest } from '../agent-under-test.ts';
import { UNHURRIED } from '../monitor-fleet.ts';
import { scratchFolder } from '../processes.ts';
import type { BenchRow } from '../row.ts';

const BARE = join(import.meta.dirname, 'bare-reader.ts');
const PAGES = 10;
const ROUNDS = 30;
const WARM_UP = 5;

/** What is read of each page. */
const READS = {
  'three fields': {
    id: 'read',
    type: 'extract',
    fields: { title: { selectors: ['title'] }, heading: { selectors: ['h1'] }, link: { selectors: ['a[href]'], attr: 'href' } },
  },
  'a row a link': { id: 'read', type: 'extractList', selectors: ['a[href]'], fields: { text: {}, href: { attr: 'href' } } },
} as const;

interface Run {
  readonly id: number;
  readonly status: string;
  readonly failure?: { readonly message: string };
}

/** A row that says so where the public pages are not here. */
export async function benchPages(): Promise<BenchRow[]> {
  const pages = loadRawPages().filter(({ set }) => set === 'pages');
  if (pages.length === 0) return [{ name: 'ten real pages: skipped, the public pages are not here', value: 0, unit: 'ms CPU' }];
  const bodies = new Map<string, string>();
  const server = createServer(({ url = '' }, response) => {
    const body = bodies.get(url);
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(body);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  using agent = await startAgentUnderTest(UNHURRIED);
  try {
    const urls: string[] = [];
    // Evenly over the set, those that HTTP makes no page of left out.
    for (let place = 0; urls.length < PAGES && place < pages.length; place += Math.floor(pages.length / (3 * PAGES))) {
      const path = `/${place}`;
      bodies.set(path, pages[place]?.html() ?? '');
      const isRead = await readsAll(agent, [`${origin}${path}`]);
      if (isRead) urls.push(`${origin}${path}`);
    }
    const rows: BenchRow[] = [];
    for (const [what, read] of Object.entries(READS)) rows.push(await compare(agent, urls, what, read));
    return rows;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function readsAll(agent: AgentUnderTest, urls: readonly string[]): Promise<boolean> {
  const id = await workflow(agent, urls, READS['three fields']);
  return (await run(agent, id)).status === 'succeeded';
}

async function workflow(agent: AgentUnderTest, urls: readonly string[], read: object): Promise<number> {
  const steps = [{ id: 'pages', type: 'forEach', items: urls, as: 'url', body: [{ id: 'open', type: 'navigate', url: '{{url}}' }, read] }];
  const { id } = await agent.call<{ readonly id: number }>('POST', '/v1/workflows', { name: 'Pages', lane: 'http', steps });
  return id;
}

async function run(agent: AgentUnderTest, id: number): Promise<Run> {
  return await agent.call<Run>('POST', `/v1/workflows/${id}/run?wait=true&timeout=120`, {});
}

async function compare(agent: AgentUnderTest, urls: readonly string[], what: string, read: object): Promise<BenchRow> {
  const id = await workflow(agent, urls, read);
  const good = async () => {
    const { status, failure } = await run(agent, id);
    if (status !== 'succeeded') throw new Error(`ten pages, ${what}: ${status}, ${failure?.message}`);
  };
  for (let round = 0; round < WARM_UP; round++) await good();
  const before = agent.cpuMs();
  for (let round = 0; round < ROUNDS; round++) await good();
  const value = (agent.cpuMs() - before) / ROUNDS;
  using folder = scratchFolder();
  const args = [BARE, what === 'three fields' ? 'fields' : 'links', String(WARM_UP), String(ROUNDS), join(folder.path, 'rows.db'), ...urls];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const rivalValue = (JSON.parse(stdout) as { readonly cpuMs: number }).cpuMs / ROUNDS;
  return {
    name: `ten real pages, ${what}`,
    value,
    unit: 'ms CPU a run',
    rival: 'undici, parse5, css-select, SQLite',
    rivalValue,
    target: '<= 1.5x',
  };
}
