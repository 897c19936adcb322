// A run of a workflow that acts in a browser, with its candidate by HTTP: beside it, in its place, or not at all.
import type { Step } from '@weft/contract';
import { canonicalJson } from '../exchange/untrusted.ts';
import { RunFault } from '../fault.ts';
import { runWorkflow } from '../loop.ts';
import type { RunEnd, RunPlan } from '../plan.ts';
import type { RunNews, WorkflowPorts } from '../ports.ts';
import { isTrusted } from './candidate.ts';
import type { CandidateVerdict, HttpCandidate } from './candidate.ts';
import { actsInBrowser, deriveCandidate, mayHaveCandidate } from './derive.ts';
import type { Derived } from './derive.ts';
import { deriveFromRequests } from './derive-requests.ts';
import { NotedRows, WaitingRows } from './held-rows.ts';
import { changeOf, sendingOf } from './sent-changes.ts';

/** What a run came to, and what it found out about its candidate. */
export interface CandidateEnd {
  readonly end: RunEnd;
  readonly verdict: CandidateVerdict | undefined;
}

/** As `runWorkflow`. `known` is what runs of the same revision found out. */
export async function runWithCandidate(
  plan: RunPlan,
  known: HttpCandidate | undefined,
  ports: WorkflowPorts,
  signal: AbortSignal,
): Promise<CandidateEnd> {
  if (!mayHaveCandidate(plan) || known?.status === 'demoted') return { end: await runWorkflow(plan, ports, signal), verdict: undefined };
  return known && isTrusted(known) ? await runByIt(plan, known, ports, signal) : await runBeside(plan, known, ports, signal);
}

/** By HTTP; where that fails, in a browser, which is safe: nothing of it changes anything at the far end. */
async function runByIt(plan: RunPlan, { steps }: HttpCandidate, ports: WorkflowPorts, signal: AbortSignal): Promise<CandidateEnd> {
  const say = sayTo(ports);
  await say('info', 'The run goes by HTTP: that came to the same as a browser.');
  const waiting = new WaitingRows();
  let told = 0;
  const byHttp = await runWorkflow(
    byHttpOf(plan, steps),
    {
      ...ports,
      keepRows: async (rows) => waiting.take(rows),
      tell: async (news) => {
        if (news.type === 'step') told = Math.max(told, news.index + 1);
        if (news.type !== 'data') await ports.tell(news);
      },
    },
    signal,
  );
  if (!byHttp.failure) {
    if (waiting.all.length > 0) await ports.tell({ type: 'data', rows: await ports.keepRows(waiting.all) });
    return { end: { ...byHttp, seen: withActs(plan, byHttp.seen) }, verdict: { kind: 'used' } };
  }
  await ports.tell({ type: 'lane', from: 'http', to: 'browser', reason: 'shape_changed' });
  await say('warn', `By HTTP the run failed (${byHttp.failure.message}), and goes on in a browser from its first step.`);
  const end = await runWorkflow(plan, { ...ports, tell: (news) => ports.tell(later(news, told)) }, signal);
  // Where the browser fails as well, the site is what changed.
  if (end.failure) return { end, verdict: undefined };
  const reason = `it failed where a browser did not: ${byHttp.failure.message}`;
  await say('warn', `The candidate by HTTP is given up: ${reason}`);
  return { end, verdict: { kind: 'differed', steps, reason } };
}

/** What was seen at acts is seen by a browser alone, and stays known. */
function withActs({ guards = {} }: RunPlan, seen: RunEnd['seen']): RunEnd['seen'] {
  const acts = Object.entries(guards).flatMap(([id, [newest]]) =>
    newest && newest.seen.elements.length > 0 ? [[id, newest.seen] as const] : [],
  );
  return { ...Object.fromEntries(acts), ...seen };
}

/** Its executions are told behind those of the run by HTTP. */
function later(news: RunNews, first: number): RunNews {
  return news.type === 'step' ? { ...news, index: news.index + first } : news;
}

