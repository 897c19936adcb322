// Opens sessions of many steps in the pool that single pages use too.
import { decodeBody } from '../../../html/encoding/decode.ts';
import type { Clock } from '../../../ports.ts';
import { Recorder } from '../../../run/recording/recording.ts';
import type { BrowserRecordings, RecordedSession } from '../../../run/recording/told.ts';
import type { BrowserSession, BrowserSessions, SessionOptions } from '../../../run/session.ts';
import { toBrowserError } from '../failure.ts';
import type { HeldContext } from '../generation.ts';
import type { BrowserPool } from '../pool.ts';
import { listen } from '../recording/listen.ts';
import { createSession } from './session.ts';

const OPEN_MS = 30_000;
const READ_MS = 10_000;

/** Sessions in the browsers of `pool`. */
export function createSessions(pool: BrowserPool, clock: Clock): BrowserSessions & BrowserRecordings {
  const hold = async (options: SessionOptions, signal: AbortSignal): Promise<HeldContext> => {
    const { privateTargets = [], names, proxy, locale, viewport, state, isHeaded } = options;
    try {
      signal.throwIfAborted();
      const job = { owner: undefined, privateTargets, names, proxy, mayReachPrivate: privateTargets.length > 0 };
      return await pool.holdContext(job, { locale, viewport, state, isHeaded }, signal);
    } catch (error) {
      throw toBrowserError(error, 'about:blank', OPEN_MS, signal);
    }
  };
  return {
    open: async (options, signal) => createSession(await hold(options, signal), options, clock),
    record: async (options, signal) => await recordSession(await hold(options, signal), options, clock),
  };
}

/** Dialogs are accepted, since a recording can't wait for an answer that its runs have to give by themselves. */
async function recordSession(held: HeldContext, options: SessionOptions, clock: Clock): Promise<RecordedSession> {
  const recorder = new Recorder();
  const heard: { session?: BrowserSession } = {};
  held.context.on('dialog', (dialog) => {
    if (dialog.type() === 'beforeunload') return;
    heard.session?.answerDialog({ accept: true, text: dialog.defaultValue() });
    recorder.add({ kind: 'dialog', message: dialog.message(), text: dialog.defaultValue() });
  });
  const listening = listen(held.context, (event) => {
    heard.session?.personActs();
    recorder.add(event);
  });
  const session = createSession(held, options, clock, (tab) => listening.follow(tab));
  heard.session = session;
  return {
    session,
    steps: () => recorder.kinds,
    async recording(name) {
      await listening.flush();
      return recorder.finish(name, await lastPage(session));
    },
  };
}

/** Undefined where it can't be read: then nothing is learned from it. */
async function lastPage(session: BrowserSession): Promise<{ readonly url: string; readonly html: string } | undefined> {
  try {
    const { url, body, contentType } = await session.read({ timeoutMs: READ_MS, signal: AbortSignal.timeout(READ_MS) });
    return { url, html: decodeBody(body, contentType).html };
  } catch {
    return undefined;
  }
}
