// Logs in to an application as a person would, in a browser and without any code of ours, and reads what only members see.
import type { BrowserContext, Page } from 'playwright-core';
import type { Account, Captcha, FirstLogin, LoginSite, MemberList, Row } from './login-app.ts';
import { codeAt } from './totp.ts';

const PAGES_MAX = 100;

/** Fills the form of the site. Comes back when the application shows what only members see, or throws when it does not. */
export async function logIn(page: Page, site: LoginSite, account: Account): Promise<void> {
  await sendPassword(page, site, account);
  if (account.totpSeed !== undefined) await sendCode(page, site, codeAt(account.totpSeed, Date.now()));
  await page.locator(site.form.proof).first().waitFor();
}

/** Fills name and password, and sends them. */
export async function sendPassword(page: Page, { form, login }: LoginSite, { username, password }: Account): Promise<void> {
  await page.goto(login.url);
  if (form.opener !== undefined) await page.locator(form.opener).click();
  await page.locator(form.username).fill(username);
  await page.locator(form.password).fill(password);
  await page.locator(form.submit).click();
}

/** Fills a code into the form that follows the password, and comes back when it was answered. */
export async function sendCode(page: Page, { form }: LoginSite, code: string): Promise<void> {
  if (form.code === undefined) throw new Error('this application asks for no code');
  await page.locator(form.code.field).fill(code);
  await Promise.all([page.waitForEvent('load'), page.locator(form.code.submit).click()]);
}

/** The rows that the list shows on all its pages, in their order; none where the application lets nobody read them. */
export async function readList(page: Page, { list }: LoginSite): Promise<readonly Row[]> {
  const rows: Row[] = [];
  await page.goto(list.url, { waitUntil: 'networkidle' });
  for (let pages = 1; ; pages++) {
    rows.push(...(await (list.isVirtual ? rowsByScrolling(page, list) : rowsInView(page, list))));
    const next = list.next === undefined ? undefined : page.locator(list.next).first();
    if (next === undefined || (await next.count()) === 0) return rows;
    if (pages === PAGES_MAX) throw new Error(`${list.url} does not end after ${PAGES_MAX} pages`);
    const here = page.url();
    await next.click();
    await page.waitForURL((url) => url.href !== here, { waitUntil: 'networkidle' });
  }
}

/** What the browser has of an element, as far as it is read here. */
interface PageElement {
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
  querySelector(selector: string): PageElement | null;
}

/** All at once: a row that is read later may be gone. */
async function rowsInView(page: Page, { row, columns }: MemberList): Promise<readonly Row[]> {
  const read = (rows: PageElement[], wanted: MemberList['columns']) =>
    rows.map((each) =>
      Object.fromEntries(
        Object.entries(wanted).map(([name, { selector, attribute }]) => {
          const cell = each.querySelector(selector);
          return [name, ((attribute === undefined ? cell?.textContent : cell?.getAttribute(attribute)) ?? '').trim()];
        }),
      ),
    );
  return await page.locator(row).evaluateAll(read, columns);
}

/** Rows that come and go as the page is scrolled, each once. */
async function rowsByScrolling(page: Page, list: MemberList): Promise<Row[]> {
  const rows = new Map<string, Row>();
  for (let before = -1; rows.size > before;) {
    before = rows.size;
    for (const row of await rowsInView(page, list)) rows.set(JSON.stringify(row), row);
    if (rows.size === 0) return [];
    await page.locator(list.row).last().scrollIntoViewIfNeeded();
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  }
  return [...rows.values()];
}

/** Logs in with the first password, changes it as the application demands, and comes back when members' pages are shown. */
export async function changePassword(page: Page, site: LoginSite, { account, newPassword, form }: FirstLogin): Promise<void> {
  await sendPassword(page, site, account);
  await page.locator(form.next).fill(newPassword);
  await page.locator(form.again).fill(newPassword);
  await page.locator(form.old).fill(account.password);
  await page.locator(form.submit).click();
  await page.locator(form.next).waitFor({ state: 'detached' });
  await page.goto(site.list.url);
  await page.locator(site.form.proof).first().waitFor();
}

/** Saves `text` in the form that asks a question, which is answered in the second attempt only; true when the first one was refused. */
export async function editWithQuestion(
  page: Page,
  { url, field, submit, question, answer, answers }: Captcha,
  text: string,
): Promise<boolean> {
  await page.goto(url);
  await page.locator(field).fill(text);
  await page.locator(submit).click();
  await page.locator(question).waitFor();
  const asked = ((await page.locator(question).textContent()) ?? '').trim();
  const wasRefused = (await page.locator(field).inputValue()).trim() === text;
  await page.locator(answer).fill(answers[asked] ?? '');
  await page.locator(submit).click();
  await page.locator(answer).waitFor({ state: 'detached' });
  return wasRefused;
}

/** A browser without cookies; it is closed with what `work` answers. */
export async function inNewContext<T>(open: () => Promise<BrowserContext>, work: (page: Page) => Promise<T>): Promise<T> {
  const context = await open();
  try {
    return await work(await context.newPage());
  } finally {
    await context.close();
  }
}
