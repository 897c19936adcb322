// Steps that say who somebody is. The values are looked up where they are sent.
import type { StepOf } from '@weft/contract';
import { PageError } from '../../errors.ts';
import { RunFault } from '../fault.ts';
import type { ReadLogin } from '../reading/login.ts';
import { BOTH } from '../step-work.ts';
import type { StepKind, StepWork } from '../step-work.ts';
import { SealedText } from '../value.ts';

/** Logins and codes. */
export const IDENTITY = {
  login: { lanes: () => BOTH, changes: () => true, run: login } satisfies StepKind<StepOf<'login'>>,
  otp: { lanes: () => BOTH, changes: () => true, run: sendCode } satisfies StepKind<StepOf<'otp'>>,
} as const;

/** A login whose session lasts sends nothing. Runs that have to log in go one after another, and find what the one before has left. */
async function login(step: StepOf<'login'>, work: StepWork): Promise<unknown> {
  const url = await work.address(step.url);
  const isFresh = step.session === 'fresh';
  if ((await isLoggedIn(url, step, work)) && !isFresh) return { reused: true };
  return await work.state.ports.inLoginLine(new URL(url).origin, work.room.signal, async () => {
    if (!isFresh && (await work.room.takeSession()) && (await isLoggedIn(url, step, work))) return { reused: true };
    await sendLogin(url, step, work);
    work.state.isLoggedIn = true;
    await work.room.keepSession();
    return { reused: false };
  });
}

/** Opens the page of the login, and says whether it shows that the session lasts. */
async function isLoggedIn(url: string, step: StepOf<'login'>, work: StepWork): Promise<boolean> {
  await (await work.room.driver()).open(url, { isLogin: true }, work.bounds);
  const holds = await work.holds(step.success);
  if (holds && step.session !== 'fresh') work.state.isLoggedIn = true;
  return holds;
}

async function sendLogin(url: string, step: StepOf<'login'>, work: StepWork): Promise<void> {
  const { username, password, otp } = step.fields ?? {};
  const first = (await work.read({ kind: 'login', username, password, otp: undefined })).login;
  if (!first) throw new PageError('selector', `${work.url ?? url} shows no login.`, { url: work.url ?? url });
  await send(first, step, work);
  const second = (await work.holds(step.success)) ? undefined : (await work.read({ kind: 'login', otp })).login;
  if (second?.otp !== undefined && second.password === undefined) await send(second, step, work);
  if (!(await work.holds(step.success)))
    throw new RunFault('assert', `The login at ${url} did not work: its "success" does not hold at ${work.url ?? url}.`);
}

async function send({ form, username, password, otp }: ReadLogin, step: StepOf<'login'>, work: StepWork): Promise<void> {
  const values = new Map<string, SealedText>();
  const fill = (name: string | undefined, field: string) => name !== undefined && values.set(name, personaText(field));
  fill(username, 'username');
  fill(password, 'password');
  fill(otp, 'totp');
  const submit = step.fields?.submit?.[0];
  await (
    await work.room.driver()
  ).submit(form, { values, submit: typeof submit === 'string' ? submit : undefined, isLogin: true }, work.bounds);
}

function personaText(field: string): SealedText {
  return new SealedText([{ kind: 'persona', field }]);
}

/** One box, or one for each digit of the code. */
async function sendCode(step: StepOf<'otp'>, work: StepWork): Promise<unknown> {
  const code = await work.typed(personaText('totp'));
  const driver = await work.room.driver();
  const { selectors, settle_ms: settleMs = 500 } = step;
  if (driver.session) {
    const { count } = await driver.session.find({ selectors }, work.bounds);
    // The first box takes the digits one after another: it is they who move on.
    if (count <= 1) await driver.session.change({ selectors }, code, { isSecret: true }, work.bounds);
    else await typeDigits(code, selectors, count, work);
    await work.state.ports.clock.sleepUntil(work.state.ports.clock.steadyMs() + settleMs, work.room.signal);
    return { sent: true };
  }
  const names = ((await work.read({ kind: 'values', of: { selectors, attr: 'name' } })).values ?? []).map(String);
  const { form } = await work.read({ kind: 'form', selectors, names: [] });
  if (!form || names.length === 0) throw new PageError('selector', `${work.url ?? 'The page'} has no box for a code.`);
  const digits = names.length === 1 ? [code] : [...code];
  const values = new Map(names.map((name, place) => [name, digits[place] ?? ''] as const));
  await driver.submit(form, { values, submit: undefined, isLogin: true }, work.bounds);
  return { sent: true };
}

async function typeDigits(code: string, selectors: StepOf<'otp'>['selectors'], count: number, work: StepWork): Promise<void> {
  const session = await work.session();
  await session.click({ selectors }, {}, work.bounds);
  for (const digit of [...code].slice(0, count)) {
    await session.keyDown(digit, work.bounds);
    await session.keyUp(digit, work.bounds);
  }
}
