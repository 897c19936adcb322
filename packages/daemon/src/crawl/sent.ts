// What callers send of their own, while their runs live: in memory alone, so that no file of the agent ever holds it.
import { AppError } from '@weft/contract';
import type { CrawlOptions, Send } from '@weft/contract';
import { methodOf } from '@weft/engine';
import type { Actor } from '@weft/serve';
import { isAdmin } from '@weft/serve';

export interface SentValues {
  /** Those of runs that are over by now, begun or not, are let go. */
  keep(runId: number, send: Send, isOver: (runId: number) => boolean): void;
  /** Undefined for a run that sends nothing of its own, and after a restart. */
  of(runId: number): Send | undefined;
  forget(runId: number): void;
}

export function createSentValues(): SentValues {
  const kept = new Map<number, Send>();
  return {
    keep(runId, send, isOver) {
      for (const id of kept.keys()) if (isOver(id)) kept.delete(id);
      kept.set(runId, send);
    },
    of: (runId) => kept.get(runId),
    forget: (runId) => void kept.delete(runId),
  };
}

/** Throws AppError `forbidden` where `actor` may send nothing of its own (D16), `bad_request` where the rest of the call does not go with it. */
export function checkSend(
  send: Send,
  options: Pick<CrawlOptions, 'lane' | 'persona_id'> & { readonly isOnePage: boolean },
  actor: Actor,
): void {
  if (!isAdmin(actor)) throw new AppError('forbidden', '"send" needs the admin scope or the runtime token.');
  if (options.persona_id !== undefined)
    throw new AppError('bad_request', '"send" and "persona_id" exclude each other: a persona has its own session.');
  const isGet = methodOf(send) === 'GET';
  if (isGet && send.body !== undefined) throw new AppError('bad_request', '"send.body" goes with another method than GET.');
  if (!isGet && !options.isOnePage)
    throw new AppError('bad_request', '"send.method" and "send.body" are for one page: send "limit": 1 as well.');
  const isOverHttp = !isGet || Object.keys(send.headers ?? {}).length > 0;
  if (isOverHttp && options.lane === 'browser')
    throw new AppError(
      'bad_request',
      '"send" of headers, a method or a body goes over HTTP; a browser takes cookies alone. Leave "lane" out.',
    );
}

/** The proxy of that name. Throws AppError `bad_request` where `config.json` has none. */
export function requireProxy(name: string | undefined, proxies: Readonly<Record<string, unknown>>): void {
  if (name === undefined || Object.hasOwn(proxies, name)) return;
  const known = Object.keys(proxies);
  const told = known.length === 0 ? 'there are none' : `there are ${known.join(', ')}`;
  throw new AppError('bad_request', `"proxy" is "${name}"; of the "proxies" in config.json ${told}.`);
}
