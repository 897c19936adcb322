// Redmine for members only: passwords, codes of an authenticator, one password that has to be changed, and 150 issues on six pages.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Place, Software } from '../app.ts';
import { articles } from '../content.ts';
import type { Account, LoginApp, Row } from '../login-app.ts';
import { run } from '../packages.ts';
import { siteOf } from '../php.ts';
import { REDMINE_NEEDS, databaseOf, installRedmine, startRedmine } from './redmine.ts';

const ISSUES = 150;
const API_KEY = '0123456789abcdef0123456789abcdef01234567';
const BUSY_MS = 10_000;
/** A code is good once: many logins within 30 seconds need many accounts. */
const WITH_SEED: readonly Account[] = [...'ABCDEFGHIJ'].map((letter, at) => ({
  username: `guard${at}`,
  password: `greenhouse-${at}-0123456789`,
  totpSeed: letter.repeat(8) + 'MFRGGZDFMZTWQ2LKNNWG23TP',
}));
const PLAIN: Account = { username: 'ada', password: 'potting-shed-0123456789' };
const NEWCOMER: Account = { username: 'newcomer', password: 'first-password-0123456789' };

const SOFTWARE: Software = {
  name: 'redmine-members',
  software: 'Redmine for members, with codes',
  port: 8428,
  needs: REDMINE_NEEDS,
  package: 'redmine',
  source: import.meta.filename,
  entry: '/login',
  install: (place) =>
    installRedmine(place, join(import.meta.dirname, 'redmine/seed-members.rb'), {
      accounts: [PLAIN, ...WITH_SEED, { ...NEWCOMER, mustChange: true }],
      apiKey: API_KEY,
      subjects: subjects(),
    }),
  start: startRedmine,
};

export const REDMINE_MEMBERS: LoginApp = {
  software: SOFTWARE,
  site: ({ place, origin }) => ({
    origin,
    login: { ...(WITH_SEED[0] ?? PLAIN), url: `${origin}/login` },
    accounts: [...WITH_SEED, PLAIN],
    form: {
      username: '#username',
      password: '#password',
      submit: '#login-submit',
      code: { field: '#twofa_code', submit: '#login-submit' },
      proof: '#loggedas',
    },
    list: {
      // Closed issues, too.
      url: `${origin}/issues?set_filter=1&status_id=*&sort=id`,
      row: 'table.issues tbody tr.issue',
      columns: {
        id: { selector: 'td.id' },
        tracker: { selector: 'td.tracker' },
        status: { selector: 'td.status' },
        priority: { selector: 'td.priority' },
        subject: { selector: 'td.subject' },
      },
      next: '.pagination li.next a',
      rows: () => issuesOf(origin),
    },
    firstLogin: {
      account: NEWCOMER,
      newPassword: 'second-password-0123456789',
      form: { old: '#password', next: '#new_password', again: '#new_password_confirmation', submit: 'form.tabular input[type=submit]' },
      demand: () => demandChange(place),
    },
    isLogin: ({ method, target }) => method === 'POST' && target === '/login',
    // A session is a signed cookie that names a token: without the token it is nobody's.
    endSessions: () => Promise.resolve(deleteTokens(place)),
  }),
};

function subjects(): string[] {
  const words = articles(50);
  return Array.from(
    { length: ISSUES },
    (_, at) => `${['Sow', 'Water', 'Harvest'][at % 3]} the ${words[at % words.length]?.slug}, bed ${at + 1}`,
  );
}

async function issuesOf(origin: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const response = await fetch(`${origin}/issues.json?status_id=*&sort=id&limit=100&offset=${rows.length}`, {
      headers: { 'X-Redmine-API-Key': API_KEY },
    });
    if (!response.ok) throw new Error(`/issues.json answered ${response.status}`);
    const { issues, total_count: total } = (await response.json()) as IssuesAnswer;
    for (const { id, tracker, status, priority, subject } of issues)
      rows.push({ id: String(id), tracker: tracker.name, status: status.name, priority: priority.name, subject });
    if (issues.length === 0 || rows.length >= total) return rows;
  }
}

interface Named {
  readonly name: string;
}

/** What Redmine's REST interface answers for a list of issues. */
interface IssuesAnswer {
  readonly issues: readonly { id: number; tracker: Named; status: Named; priority: Named; subject: string }[];
  readonly total_count: number;
}

function deleteTokens(place: Place): void {
  using database = new DatabaseSync(databaseOf(place), { timeout: BUSY_MS });
  database.exec("DELETE FROM tokens WHERE action IN ('session', 'autologin', 'twofa_session')");
}

async function demandChange(place: Place): Promise<void> {
  const { username, password } = NEWCOMER;
  const change = `user = User.find_by(login: '${username}'); user.password = user.password_confirmation = '${password}'; user.must_change_passwd = true; user.save!`;
  await run('bundle', ['exec', 'rails', 'runner', change], { cwd: siteOf(place), env: { RAILS_ENV: 'production' } });
}
