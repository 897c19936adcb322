// Steps that say who somebody is. The values are looked up where they are sent.
import type { Selectors, StepOf } from '@weft/contract';
import { PageError } from '../../errors.ts';
import { LaneFault, RunFault } from '../fault.ts';
import type { ReadForm } from '../reading/forms.ts';
import type { LoginAsk, ReadLogin } from '../reading/login.ts';
import { BOTH, BROWSER } from '../step-work.ts';
import type { StepKind, StepWork } from '../step-work.ts';
import { SealedText } from '../value.ts';
import { sendOther } from './refused-login.ts';
import { leaveToScripts } from './scripted-form.ts';
import { BEGINS_MS, LOOKS_MAX, settles } from './settling.ts';

/** A button that is not there by then will not come. */
const OPENER_MS = 30_000;

type LoginFields = NonNullable<StepOf<'login'>['fields']>;

/** The parts of a login, and what of the persona is sent in each. */
const SENT = [
  ['username', 'username'],
  ['password', 'password'],
  ['otp', 'totp'],
] as const;

/** Logins and codes. */
export const IDENTITY = {
  login: { lanes: (step) => (step.opener ? BROWSER : BOTH), changes: () => true, run: login } satisfies StepKind<StepOf<'login'>>,
  otp: { lanes: () => BOTH, changes: () => true, run: sendCode } satisfies StepKind<StepOf<'otp'>>,
} as const;

/** A login whose session lasts sends nothing. Runs that have to log in go one after another, and find what the one before has left. */
async function login(step: StepOf<'login'>, work: StepWork): Promise<unknown> {
  const url = await work.address(step.url);
  work.noteRobots(url);
  const isFresh = step.session === 'fresh';
  if (isFresh) await reset(url, work);
  else if (await lasts(url, step, work)) return { reused: true };
  return await work.state.ports.inLoginLine(new URL(url).origin, work.room.signal, async () => {
    if (!isFresh && (await work.room.takeSession()) && (await lasts(url, step, work))) return { reused: true };
    await sendLogin(url, step, work);
    noteLanding(url, work);
    if (work.state.refusedLogins.has(url)) work.state.scripted.add(url);
    work.state.isLoggedIn = true;
    await work.room.keepSession();
    return { reused: false };
  });
}

/** Opens the page of the login without any session. */
async function reset(url: string, work: StepWork): Promise<void> {
  await work.room.dropSession();
  await (await work.room.driver()).open(url, { isLogin: true }, work.bounds);
}

/** Whether the session that the run has lasts: shown where its login led, else at the page of the login, which is open where it does not. */
async function lasts(url: string, step: StepOf<'login'>, work: StepWork): Promise<boolean> {
  const landing = work.state.ports.session.logins().landings[url];
  if (landing !== undefined && (await lastsAt(landing, url, step, work))) return true;
  return await lastsAt(url, url, step, work);
}

/** Within the site of the login alone: elsewhere a page may be gone to for what its address holds. */
function noteLanding(url: string, work: StepWork): void {
  const landing = work.url;
  if (landing !== undefined && landing !== url && new URL(landing).origin === new URL(url).origin) work.state.landings.set(url, landing);
}

async function lastsAt(place: string, url: string, step: StepOf<'login'>, work: StepWork): Promise<boolean> {
  await (await work.room.driver()).open(place, { isLogin: true }, work.bounds);
  const isShown = await isIn(step, work);
  const hasSettled = await settles(work);
  if (!isShown && !(hasSettled && (await isIn(step, work)))) return false;
  // Scripts show who is logged in by what they have stored; whether that is worth anything their server says (RFC 9110, 15.5.2).
  if (await isRefused(work)) {
    await reset(url, work);
    return false;
  }
  work.state.isLoggedIn = true;
  return true;
}

/** Whether the page shows that somebody is signed in. */
async function isIn({ success }: StepOf<'login'>, work: StepWork): Promise<boolean> {
  return success ? await work.holds(success) : (await work.read({ kind: 'signedIn' })).isSignedIn === true;
}

/** True where the page's own server has answered 401 to what the page asked for. */
async function isRefused(work: StepWork): Promise<boolean> {
  const { session } = await work.room.driver();
  if (!session) return false;
  const { origin } = new URL(session.url());
  return session.lastRequests().some(({ url, status }) => status === 401 && new URL(url).origin === origin);
}

async function sendLogin(url: string, step: StepOf<'login'>, work: StepWork): Promise<void> {
  if (step.opener) await openForm(step.opener, work);
  const { username, password, otp } = step.fields ?? {};
  const firstAsk = { kind: 'login', username, password, otp: undefined } as const;
  const first = (await loginAt(work, firstAsk)) ?? ((await settles(work, BEGINS_MS)) ? (await work.read(firstAsk)).login : undefined);
  if (!first) throw new PageError('selector', `${work.url ?? url} shows no login.`, { url: work.url ?? url });
  await leaveToScripts({ ...first.form, ...scriptBefore(url, work) }, unsentOf(first), work);
  const refused = work.state.refusedLogins.get(url);
  const sendFirst = () => send(first, { ...step.fields }, work);
  await (refused ? sendOther(refused, sendFirst, work) : sendFirst());
  const readSecond = async () => {
    const second = await loginAt(work, { kind: 'login', otp });
    return second?.otp !== undefined && second.password === undefined ? second : undefined;
  };
  const second = await afterSending(step, work, readSecond);
  // The button of the password is not that of the code.
  if (second && second !== 'in') await send(second, { otp }, work);
  if (second !== 'in' && (await afterSending(step, work, async () => undefined)) !== 'in') {
    const place = work.url ?? url;
    const lacking = step.success ? `its "success" does not hold at ${place}` : `${place} asks for a password or shows no way to sign out`;
    const message = `The login at ${url} did not work: ${lacking}.`;
    const again = second === undefined ? await loginAt(work, firstAsk) : undefined;
    throw again?.password === undefined ? new RunFault('assert', message) : await refusal(url, first, again.form, message, work);
  }
}