/** In a browser, whose answer counts; then by HTTP, of which nothing is kept. */
async function runBeside(
  plan: RunPlan,
  known: HttpCandidate | undefined,
  ports: WorkflowPorts,
  signal: AbortSignal,
): Promise<CandidateEnd> {
  const noted = new NotedRows();
  const keepRows: WorkflowPorts['keepRows'] = async (rows) => {
    noted.add(rows);
    return await ports.keepRows(rows);
  };
  const isKnown = known !== undefined && known.steps.length > 0;
  const end = await runWorkflow({ ...plan, gathersRequests: true }, { ...ports, keepRows }, signal);
  if (end.failure || end.lane !== 'browser') return { end, verdict: undefined };
  const say = sayTo(ports);
  const derived = isKnown ? known : derive(plan, end);
  if (!('steps' in derived)) {
    await say('info', `There is no candidate by HTTP: ${derived.reason}.`);
    return { end, verdict: { kind: 'none', reason: derived.reason } };
  }
  const change = isKnown ? changeOf(plan, end) : undefined;
  if (change !== undefined) await say('info', `The run is not held against HTTP: it ${change}.`);
  if (!noted.isWhole || change !== undefined) return { end, verdict: undefined };
  const { steps } = derived;
  const difference = await compare(byHttpOf(plan, steps), { noted, end }, ports, signal);
  if (difference === undefined) {
    await say('info', `By HTTP the run comes to the same ${noted.count} rows.`);
    return { end, verdict: { kind: 'agreed', steps, inputs: canonicalJson(plan.inputs) } };
  }
  await say('warn', `The candidate by HTTP is given up: ${difference}`);
  return { end, verdict: { kind: 'differed', steps, reason: difference } };
}

/** By the requests of its scripts where the rows came by them, which is sure; else by the addresses that its acts led to. */
function derive(plan: RunPlan, end: RunEnd): Derived {
  const { asked, trace, writes, steps } = end;
  const sending = sendingOf(end);
  const byRequests =
    sending !== undefined ? { reason: `it ${sending}` } : asked && deriveFromRequests(plan, steps[plan.steps.at(-1)?.id ?? ''], asked);
  if (byRequests && 'steps' in byRequests) return byRequests;
  // The same steps by HTTP were tried first, and led here.
  if (!actsInBrowser(plan)) return byRequests ?? { reason: 'its pages are filled by scripts, which asked for nothing that holds its rows' };
  const byAddress = deriveCandidate(plan, trace, writes);
  if ('steps' in byAddress || !byRequests) return byAddress;
  return { reason: `${byAddress.reason}; and ${byRequests.reason}` };
}

function byHttpOf(plan: RunPlan, steps: readonly Step[]): RunPlan {
  return { ...plan, steps, lane: 'http', takesShells: steps.some(({ type }) => type === 'request') };
}

/**
 * Runs `plan` where nobody sees it: with the session that a next run would begin with, under the same guards; why it came to something else.
 * What would be sent of a persona is refused, so that nothing is logged in twice.
 */
async function compare(
  plan: RunPlan,
  browser: { readonly noted: NotedRows; readonly end: RunEnd },
  ports: WorkflowPorts,
  signal: AbortSignal,
): Promise<string | undefined> {
  const noted = new NotedRows();
  const refuse = (what: string) => () => Promise.reject(new RunFault('input', what));
  const end = await runWorkflow(
    plan,
    {
      ...ports,
      tell: async () => undefined,
      keepRows: async (rows) => {
        noted.add(rows);
        return rows.length;
      },
      keepFile: refuse('A run beside another keeps no file.'),
      reveal: refuse('it would have to log in, which a run beside another does not.'),
      askPerson: refuse('A run beside another asks nobody.'),
      call: refuse('A run beside another calls none.'),
      session: {
        read: () => ports.session.read(),
        readNewer: async () => undefined,
        replace: async () => 'kept',
        logins: () => ports.session.logins(),
      },
    },
    signal,
  );
  if (end.failure) return `it failed where a browser did not: ${end.failure.message}`;
  const place = noted.differenceTo(browser.noted);
  if (place !== undefined)
    return `row ${place + 1} differs from that of a browser; ${noted.count} rows by HTTP, ${browser.noted.count} in a browser.`;
  return canonicalJson(end.output) === canonicalJson(browser.end.output) ? undefined : 'its output differs from that of a browser.';
}

function sayTo({ tell }: WorkflowPorts): (level: 'info' | 'warn', message: string) => Promise<void> {
  return async (level, message) => await tell({ type: 'log', level, message });
}
