// Automations on an agent whose clock the test moves, and a site whose pages change.
import assert from 'node:assert/strict';
import type { Automation, AutomationTrace, Monitor, Run } from '@weft/contract';
import { startTestAgent } from './agent.ts';
import type { TestAgent } from './agent.ts';
import { startVersionedSite } from './sites/versions.ts';
import type { VersionedSite } from './sites/versions.ts';
import { until } from './until.ts';

/** What a test of automations does. */
export interface Stage extends AsyncDisposable {
  readonly agent: TestAgent;
  readonly site: VersionedSite;
  /** A call with the runtime token, or with `token`. */
  call(method: string, path: string, body?: unknown, token?: string): Promise<{ readonly status: number; readonly body: unknown }>;
  /** A monitor of the price on `path`, which is checked only when a test does; its id. */
  watch(path: string, more?: object): Promise<number>;
  /** Sets what the page of `watch` says, and checks it; the id of the check. */
  check(id: number, path: string, amount: number | string): Promise<number>;
  /** Its id. Fails where it is refused. */
  automate(body: object): Promise<number>;
  /** The runs of an automation, oldest first, once there are so many and all of them are settled. */
  runsOf(id: number, count: number): Promise<readonly Settled[]>;
}

/** A run with its trace. */
export interface Settled {
  readonly run: Run;
  readonly trace: AutomationTrace;
}

const page = (price: number | string) =>
  `<!doctype html><title>Shop</title><h1>Lamp</h1><p class="price">${typeof price === 'number' ? `$${price}` : price}</p>`;

export async function startStage(): Promise<Stage> {
  const [agent, site] = await Promise.all([startTestAgent(), startVersionedSite()]);
  const call: Stage['call'] = async (method, path, body, token = agent.token) => {
    const response = await fetch(`${agent.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  };
  const runsOf = async (id: number): Promise<readonly Run[]> => {
    const { body } = await call('GET', '/v1/runs?kind=automation&limit=500');
    const { data } = body as { data: (Run & { row_id: number })[] };
    return data
      .filter(({ source }) => source.id === id)
      .map(({ row_id, ...run }) => ({ ...run, id: row_id }))
      .reverse();
  };
  return {
    agent,
    site,
    call,
    async watch(path, more = {}) {
      const body = {
        url: `${site.origin}${path}`,
        active: false,
        respect_robots: false,
        selectors: [{ selector: '.price', extractors: [{ type: 'price' }] }],
        ...more,
      };
      return ((await call('POST', '/v1/monitors', body)).body as Monitor).id;
    },
    async check(id, path, amount) {
      site.set(path, page(amount));
      const { body } = await call('POST', `/v1/monitors/${id}/run?wait=true`);
      return (body as Run).id;
    },
    async automate(body) {
      const made = await call('POST', '/v1/automations', { name: 'Test', ...body });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      return (made.body as Automation).id;
    },
    async runsOf(id, count) {
      await until(async () => {
        const runs = await runsOf(id);
        return runs.length === count && runs.every(({ finished_at: at }) => at !== undefined);
      });
      return await Promise.all(
        (await runsOf(id)).map(async (run) => {
          const { body } = await call('GET', `/v1/runs/${run.id}/results`);
          return { run, trace: (body as { output: AutomationTrace }).output };
        }),
      );
    },
    async [Symbol.asyncDispose]() {
      await agent[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}
