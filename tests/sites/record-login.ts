// Records, by mouse and keys alone, how an application is logged in to and its list is opened: what a person does once.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NewWorkflow } from '@weft/contract';
import type { BrowserRecordings } from '../../packages/engine/src/run/recording/told.ts';
import type { BrowserSession } from '../../packages/engine/src/run/session.ts';
import { personAt } from '../../packages/engine/src/io/browser/recording/person.fixtures.ts';
import type { LoginSite } from '../../bench/apps/login-app.ts';
import { codeAt } from '../../bench/apps/totp.ts';

const ACT_MS = 30_000;
const PERIOD_MS = 30_000;

/** What was recorded: a login, and the list with its pages where its next page is behind a link. */
export async function recordLogin(recordings: BrowserRecordings, site: LoginSite): Promise<NewWorkflow> {
  const bounds = () => ({ timeoutMs: ACT_MS, signal: AbortSignal.timeout(2 * ACT_MS) });
  const recorded = await recordings.record({ privateTargets: [new URL(site.origin).host] }, AbortSignal.timeout(10 * ACT_MS));
  const { session } = recorded;
  try {
    const { login, form, list } = site;
    const person = personAt(session);
    await session.navigate(login.url, { waitUntil: 'networkidle' }, bounds());
    if (form.opener !== undefined) await person.click([form.opener]);
    await person.click([form.username]);
    await person.type(login.username);
    await person.click([form.password]);
    await person.type(login.password);
    await person.click([form.submit]);
    if (login.totpSeed !== undefined && form.code) {
      await person.click([form.code.field]);
      await person.type(codeAt(login.totpSeed, Date.now()));
      await person.click([form.code.submit]);
    }
    await shown(session, form.proof);
    await session.navigate(list.url, { waitUntil: 'networkidle' }, bounds());
    for (const place of [0, 1]) await mark(session, list.row, place);
    if (list.next !== undefined && list.offset === undefined) await person.click([list.next]);
    const { workflow, leftOut } = await recorded.recording('Recorded');
    assert.ok(workflow, JSON.stringify(leftOut));
    // A code that was used is refused until its time is over.
    if (login.totpSeed !== undefined) await sleep(PERIOD_MS - (Date.now() % PERIOD_MS));
    return workflow;
  } finally {
    await session.close();
  }
}

async function shown(session: BrowserSession, selector: string): Promise<void> {
  const bounds = { timeoutMs: ACT_MS, signal: AbortSignal.timeout(2 * ACT_MS) };
  await session.waitForElement({ selectors: [selector] }, { operator: '>=', count: 1 }, bounds);
}

/** With Alt and a click on the first text of a row. */
async function mark(session: BrowserSession, rows: string, place: number): Promise<void> {
  await shown(session, rows);
  const bounds = { timeoutMs: ACT_MS, signal: AbortSignal.timeout(2 * ACT_MS) };
  const at = (await session.evaluate(TEXT_OF_ROW, [rows, place], bounds)) as { readonly x: number; readonly y: number };
  await session.input({ kind: 'keyDown', key: 'Alt' }, bounds);
  await session.input({ kind: 'down', ...at }, bounds);
  await session.input({ kind: 'up', ...at }, bounds);
  await session.input({ kind: 'keyUp', key: 'Alt' }, bounds);
}

/** Runs in the page: the middle of the first piece of text of a row. */
const TEXT_OF_ROW = String.raw`(rows, place) => {
  const row = document.querySelectorAll(rows)[place];
  row.scrollIntoView({ block: 'center', behavior: 'instant' });
  const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(node);
    const [box] = range.getClientRects();
    if (node.data.trim() && box && box.width > 2 && box.x >= 0) return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }
  return { x: 0, y: 0 };
}`;
