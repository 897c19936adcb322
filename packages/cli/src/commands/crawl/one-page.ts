// A crawl of one page: waits for it, says on a terminal what it waits for, and ends it when nobody waits any longer.
import type { Crawl, RunEvent } from '@weft/contract';
import { RunWaitTimeoutError } from '@weft/client/node';
import type { AgentClient, CallInput } from '@weft/client/node';
import type { DaemonTable } from '@weft/contract';
import type { CommandContext } from '../../context.ts';
import { CommandError, EXIT } from '../../exit.ts';

type Start = CallInput<DaemonTable['crawl']['start']>;

/** The crawl of `body.url`, settled. Throws CommandError, once the crawl is ended, at an interrupt and after `timeoutSeconds`. */
export async function onePage(context: CommandContext, client: AgentClient, body: Start, timeoutSeconds: number): Promise<Crawl> {
  const { signal } = context;
  const { id } = await client.crawl.start(body, { signal });
  const waiting = sayWaiting(context, body.url);
  try {
    await client.waitForRun(id, { timeout: timeoutSeconds, signal, onEvent: waiting.hear });
  } catch (error) {
    const isSpent = error instanceof RunWaitTimeoutError;
    if (!isSpent && !signal.aborted) throw error;
    // The context's signal is spent; this call is what it is about.
    await client.crawl.cancel({ id });
    if (isSpent) throw notCome(body.url, timeoutSeconds);
    context.say(`weft: the scrape of ${body.url} was ended.`);
    throw error;
  } finally {
    waiting.end();
  }
  return await client.crawl.read({ id, limit: 1 }, { signal });
}

function notCome(url: string, seconds: number): CommandError {
  return new CommandError(`${url} did not come within ${seconds} s, and its scrape was ended; --timeout waits longer.`, {
    exitCode: EXIT.waitSpent,
    code: 'wait_timeout',
    next: [`weft scrape ${url} --timeout ${seconds * 2}`],
  });
}

const EVERY_MS = 1000;
const LONG_MS = 10_000;

/** Says what is waited for: on a terminal second by second. */
function sayWaiting({ status }: CommandContext, url: string) {
  const beganMs = performance.now();
  let what = `waiting for ${URL.parse(url)?.host ?? url}`;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    // Elsewhere than on a terminal only what takes long is worth a line.
    if (status.isLive || nowMs - beganMs >= LONG_MS) status.show([what, `${Math.round((nowMs - beganMs) / 1000)} s`], nowMs);
  }, EVERY_MS);
  return {
    hear(event: RunEvent) {
      if (event.type === 'snapshot' && event.run.status === 'queued') what = 'waiting for a free place in the agent';
      if (event.type === 'lane') what = `rendering ${URL.parse(url)?.host ?? url} in a browser`;
    },
    end() {
      clearInterval(timer);
      status.end();
    },
  };
}
