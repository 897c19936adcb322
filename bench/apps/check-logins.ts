// Shows that the applications that people log in to are what they say: their lists are closed, logins open them, and their own APIs agree.
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../tests/browser.ts';
import type { Account, Captcha, FirstLogin, LoginApp, LoginSite } from './login-app.ts';
import { changePassword, editWithQuestion, inNewContext, logIn, readList, sendCode, sendPassword } from './login-walk.ts';
import { installApp, placeOf, startApp } from './runner.ts';
import { codeAt } from './totp.ts';

const PATIENCE_MS = 20_000;

/** Installs, starts and ends the application, and answers what it showed, a sentence each. Throws where it is not what it says. */
export async function checkLogin(app: LoginApp, home: string): Promise<readonly string[]> {
  await installApp(app.software, home);
  const running = await startApp(app.software, home);
  try {
    const browser = await launchBrowser();
    try {
      const site = app.site({ place: placeOf(app.software, home), origin: running.origin, restart: () => running.restart() });
      return await checkSite(browser, site);
    } finally {
      await browser.close();
    }
  } finally {
    await running.stop();
  }
}

async function checkSite(browser: Browser, site: LoginSite): Promise<readonly string[]> {
  const visit: Visit = (work) =>
    inNewContext(async () => {
      const context = await browser.newContext();
      context.setDefaultTimeout(PATIENCE_MS);
      return context;
    }, work);
  const said = [await visit((page) => checkList(page, site))];
  const guarded = site.accounts.findLast(({ totpSeed }) => totpSeed !== undefined);
  for (const account of site.accounts.slice(1)) if (account !== guarded) await visit((page) => logIn(page, site, account));
  if (guarded) await checkCodeOnce(visit, site, guarded);
  said.push(`${site.accounts.length} accounts log in${guarded ? ', a code once only' : ''}`);
  if (site.firstLogin) said.push(await checkFirstLogin(visit, site, site.firstLogin));
  if (site.captcha) said.push(await checkCaptcha(visit, site, site.captcha));
  return said;
}

type Visit = <T>(work: (page: Page) => Promise<T>) => Promise<T>;

async function checkList(page: Page, site: LoginSite): Promise<string> {
  const wanted = await site.list.rows();
  assert.ok(wanted.length > 0, 'its API names no rows');
  assert.deepEqual(await readList(page, site), [], 'who is not logged in reads the list');
  await logIn(page, site, site.login);
  assert.deepEqual(await readList(page, site), wanted, 'the list is not what the API says');
  await site.endSessions();
  assert.deepEqual(await readList(page, site), [], 'a session that was ended reads the list');
  return `${wanted.length} rows as its API says, none before the login and none after the end of the session`;
}

async function checkCodeOnce(visit: Visit, site: LoginSite, account: Account): Promise<void> {
  const code = codeAt(account.totpSeed ?? '', Date.now());
  const enter = async (page: Page) => {
    await sendPassword(page, site, account);
    await sendCode(page, site, code);
    return readList(page, site);
  };
  assert.notDeepEqual(await visit(enter), [], `${account.username} does not get in with a code`);
  assert.deepEqual(await visit(enter), [], `${account.username} gets in with a code that was used`);
}

async function checkFirstLogin(visit: Visit, site: LoginSite, first: FirstLogin): Promise<string> {
  await first.demand();
  await visit((page) => changePassword(page, site, first));
  await visit((page) => logIn(page, site, { ...first.account, password: first.newPassword }));
  await first.demand();
  return 'the first password has to be changed, and the new one logs in';
}

async function checkCaptcha(visit: Visit, site: LoginSite, captcha: Captcha): Promise<string> {
  const before = await captcha.text();
  const after = `${before}\n\nWalked past ${before.length}.`;
  const plain = site.accounts.find(({ totpSeed }) => totpSeed === undefined);
  assert.ok(plain, 'it has no account without a code');
  const wasRefused = await visit(async (page) => {
    await logIn(page, site, plain);
    return editWithQuestion(page, captcha, after);
  });
  assert.ok(wasRefused, 'an edit without an answer was not refused');
  assert.equal(await captcha.text(), after, 'the edit was not saved');
  return 'an edit is refused without an answer to its question, and saved with it';
}
