// An agent with a page that the test changes, and monitors of it that are checked when the test says.
import assert from 'node:assert/strict';
import type { Run } from '@weft/contract';
import { startTestAgent } from './agent.ts';
import type { TestAgent, TestAgentOptions } from './agent.ts';
import { serveOnLoopback } from './sites/on-loopback.ts';

/** What the page answers next. */
export interface ShownPage {
  readonly body: string | Uint8Array;
  /** HTML in UTF-8 unless said. */
  readonly type?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface MonitorStage extends AsyncDisposable {
  readonly agent: TestAgent;
  /** The address of the page. */
  readonly url: string;
  show(page: ShownPage): void;
  /** The id of a new monitor of the page; it is checked by hand alone. */
  watch(more?: object): Promise<number>;
  /** Makes a check; its run. */
  check(id: number): Promise<Run>;
  /** Shows each page in turn, a minute after the last, and checks it. */
  see(id: number, ...pages: readonly string[]): Promise<void>;
  get(path: string): Promise<Response>;
  /** The answer of a call that has to succeed. */
  read<Body>(path: string): Promise<Body>;
}

const MINUTE_MS = 60_000;

/** Starts both; disposing ends them. */
export async function monitorStage(options: TestAgentOptions = {}): Promise<MonitorStage> {
  let shown: ShownPage = { body: '<main>Nothing yet</main>' };
  const site = await serveOnLoopback((request, response) => {
    const isPage = request.url === '/page';
    const { body, type = 'text/html; charset=utf-8', status = 200, headers = {} } = isPage ? shown : { body: '', status: 404 };
    response.writeHead(status, { 'content-type': type, ...headers }).end(body);
  });
  const agent = await startTestAgent(options);
  const call = async (method: string, path: string, body?: object) =>
    await fetch(`${agent.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${agent.token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const json = async <Body>(response: Response): Promise<Body> => {
    const text = await response.text();
    assert.ok(response.ok, `${response.status} ${text}`);
    return JSON.parse(text) as Body;
  };
  const url = `${site.origin}/page`;
  const check = async (id: number) => await json<Run>(await call('POST', `/v1/monitors/${id}/run?wait=true`));
  return {
    agent,
    url,
    show: (page) => void (shown = page),
    watch: async (more = {}) => (await json<{ id: number }>(await call('POST', '/v1/monitors', { url, active: false, ...more }))).id,
    check,
    async see(id, ...pages) {
      for (const body of pages) {
        agent.clock.advance(MINUTE_MS);
        shown = { body };
        await check(id);
      }
    },
    get: async (path) => await call('GET', path),
    read: async (path) => await json(await call('GET', path)),
    async [Symbol.asyncDispose]() {
      await agent[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}
