// A login that was refused by HTTP: the browser that tries it once more sends it only where its page makes something else of it.
import type { AskBounds } from '../asking.ts';
import { openText } from '../asking.ts';
import { RunFault } from '../fault.ts';
import type { ReadForm } from '../reading/forms.ts';
import type { AskedByPage } from '../session.ts';
import type { RefusedLogin } from '../state.ts';
import type { StepWork } from '../step-work.ts';

/**
 * Does `send` in a browser, behind a fence that keeps back what HTTP has sent already: a password that is wrong is sent once, since some
 * servers lock accounts. Throws RunFault `assert` where that was kept back.
 */
export async function sendOther(refused: RefusedLogin, send: () => Promise<void>, work: StepWork): Promise<void> {
  const session = await work.session();
  const { cookies } = await session.state(work.bounds);
  const host = new URL(refused.form.action).hostname;
  const isOurs = (domain: string) => host === domain.replace(/^\./, '') || host.endsWith(domain.replace(/^\.?/, '.'));
  // A script may have set the one that the server looks for.
  if (cookies.some(({ name, domain }) => isOurs(domain) && !refused.cookies.has(name))) return await send();
  const sent = await sentBy(refused, work.asking, work.bounds);
  let isKeptBack = false;
  const mayAsk = (asked: AskedByPage) => {
    const isSame = isSentBefore(asked, refused, sent);
    isKeptBack ||= isSame;
    return !isSame;
  };
  await session.fence(mayAsk, work.bounds);
  try {
    await send();
  } finally {
    await session.fence(undefined, work.bounds);
  }
  if (isKeptBack) throw new RunFault('assert', refused.message);
}

/** Values by their names, in order; undefined for those that are another one each time. */
type Sent = ReadonlyMap<string, readonly string[] | undefined>;

async function sentBy({ form, typed, again }: RefusedLogin, asking: StepWork['asking'], { signal }: AskBounds): Promise<Sent> {
  const sent = new Map<string, readonly string[] | undefined>();
  for (const { name, values } of form.entries) {
    const value = typed.get(name);
    const shown = again.entries.find((entry) => entry.name === name)?.values;
    if (typed.has(name)) sent.set(name, value && [await openText(value, new URL(form.action).origin, asking, signal)]);
    else sent.set(name, JSON.stringify(shown) === JSON.stringify(values) ? values : undefined);
  }
  return sent;
}

function isSentBefore({ method, url, kind, body }: AskedByPage, { form, again }: RefusedLogin, sent: Sent): boolean {
  if (method !== 'POST' || kind !== 'document' || body === undefined || !isSameAddress(url, form, again)) return false;
  const pairs = [...new URLSearchParams(body)].filter(([name]) => name !== form.button?.name);
  const names = new Set([...pairs.map(([name]) => name), ...sent.keys()]);
  return [...names].every((name) => {
    if (!sent.has(name)) return false;
    const wanted = sent.get(name);
    const values = pairs.filter(([each]) => each === name).map(([, value]) => value);
    return wanted === undefined ? values.length > 0 : JSON.stringify(values) === JSON.stringify(wanted);
  });
}

/** The query of an address that holds a token is another one each time. */
function isSameAddress(url: string, form: ReadForm, again: ReadForm): boolean {
  const [asked, wanted] = [new URL(url), new URL(form.action)];
  const isSameQuery = asked.search === wanted.search || form.action !== again.action;
  return asked.origin === wanted.origin && asked.pathname === wanted.pathname && isSameQuery;
}
