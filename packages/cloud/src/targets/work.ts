// Makes one check of a target: the engine's loop on the rows of its account, paid and told in the transaction that keeps it.
import { FIRST_CADENCE, PageError, cadenceAfter, runCheck, scheduleOf, toldChange } from '@weft/engine';
import type { AskingPorts, Fetcher, NetworkWatch, ViewReader } from '@weft/engine';
import type { Hold } from '../credits/books.ts';
import type { Credits } from '../credits/credits.ts';
import { PAGE_PRICE, firstPrice } from '../credits/prices.ts';
import type { Database } from '../db/queries.ts';
import { askingFor } from '../hosts/asker.ts';
import type { Tell } from '../webhooks/outbox.ts';
import { createTargetCheckStore } from './checks.ts';
import type { CheckEnd, KeptCheck } from './checks.ts';
import { CHECK_OPERATION } from './claims.ts';
import type { TargetClaim, TargetClaims } from './claims.ts';

/** What checks need. */
export interface TargetWorkPorts extends AskingPorts {
  readonly database: Database;
  readonly credits: Credits;
  readonly claims: TargetClaims;
  readonly views: ViewReader;
  readonly network: NetworkWatch;
  readonly tell: Tell;
}

/** A process without network looks again so soon; one check at a time finds out for all. */
const OFFLINE_MS = 60_000;

/** Holds what the check may cost, unless that was done when it was asked for. Throws AppError `insufficient_credits`. */
export async function holdFor({ hold, target }: TargetClaim, credits: Pick<Credits, 'reserve'>): Promise<Hold> {
  const { account_id: accountId, url: about, definition } = target;
  return hold ?? (await credits.reserve({ accountId, operation: CHECK_OPERATION, about }, firstPrice(definition.lane)));
}

/** Checks; false where the target or the claim is gone, and nothing was kept. Throws what nobody expected, and PageError `aborted`. */
export async function checkTarget(claim: TargetClaim, hold: Hold, ports: TargetWorkPorts, signal: AbortSignal): Promise<boolean> {
  const { database, network, views, clock } = ports;
  const { target, run, runId, trigger } = claim;
  const paying = payingFetcher(claim, hold, ports);
  const store = createTargetCheckStore({
    database,
    accountId: target.account_id,
    isHeld: (row) => row.claim === claim.claim,
    runOf: () => ({ id: runId, trigger }),
    finish: (kept) => finish(kept, claim, hold, paying.isLimited(), ports),
  });
  const startedMs = clock.steadyMs();
  const outcome = await runCheck(
    run,
    target.number,
    {
      ...askingFor({ ...ports, fetcher: paying }, { tenant: target.account_id, isUrgent: trigger !== 'schedule' }),
      store,
      network,
      views: { run: (work, request, own) => views.run(work, request, own, target.account_id) },
      // Nothing else waits for the place of a check: a process claims as many as it can make.
      place: { rest: () => undefined, work: () => undefined, hear: () => undefined, heldMs: () => clock.steadyMs() - startedMs },
      actAs: refusePersona,
      secretFor: refuseSecret,
      runWorkflow: refuseWorkflow,
    },
    signal,
  );
  return outcome !== undefined;
}

/** Lane `auto` asks for the second credit before a browser starts; without it the page is what came over HTTP. */
function payingFetcher(
  { target }: TargetClaim,
  hold: Hold,
  { fetcher, credits }: TargetWorkPorts,
): Pick<Fetcher, 'fetch'> & { isLimited(): boolean } {
  let isLimited = false;
  let isPaid = false;
  const beforeBrowser = async () => {
    isPaid ||= await credits.topUp(hold, PAGE_PRICE.browser - PAGE_PRICE.http);
    isLimited = !isPaid;
    return isPaid;
  };
  const isPrepaid = target.definition.lane === 'browser';
  return {
    fetch: (request, signal) => fetcher.fetch(isPrepaid ? request : { ...request, beforeBrowser }, signal),
    isLimited: () => isLimited,
  };
}

/** Part of the transaction that keeps the check. */
async function finish(kept: KeptCheck, claim: TargetClaim, hold: Hold, isLaneLimited: boolean, ports: TargetWorkPorts): Promise<CheckEnd> {
  const { target, body, outcome } = kept;
  const isFree = outcome.page === undefined || outcome.judgement.trouble !== undefined;
  const credits = await ports.credits.settle(hold, isFree ? 0 : PAGE_PRICE[outcome.page.lane]);
  await tellOf(kept, claim, ports.tell);
  const every = target.definition.confirm?.every;
  const nowMs = Date.parse(body.checked_at);
  if (body.state === 'offline')
    return { credits, isLaneLimited, cadence: { ...FIRST_CADENCE, ...target.cadence }, dueAt: new Date(nowMs + OFFLINE_MS) };
  const cadence = cadenceAfter(scheduleOf(target.definition), target.cadence, body, outcome);
  return {
    credits,
    isLaneLimited,
    cadence,
    dueAt: body.verdict === 'pending' && every !== undefined ? new Date(nowMs + every * 1000) : undefined,
  };
}

/** Each change, and the end of a check that somebody asked for. */
async function tellOf({ target, runId, body, changes }: KeptCheck, { trigger }: TargetClaim, tell: Tell): Promise<void> {
  const { id, name, url, account_id: accountId } = target;
  const subject = { kind: 'target', id, name } as const;
  const shared = { target: { id, name, url }, run: { id: runId } };
  for (const change of changes)
    await tell(accountId, {
      event: `target.${change.kind}`,
      subject,
      data: { message: change.summary, ...shared, change: toldChange(change) },
      dedupeKey: String(change.id),
    });
  if (trigger === 'schedule') return;
  const status = body.failure === undefined ? 'succeeded' : 'failed';
  const message = `The check of ${name} ${status}: ${body.failure ?? body.verdict}.`;
  await tell(accountId, {
    event: `run.${status}`,
    subject: { kind: 'run', id: runId, name },
    data: { message, ...shared },
    dedupeKey: runId,
  });
}

function refusePersona(): never {
  throw new PageError('internal', 'The cloud looks as nobody.');
}

function refuseSecret(key: string): never {
  throw new PageError('address', `The cloud keeps no secret "${key}".`);
}

function refuseWorkflow(): never {
  throw new PageError('internal', 'A target of the cloud watches no workflow.');
}
