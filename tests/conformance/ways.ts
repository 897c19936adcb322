// Ways to bring an operation to a status: what the files of `reach/` are made of.
import type { Crawl } from '@weft/contract';
import { LIMITS } from '@weft/contract';
import { PageError } from '@weft/engine';
import type { BrowserRecordings, BrowserSession, BrowserSessions, Fetcher, Page } from '@weft/engine';
import { until } from '../until.ts';
import type { KernelAgent, KernelCall } from './kernel.ts';

/** One way to a status, prepared on a fresh agent, and what the call must do to the rows of the database. */
export interface Way {
  prepare(agent: KernelAgent): Promise<KernelCall> | KernelCall;
  /** Table -> rows more or fewer; left out, not one byte of any row may change. */
  readonly rows?: Readonly<Record<string, number>>;
}

export interface Reach {
  /** A well-formed call; the statuses that every operation shares are reached from it. */
  readonly base: KernelCall;
  /** Statuses that need more than the base call. */
  readonly ways: Readonly<Record<number, Way>>;
}

/** A page that is never answered: its run stays live until it is cancelled. */
export const STUCK_URL = 'http://site.test/stuck';
export const PAGE_URL = 'http://site.test/page';
/** A page behind a test for people. */
export const CAPTCHA_URL = 'http://site.test/captcha';

/** A page whose host wants to be left alone for an hour. */
export const BUSY_URL = 'http://busy.test/page';

export const get = (target: string): KernelCall => ({ target });
export const post = (target: string, body?: unknown): KernelCall => ({ method: 'POST', target, ...(body === undefined ? {} : { body }) });
export const patch = (target: string, body: unknown): KernelCall => ({ method: 'PATCH', target, body });
export const plain = (call: KernelCall, rows?: Way['rows']): Way => ({ prepare: () => call, ...(rows ? { rows } : {}) });
export const withRun = (call: (id: number) => KernelCall, url: string, rows?: Way['rows']): Way => ({
  prepare: async (agent) => call(await startCrawl(agent, url)),
  ...(rows ? { rows } : {}),
});

/** Cancelling writes one event, `finished`, and no other row. */
export const CANCELLED = { run_event: 1 };

/** The id of a new crawl; one of a page that answers is settled, the other waits for its page. */
export async function startCrawl(agent: KernelAgent, url: string): Promise<number> {
  const { body } = await agent.json('POST', '/v1/crawl', { url, limit: 1, wait: url !== STUCK_URL });
  const { id } = body as Crawl;
  if (url === STUCK_URL) await begun(agent, id);
  return id;
}

/**
 * Resolves once run `id` has told of something: one of `STUCK_URL` writes nothing more then, and a call can be held against what was there. One
 * that waits behind others for a place tells of nothing.
 */
export async function begun({ database: { fast } }: KernelAgent, id: number): Promise<void> {
  const rests = fast.prepare(
    `SELECT 1 FROM run_event WHERE run_id = :id
     UNION ALL SELECT 1 FROM run WHERE id = :id AND status = 'queued' AND EXISTS (SELECT 1 FROM run other WHERE other.status = 'running')`,
  );
  await until(() => rests.get({ id }) !== undefined);
}

/** Occupies every place in which a run executes, then writes as many waiting rows as may wait. */
export async function fillQueue(agent: KernelAgent): Promise<KernelCall> {
  const id = await startCrawl(agent, STUCK_URL);
  agent.database.fast
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO run (kind, status, source_kind, source_name, owner_id, created_at)
       SELECT kind, 'queued', source_kind, source_name, owner_id, created_at FROM run, n WHERE id = ?`,
    )
    .run(LIMITS.queuedRunsMax, id);
  return post('/v1/crawl', { url: PAGE_URL });
}

/** The network of these tests: one address answers a page, the other nothing until its run ends. */
export function twoPages(): Fetcher {
  return {
    fetch: async ({ url }, signal) => {
      if (url === CAPTCHA_URL) throw new PageError('captcha', `${url} asks whether a person looks at it.`, { url });
      if (url === BUSY_URL) return { ...page(url), status: 429, headers: [['retry-after', '3600']] };
      if (url !== STUCK_URL) return page(url);
      return await new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    },
    close: async () => undefined,
  };
}

function page(url: string): Page {
  return {
    requestedUrl: url,
    url,
    status: 200,
    headers: [['content-type', 'text/html; charset=utf-8']],
    body: new TextEncoder().encode('<title>Shelf</title><main><h1>Shelf</h1><p>Three books stand on it.</p></main>'),
    contentType: 'text/html; charset=utf-8',
    lane: 'http',
    laneReason: 'static',
    redirects: [],
    timings: { totalMs: 1 },
    fetchedAtMs: Date.parse('2026-01-01T00:00:00Z'),
    optionsIgnored: [],
    fromCache: false,
  };
}

/** Sets a passphrase and locks the vault. */
export async function lockVault(agent: KernelAgent): Promise<void> {
  await agent.json('POST', '/v1/vault/unlock', { new_passphrase: 'correct horse battery' });
  await agent.json('POST', '/v1/vault/lock');
}

/** The browser of these tests: it opens whatever it is told to, and a person has clicked once there. */
export function blankBrowser(): BrowserSessions & BrowserRecordings {
  const session = {
    navigate: async () => undefined,
    fence: async () => undefined,
    close: async () => undefined,
    state: async () => ({ cookies: [], origins: [] }),
    read: async () => page(PAGE_URL),
    takeJson: async () => [],
    takeRequests: async () => [],
    scroll: async () => undefined,
    writes: () => 0,
    url: () => PAGE_URL,
  } satisfies Partial<BrowserSession> as unknown as BrowserSession;
  const workflow = { name: 'Recorded', steps: [{ id: 's1', type: 'navigate' as const, url: PAGE_URL }] };
  return {
    open: async () => session,
    record: async ({ isHeaded }) => {
      if (isHeaded === true) throw new PageError('browser', 'There is no screen.');
      return {
        session,
        steps: () => [{ id: 's1', type: 'navigate' }],
        recording: async () => ({ workflow, leftOut: [], prints: {} }),
      };
    },
  };
}
