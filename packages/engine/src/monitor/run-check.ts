// A check: one look at what a monitor watches, one verdict, kept in one transaction. The loop is the same in every program.
import { PageError } from '../errors.ts';
import { heardFetcher, restingPorts } from '../crawl/work/job-fetcher.ts';
import { toldPersona } from '../html/signs/challenge.ts';
import { sha256 } from '../sha256.ts';
import { VaultLocked } from './check-ports.ts';
import type { CheckOutcome, CheckPorts, CheckSubject, LastPage, SeenContents } from './check-ports.ts';
import { bringPage } from './bring-page.ts';
import type { BroughtPage } from './bring-page.ts';
import type { PageReading } from './plan.ts';
import { isReached } from './witness.ts';
import { judgeRequest, readBrought } from './read-brought.ts';
import { judgeTrouble } from './verdict/judge.ts';
import type { Judgement } from './verdict/judgement.ts';
import type { Standing } from './verdict/trouble.ts';
import { isQuiet, judgeSame } from './verdict/same.ts';

/** Nothing was looked at, and nothing is known to be wrong with the site. */
const OFFLINE: Standing = { kind: 'offline', code: 'connect', message: 'This machine reaches no host: checks are put off until it does.' };
const LOCKED: Standing = {
  kind: 'vault_locked',
  code: 'vault_locked',
  message: 'It looks as a persona, and the vault is locked. Run weft vault unlock.',
};
/** A monitor that is changed so often while it is checked is left to its next check. */
const TRIES_MAX = 3;

/** Makes the check of run `runId`. Undefined where the monitor is gone. Throws what nobody expected; trouble with looking is an outcome. */
export async function runCheck(
  runId: number,
  monitorId: number,
  ports: CheckPorts,
  signal: AbortSignal,
): Promise<CheckOutcome | undefined> {
  const { place } = ports;
  const resting = { ...restingPorts(ports, place), fetcher: heardFetcher(ports.fetcher, place) };
  for (let tries = 1; ; tries++) {
    const subject = await ports.store.load(monitorId);
    if (!subject) return undefined;
    const outcome = await look(subject, resting, signal);
    signal.throwIfAborted();
    const kept = await ports.store.save(runId, outcome);
    if (kept === 'kept') return outcome;
    if (kept === 'gone') return undefined;
    if (tries >= TRIES_MAX)
      throw new PageError('internal', `The monitor was changed ${TRIES_MAX} times while it was checked; nothing of this check is kept.`);
  }
}

async function look(subject: CheckSubject, ports: CheckPorts, signal: AbortSignal): Promise<CheckOutcome> {
  const startedMs = ports.clock.steadyMs();
  const elapsed = () => Math.max(0, Math.round(ports.clock.steadyMs() - startedMs));
  const finish = (rest: Pick<CheckOutcome, 'judgement' | 'page' | 'fetched'> & Partial<CheckOutcome>): CheckOutcome => ({
    subject,
    baselines: [],
    proposals: [],
    seen: undefined,
    refusedStatus: undefined,
    retryAtMs: undefined,
    readMs: 0,
    heldMs: ports.place.heldMs(),
    ...rest,
    durationMs: elapsed(),
  });
  if (subject.source.kind === 'page' && !ports.network.mayTry(ports.clock.steadyMs()))
    return finish({ ...untouched(OFFLINE), judgement: judgeTrouble(OFFLINE, judgeRequest(subject, ports.clock.now())) });
  let brought: BroughtPage;
  try {
    brought = await bringPage(subject, ports, signal);
  } catch (error) {
    if (error instanceof VaultLocked)
      return finish({ ...untouched(LOCKED), judgement: judgeTrouble(LOCKED, judgeRequest(subject, ports.clock.now())) });
    if (!(error instanceof PageError) || error.code === 'aborted') throw error;
    const standing = await standingOf(error, subject, ports, signal);
    const fetched = { outcome: 'stopped', reasons: [messageOf(error, subject)], durationMs: elapsed() } as const;
    return finish({
      judgement: judgeTrouble(standing, judgeRequest(subject, ports.clock.now())),
      page: undefined,
      fetched,
      refusedStatus: error.status,
      retryAtMs: error.retryAtMs,
    });
  }
  const fetched = { outcome: 'passed', reasons: brought.reasons, durationMs: elapsed() } as const;
  const page = lastPageOf(subject, brought);
  const { lastPage } = subject;
  if (page.print === lastPage?.print && lastPage.hasPictures !== true && isQuiet(subject.known))
    return finish({
      judgement: judgeSame(judgeRequest(subject, ports.clock.now())),
      page: withTitle(page, lastPage.title),
      fetched,
    });
  try {
    const { reading, judgement, hasPictures, reasons, cpuMs, queuedMs } = await readBrought(subject, brought, ports, signal);
    return finish({
      ...ofReading(reading, judgement),
      page: { ...withTitle(page, reading.title), ...(hasPictures ? { hasPictures } : {}) },
      fetched: { ...fetched, reasons: [...fetched.reasons, ...reasons] },
      readMs: cpuMs,
      heldMs: ports.place.heldMs() - queuedMs,
      seen: isNew(judgement) ? seenOf(brought) : undefined,
    });
  } catch (error) {
    if (!(error instanceof PageError) || error.code === 'aborted') throw error;
    const standing = { kind: 'error', code: error.code, message: error.message } as const;
    return finish({ judgement: judgeTrouble(standing, judgeRequest(subject, ports.clock.now())), page: undefined, fetched });
  }
}

