// An agent that ends itself with SIGKILL in the middle of settling a run. A program: `node dies-settling.ts <home> <moment>`.
import { startKernelAgent } from './kernel.ts';
import { PAGE_URL, twoPages } from './ways.ts';

/** What is written of the settled run when the agent dies, all in a transaction that nobody commits. */
export const MOMENTS = {
  'its status': `AFTER UPDATE OF status ON main.run WHEN new.status = 'succeeded'`,
  'its status and its last event': `AFTER INSERT ON main.run_event WHEN new.body LIKE '{"type":"finished"%'`,
} as const;

if (import.meta.main) {
  const [home, moment] = process.argv.slice(2) as [string, keyof typeof MOMENTS];
  const agent = await startKernelAgent({ home, fetcher: twoPages() });
  const die = () => {
    process.kill(process.pid, 'SIGKILL');
    return null;
  };
  agent.database.fast.function('die', die);
  agent.database.fast.exec(`CREATE TEMP TRIGGER dies ${MOMENTS[moment]} BEGIN SELECT die(); END`);
  // A run that an earlier life left goes on by itself; without one, this is the first.
  await agent.json('POST', '/v1/crawl', { url: PAGE_URL, limit: 1, wait: true });
}
