// MediaWiki for members only: codes of OATHAuth, questions of ConfirmEdit where somebody edits or has failed to log in, and the list of what one of them wrote.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Place, Software } from '../app.ts';
import type { Account, Captcha, LoginApp, Row } from '../login-app.ts';
import { MEDIAWIKI_NEEDS, WRITER, databaseOf, installWiki, maintain, startWiki } from './mediawiki.ts';

const PER_PAGE = 20;
const BUSY_MS = 10_000;
const WITH_SEED: readonly Account[] = [...'KLMNO'].map((letter, at) => ({
  username: `Keeper${at}`,
  password: `orangery-${at}-0123456789`,
  totpSeed: letter.repeat(8) + 'MFRGGZDFMZTWQ2LKNNWG23TP',
}));
const PLAIN: Account = { username: 'Ada', password: 'potting-shed-0123456789' };
const ANSWERS = { 'What colour is a ripe tomato?': 'red', 'Which animal gives wool?': 'sheep', 'How many legs has a spider?': 'eight' };
const EDITED = 'Bean';

const SETTINGS = `
$wgGroupPermissions['*'] = ['read' => false, 'edit' => false, 'createaccount' => false] + $wgGroupPermissions['*'];
$wgMainCacheType = CACHE_DB;
$wgSessionCacheType = CACHE_DB;
wfLoadExtensions(['OATHAuth', 'ConfirmEdit', 'ConfirmEdit/QuestyCaptcha']);
$wgGroupPermissions['user']['oathauth-enable'] = true;
$wgCaptchaTriggers['edit'] = true;
$wgCaptchaQuestions = ${phpOf(ANSWERS)};
`;

const SOFTWARE: Software = {
  name: 'mediawiki-members',
  software: 'MediaWiki for members, OATHAuth and ConfirmEdit',
  port: 8429,
  needs: MEDIAWIKI_NEEDS,
  package: 'mediawiki',
  source: import.meta.filename,
  entry: '/index.php?title=Special:UserLogin',
  async install(place) {
    await installWiki(place, '/wiki/', SETTINGS);
    await maintain(place, 'update', '--quick');
    for (const { username, password } of [PLAIN, ...WITH_SEED]) await maintain(place, 'createAndPromote', username, password);
    giveSeeds(place);
  },
  start: startWiki,
};

export const MEDIAWIKI_MEMBERS: LoginApp = {
  software: SOFTWARE,
  site: ({ place, origin }) => ({
    origin,
    login: { ...(WITH_SEED[0] ?? PLAIN), url: `${origin}/index.php?title=Special:UserLogin` },
    accounts: [...WITH_SEED, PLAIN],
    form: {
      username: '#wpName1',
      password: '#wpPassword1',
      submit: '#wpLoginAttempt',
      code: { field: 'input[name=OATHToken]', submit: '#userloginForm button[type=submit], #userloginForm input[type=submit]' },
      proof: '#pt-logout',
    },
    list: {
      url: `${origin}/index.php?title=Special:Contributions/${WRITER.username}&limit=${PER_PAGE}`,
      row: 'ul.mw-contributions-list li[data-mw-revid]',
      columns: { title: { selector: 'a.mw-contributions-title' }, bytes: { selector: '.mw-diff-bytes' } },
      next: 'a.mw-nextlink',
      rows: () => contributionsOf(origin),
    },
    captcha: captchaOf(origin),
    // The form for the code stands at the same address; only the last one leads on.
    isLogin: ({ method, target, status }) =>
      method === 'POST' && decodeURIComponent(target).includes('Special:UserLogin') && status === 302,
    endSessions: () => Promise.resolve(deleteSessions(place)),
  }),
};

function captchaOf(origin: string): Captcha {
  return {
    url: `${origin}/index.php?title=${EDITED}&action=edit`,
    field: '#wpTextbox1',
    submit: '#wpSave',
    question: 'label[for=wpCaptchaWord]',
    answer: '#wpCaptchaWord',
    answers: ANSWERS,
    async text() {
      const answer = await askWiki(origin, { action: 'query', titles: EDITED, prop: 'revisions', rvprop: 'content', rvslots: 'main' });
      return answer.query.pages?.[0]?.revisions[0]?.slots.main.content ?? '';
    },
  };
}

function phpOf(map: Readonly<Record<string, string>>): string {
  return `[${Object.entries(map)
    .map(([name, value]) => `'${name}' => '${value}'`)
    .join(', ')}]`;
}

/** OATHAuth keeps its keys as JSON; a person would have read this one from the picture. */
function giveSeeds(place: Place): void {
  using database = new DatabaseSync(databaseOf(place), { timeout: BUSY_MS });
  const add = database.prepare(
    "INSERT INTO oathauth_users (id, module, data) SELECT user_id, 'totp', ? FROM user WHERE CAST(user_name AS TEXT) = ?",
  );
  for (const { username, totpSeed } of WITH_SEED) {
    const { changes } = add.run(JSON.stringify({ keys: [{ secret: totpSeed, scratch_tokens: [] }] }), username);
    if (Number(changes) !== 1) throw new Error(`${username} is no user of the wiki`);
  }
}

/** What one wrote, newest first, as Special:Contributions shows it. */
async function contributionsOf(origin: string): Promise<Row[]> {
  const answer = await askWiki(origin, {
    action: 'query',
    list: 'usercontribs',
    ucuser: WRITER.username,
    uclimit: '500',
    ucprop: 'title|sizediff',
  });
  return (answer.query.usercontribs ?? []).map(({ title, sizediff }) => ({ title, bytes: signed(sizediff) }));
}

/** `+1,234`, as MediaWiki writes it in English; a minus is a real one. */
function signed(bytes: number): string {
  const digits = Math.abs(bytes).toLocaleString('en');
  return bytes > 0 ? `+${digits}` : bytes < 0 ? `−${digits}` : digits;
}

/** What MediaWiki's interface for programs answers with `formatversion=2`. */
interface WikiAnswer {
  readonly query: {
    readonly tokens?: { readonly logintoken: string };
    readonly usercontribs?: readonly { readonly title: string; readonly sizediff: number }[];
    readonly pages?: readonly { readonly revisions: readonly { readonly slots: { readonly main: { readonly content: string } } }[] }[];
  };
  readonly clientlogin?: { readonly status: string; readonly message?: string };
}

/** Asks as the writer, who needs no code: a wiki for members answers nobody else. */
async function askWiki(origin: string, question: Readonly<Record<string, string>>): Promise<WikiAnswer> {
  const cookies = new Map<string, string>();
  const ask = async (parameters: Readonly<Record<string, string>>): Promise<WikiAnswer> => {
    const response = await fetch(`${origin}/api.php`, {
      method: 'POST',
      body: new URLSearchParams({ ...parameters, format: 'json', formatversion: '2' }),
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return (await response.json()) as WikiAnswer;
  };
  const { query } = await ask({ action: 'query', meta: 'tokens', type: 'login' });
  const { clientlogin } = await ask({
    action: 'clientlogin',
    ...WRITER,
    logintoken: query.tokens?.logintoken ?? '',
    loginreturnurl: origin,
  });
  if (clientlogin?.status !== 'PASS') throw new Error(`the wiki lets its writer not in: ${clientlogin?.message ?? 'no answer'}`);
  return ask(question);
}

/** What it remembers of failed logins and of codes stays. */
function deleteSessions(place: Place): void {
  using database = new DatabaseSync(join(place.folder, 'data', 'wikicache.sqlite'), { timeout: BUSY_MS });
  database.exec("DELETE FROM objectcache WHERE CAST(keyname AS TEXT) LIKE '%MWSession%'");
}