/** What there is of a page that was not asked for. */
function untouched({ message = '' }: Standing): Pick<CheckOutcome, 'page' | 'fetched'> {
  return { page: undefined, fetched: { outcome: 'stopped', reasons: [message], durationMs: 0 } };
}

function ofReading(reading: PageReading, judgement: Judgement): Pick<CheckOutcome, 'judgement' | 'baselines' | 'proposals'> {
  const { targets } = reading;
  return {
    judgement,
    baselines: targets.filter(({ baseline }) => baseline !== undefined),
    proposals: targets.filter(({ proposal }) => proposal !== undefined),
  };
}

/** Whether what is known of what is watched is another than before. Trouble with looking is nothing new of it. */
function isNew({ recorded, changes }: Judgement): boolean {
  return recorded.length > 0 || changes.some(({ kind }) => kind !== 'blocked' && kind !== 'error' && kind !== 'recovered');
}

function seenOf({ source: { body, contentType }, picture }: BroughtPage): SeenContents {
  return { body, contentType, picture };
}

function messageOf({ message }: PageError, { source }: CheckSubject): string {
  if (source.kind !== 'page' || source.personaId === undefined) return message;
  return toldPersona(message, source.personaId, source.request.url);
}

/** What of trouble is the site's, and what the machine's. */
async function standingOf(error: PageError, subject: CheckSubject, ports: CheckPorts, signal: AbortSignal): Promise<Standing> {
  const { code, status } = error;
  const { source } = subject;
  if (source.kind === 'page') {
    const { origin } = new URL(source.request.url);
    if (await ports.network.failed(origin, code, async (witness) => await isReached(witness, ports, signal))) return OFFLINE;
  }
  const isBlocked = code === 'captcha' || code === 'blocked' || code === 'rate_limited' || status === 401 || status === 403;
  return { kind: isBlocked ? 'blocked' : 'error', code, message: messageOf(error, subject) };
}

/** The print holds the body and everything that decides what is read of it: a rule that was edited is applied to the same bytes (T28). */
function lastPageOf(
  subject: CheckSubject,
  { source, status, lane, fromCache, etag, lastModified }: BroughtPage,
): LastPage & { readonly fromCache: boolean } {
  const { lastPage, version, watch } = subject;
  const kept = fromCache ? lastPage : undefined;
  const print = kept?.print ?? printOf(`${source.contentType ?? ''} ${status} ${lane} ${watch} ${version}`, source);
  return {
    version,
    print,
    url: source.url,
    status: kept?.status ?? status,
    lane,
    bytes: kept?.bytes ?? source.body.byteLength,
    ...(kept?.title === undefined ? {} : { title: kept.title }),
    ...(etag === undefined ? {} : { etag }),
    ...(lastModified === undefined ? {} : { lastModified }),
    fromCache,
  };
}

/** What a page fetched by itself is read, too. */
function printOf(readBy: string, { body, xhr = [] }: BroughtPage['source']): string {
  return sha256(`${sha256(body)} ${readBy}${xhr.length > 0 ? ` ${sha256(JSON.stringify(xhr))}` : ''}`);
}

function withTitle<P extends LastPage>(page: P, title: string | undefined): P {
  return title === undefined ? page : { ...page, title };
}
