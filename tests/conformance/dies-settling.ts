// An agent that ends itself with SIGKILL in the middle of settling a run. Run as a program: `node dies-settling.ts <home> <moment>`.
import type { Fetcher } from '@weft/engine';
import { startKernelAgent } from './kernel.ts';

/** What has been written of a settled run when the agent dies; nothing of it is committed. */
export const MOMENTS = {
  'its status and no event': `AFTER UPDATE OF status ON main.run WHEN new.status = 'succeeded'`,
  'its status and its last event': `AFTER INSERT ON main.run_event WHEN new.body LIKE '{"type":"finished"%'`,
} as const;
export type Moment = keyof typeof MOMENTS;

/** A network of one page. */
export const onePage: Fetcher = {
  fetch: async ({ url }) => ({
    url,
    status: 200,
    headers: {},
    contentType: 'text/html',
    body: Buffer.from('<title>A page</title><p>Some text on a page.'),
  }),
  close: async () => undefined,
};

if (import.meta.main) {
  const [home = '', moment = ''] = process.argv.slice(2);
  const agent = await startKernelAgent({ home, fetcher: onePage });
  agent.database.fast.function('die', () => {
    process.kill(process.pid, 'SIGKILL');
    return null;
  });
  agent.database.fast.exec(`CREATE TEMP TRIGGER dies ${MOMENTS[moment as Moment]} BEGIN SELECT die(); END`);
  await agent.json('POST', '/v1/crawl', { url: 'http://site.test/', limit: 1, wait: true });
}
