// DokuWiki for members only: its list of changes, which goes on by a button of a form.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'cheerio';
import type { Place, Software } from '../app.ts';
import type { LoginApp, Row } from '../login-app.ts';
import { run } from '../packages.ts';
import { sessionsOf, siteOf } from '../php.ts';
import { type DokuwikiSettings, DOKUWIKI_NEEDS, configureDokuwiki, confOf, dataOf, installDokuwiki, startDokuwiki } from './dokuwiki.ts';

const MEMBER = { username: 'ada', password: 'potting-shed-0123456789' };
/** `none` for who is not logged in, `edit` for who is. */
const RIGHTS = '# acl.auth.php\n# <?php exit()?>\n* @ALL 0\n* @user 2\n';
/** As it comes. */
const PER_PAGE = 20;
const DAYS_ALL = 36_500;
/** Ten digits, for it takes no others. */
const LONG_AGO = '1000000000';
const SETTINGS: DokuwikiSettings = {
  useacl: 1,
  remote: 1,
  remoteuser: '',
  recent: PER_PAGE,
  recent_days: DAYS_ALL,
  disableactions: 'register,resendpwd',
};

const SOFTWARE: Software = {
  name: 'dokuwiki-members',
  software: 'DokuWiki for members',
  port: 8430,
  needs: DOKUWIKI_NEEDS,
  package: 'dokuwiki',
  source: import.meta.filename,
  entry: '/doku.php?do=login',
  async install(place) {
    installDokuwiki(place);
    configureDokuwiki(place, SETTINGS);
    writeFileSync(join(confOf(place), 'acl.auth.php'), RIGHTS);
    const hash = await run('php', ['-r', 'echo password_hash($argv[1], PASSWORD_BCRYPT);', MEMBER.password]);
    writeFileSync(
      join(confOf(place), 'users.auth.php'),
      `# users.auth.php\n# <?php exit()?>\n${MEMBER.username}:${hash.replaceAll(':', '\\:')}:Ada Gardener:ada@example.org:user\n`,
    );
    await run('php', [join(import.meta.dirname, 'dokuwiki/write.php'), siteOf(place), MEMBER.username]);
  },
  start: (place, listen, programs) => startDokuwiki(place, listen, programs, SETTINGS),
};

export const DOKUWIKI_MEMBERS: LoginApp = {
  software: SOFTWARE,
  site: ({ place, origin }) => ({
    origin,
    login: { ...MEMBER, url: `${origin}/doku.php?do=login` },
    accounts: [MEMBER],
    form: {
      username: '#dw__login input[name=u]',
      password: '#dw__login input[name=p]',
      submit: '#dw__login button[type=submit]',
      proof: '#dokuwiki__usertools .user',
    },
    list: {
      url: `${origin}/doku.php?id=start&do=recent`,
      row: '#dw__recent li',
      columns: { page: { selector: 'a.wikilink1' }, author: { selector: '.user' } },
      next: '#dw__recent .pagenav-next button',
      offset: { parameter: 'first', rows: PER_PAGE },
      rows: () => changesOf(origin),
    },
    isLogin: ({ method, target }) => method === 'POST' && target.startsWith('/doku.php'),
    endSessions: () => Promise.resolve(deleteSessions(place)),
  }),
};

/** The last change of each page, newest first; its interface for programs tells them the other way round. */
async function changesOf(origin: string): Promise<Row[]> {
  const response = await fetch(`${origin}/lib/exe/xmlrpc.php`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${MEMBER.username}:${MEMBER.password}`).toString('base64')}`,
      'content-type': 'text/xml',
    },
    body: `<?xml version="1.0"?><methodCall><methodName>wiki.getRecentChanges</methodName><params><param><value><int>${LONG_AGO}</int></value></param></params></methodCall>`,
  });
  const answer = load(await response.text(), { xml: true });
  const changes = answer('data struct')
    .toArray()
    .map((change) => {
      const of = (name: string) =>
        answer(change)
          .children('member')
          .filter((_, member) => answer(member).children('name').text() === name)
          .children('value')
          .text()
          .trim();
      return { page: of('name'), author: of('author') };
    });
  if (changes.length === 0) throw new Error(`wiki.getRecentChanges answered ${response.status} without pages`);
  return changes.toReversed();
}

/** A cookie holds the password under a key of the server: without that key the session cannot come back by itself. */
function deleteSessions(place: Place): void {
  for (const file of readdirSync(sessionsOf(place))) rmSync(join(sessionsOf(place), file));
  for (const name of ['_htcookiesalt', '_htcookiesalt2']) rmSync(join(dataOf(place), 'meta', name), { force: true });
}