/** What earlier runs know of its scripts. */
function scriptBefore(url: string, { state }: StepWork): Pick<ReadForm, 'script'> {
  return state.ports.session.logins().scripted.includes(url) ? { script: 'a script of its page changes what is sent' } : {};
}

/** What of the login its form does not send. */
function unsentOf({ form, ...names }: ReadLogin): string | undefined {
  const part = SENT.find(([each]) => names[each] !== undefined && !form.entries.some(({ name }) => name === names[each]));
  return part && `the field of its ${part[0]} has no name, so that a script sends it`;
}

/** Of a password that was not taken by HTTP: a script may make something else of it, and a browser runs it. */
async function refusal(url: string, first: ReadLogin, again: ReadForm, message: string, work: StepWork): Promise<Error> {
  const { form } = first;
  const { session } = await work.room.driver();
  if (session || !form.hasScripts) return new RunFault('assert', message);
  const why = form.script ?? 'a script of its page may change what its form sends';
  if (!(await work.maySwitch())) return new RunFault('assert', `${message} By HTTP, ${why}; set "lane": "browser".`);
  const typed = new Map(SENT.map(([part, field]) => [first[part] ?? '', part === 'otp' ? undefined : personaText(field)] as const));
  const cookies = new Set(work.state.cookies.records().map(({ name }) => name));
  work.state.refusedLogins.set(url, { form, typed, again, cookies, message: `${message} A browser sends the same, so it was sent once.` });
  return new LaneFault('scripted_form', `${message} By HTTP, ${why}.`);
}

/** Clicks what opens the form, and gives it the time to appear. */
async function openForm(selectors: NonNullable<StepOf<'login'>['opener']>, work: StepWork): Promise<void> {
  const { signal, timeoutMs } = work.bounds;
  await (await work.session()).click({ selectors }, {}, { signal, timeoutMs: Math.min(timeoutMs, OPENER_MS) });
  await settles(work, BEGINS_MS);
}

/** The login of the page; undefined where it is not there, or not yet. */
async function loginAt(work: StepWork, ask: LoginAsk & { readonly kind: 'login' }): Promise<ReadLogin | undefined> {
  try {
    return (await work.read(ask)).login;
  } catch (error) {
    if (error instanceof PageError && error.code === 'selector') return undefined;
    throw error;
  }
}

/** What a form that was sent led to: `in`, what `next` finds, or neither. Scripts get their time for it. */
async function afterSending<Next>(
  step: StepOf<'login'>,
  work: StepWork,
  next: () => Promise<Next | undefined>,
): Promise<'in' | Next | undefined> {
  for (let look = 1; ; look++) {
    if (await isIn(step, work)) return 'in';
    const found = await next();
    if (found !== undefined || look >= LOOKS_MAX || !(await settles(work, BEGINS_MS))) return found;
  }
}

async function send({ form, ...names }: ReadLogin, fields: LoginFields, work: StepWork): Promise<void> {
  const values = new Map<string, SealedText>();
  const controls = new Map<string, Selectors>();
  for (const [part, field] of SENT) {
    const name = names[part];
    if (name === undefined) continue;
    values.set(name, personaText(field));
    const selectors = fields[part] ?? (form.entries.some((entry) => entry.name === name) ? undefined : [name]);
    if (selectors) controls.set(name, selectors);
  }
  const driver = await work.room.driver();
  await driver.submit(form, { values, submit: undefined, places: { controls, button: fields.submit }, isLogin: true }, work.bounds);
}

function personaText(field: string): SealedText {
  return new SealedText([{ kind: 'persona', field }]);
}

/** One box, or one for each digit of the code. */
async function sendCode(step: StepOf<'otp'>, work: StepWork): Promise<unknown> {
  const driver = await work.room.driver();
  const { selectors, settle_ms: settleMs = 500 } = step;
  if (driver.session) {
    const { count } = await driver.session.find({ selectors }, work.bounds);
    // A code is spent by being asked for, so only once there is a box for it.
    const code = await work.typed(personaText('totp'));
    // The first box takes the digits one after another: it is they who move on.
    if (count <= 1) await driver.session.change({ selectors }, code, { isSecret: true }, work.bounds);
    else await typeDigits(code, selectors, count, work);
    await work.state.ports.clock.sleepUntil(work.state.ports.clock.steadyMs() + settleMs, work.room.signal);
    return { sent: true };
  }
  const names = ((await work.read({ kind: 'values', of: { selectors, attr: 'name' } })).values ?? []).map(String);
  const { form } = await work.read({ kind: 'form', selectors, names: [] });
  if (!form || names.length === 0) throw new PageError('selector', `${work.url ?? 'The page'} has no box for a code.`);
  const code = await work.typed(personaText('totp'));
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
