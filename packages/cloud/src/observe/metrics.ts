// What a process tells Prometheus: calls, pages, work, connections, and what Node itself knows. Never an address of a page or an account.
import type { Page } from '@weft/engine';
import type { RequestLog } from '@weft/serve';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Database } from '../db/queries.ts';

export interface Metrics {
  /** A call that was answered. */
  answered(entry: RequestLog): void;
  /** A page that was asked for, or undefined where none came. */
  fetched(page: Page | undefined): void;
  /** How many crawls this process works on. */
  working(crawls: number): void;
  /** All of it, as Prometheus reads it. */
  text(): Promise<{ readonly type: string; readonly body: string }>;
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** What is counted in the database is asked for when it is read. */
export function createMetrics(database: Pick<Database, 'rows' | 'connections'>): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  // They are no counters, and promtool says so of their names; their twins without it are by type.
  for (const what of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${what}_total`);
  const calls = new Counter({
    name: 'weft_http_requests_total',
    help: 'Calls that were answered, by operation and status.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'weft_http_request_duration_seconds',
    help: 'Time until a call was answered, by operation.',
    labelNames: ['operation'],
    buckets: SECONDS,
    registers,
  });
  const pages = new Counter({
    name: 'weft_page_requests_total',
    help: 'Pages that were asked for, by the lane that brought them (none where none did).',
    labelNames: ['lane'],
    registers,
  });
  const working = new Gauge({
    name: 'weft_crawls_working',
    help: 'Crawls, and parts of divided ones, that this process works on.',
    registers,
  });
  new Gauge({
    name: 'weft_crawl_jobs',
    help: 'Crawls, and parts of divided ones, that have not ended, of all processes.',
    labelNames: ['state'],
    registers,
    async collect() {
      const [row] = await database.rows<{ worked: number; waiting: number }>(
        `SELECT count(*) FILTER (WHERE alive_until > now()) AS worked, count(*) FILTER (WHERE (claim IS NULL OR alive_until <= now()) AND waits_for IS NULL) AS waiting FROM crawl_job`,
      );
      this.set({ state: 'worked_on' }, row?.worked ?? 0);
      this.set({ state: 'waiting' }, row?.waiting ?? 0);
    },
  });
  new Gauge({
    name: 'weft_database_connections',
    help: 'Connections of this process to the database.',
    labelNames: ['state'],
    registers,
    collect() {
      const { open, idle, waiting } = database.connections();
      this.set({ state: 'used' }, open - idle);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'waited_for' }, waiting);
    },
  });
  return {
    answered({ operation = 'none', status, durationMs }) {
      calls.inc({ operation, status });
      seconds.observe({ operation }, durationMs / 1000);
    },
    fetched: (page) => pages.inc({ lane: page?.lane ?? 'none' }),
    working: (crawls) => working.set(crawls),
    text: async () => ({ type: registry.contentType, body: await registry.metrics() }),
  };
}
