// What an API of DokuWiki should answer, by its own interface for programs (XML-RPC).
import { load } from 'cheerio';
import type { ApiApp, Facts } from '../api-app.ts';
import type { Software } from '../app.ts';
import { run } from '../packages.ts';
import { siteOf } from '../php.ts';
import { DOKUWIKI, configureDokuwiki, installDokuwiki, startDokuwiki } from './dokuwiki.ts';
import type { DokuwikiSettings } from './dokuwiki.ts';

const SETTINGS: DokuwikiSettings = { useacl: 0, remote: 1, remoteuser: '' };

const SOFTWARE: Software = {
  name: 'dokuwiki-api',
  software: 'DokuWiki with its interface for programs',
  port: 8449,
  needs: DOKUWIKI.needs,
  package: DOKUWIKI.package,
  source: import.meta.filename,
  entry: '/doku.php',
  async install(place) {
    installDokuwiki(place);
    configureDokuwiki(place, SETTINGS);
    // A page is found once a browser has shown it, as all have that people use.
    await run('php', ['bin/indexer.php', '-q'], { cwd: siteOf(place) });
  },
  start: (place, listen, programs) => startDokuwiki(place, listen, programs, SETTINGS),
};

export const DOKUWIKI_API: ApiApp = {
  software: SOFTWARE,
  goals: ({ origin }) => {
    const start = `${origin}/doku.php?id=vegetables:start`;
    return [
      {
        kind: 'list',
        url: start,
        objective: 'list the vegetables with name, first tool and weeks',
        wanted: ['name', 'tool', 'weeks'],
        keys: ['name'],
        truth: () => table(origin, 'vegetables:start'),
      },
      {
        kind: 'search',
        url: `${origin}/doku.php`,
        objective: 'search wiki pages by keyword',
        wanted: ['id', 'link'],
        keys: ['id', 'title', 'link'],
        truth: async (word) => {
          const found = await call(origin, 'dokuwiki.search', word);
          const told = ({ score = '', snippet = '' }: (typeof found)[number]) => ({ score: Number(score), snippet: load(snippet).text() });
          return await Promise.all(found.map(async (each) => ({ ...(await page(origin, each['id'] ?? '')), ...told(each) })));
        },
      },
      {
        kind: 'detail',
        url: start,
        objective: 'get one vegetable page with its title, text and when it was last modified',
        wanted: ['title', 'text', 'modified'],
        keys: ['id', 'title', 'link'],
        truth: async (id) => [await page(origin, id.includes(':') ? id : `vegetables:${id}`)],
      },
    ];
  },
};

async function page(origin: string, id: string): Promise<Facts> {
  const [[info = {}], text] = await Promise.all([call(origin, 'wiki.getPageInfo', id), sourceOf(origin, id)]);
  return {
    id,
    short: id.split(':').at(-1) ?? id,
    title: /^={2,}\s*(.+?)\s*={2,}/m.exec(text)?.[1] ?? id,
    link: `/doku.php?id=${id}`,
    modified: isoOf(info['lastModified'] ?? ''),
    author: info['author'] ?? null,
    text: text.replaceAll(/[=^|*]{2,}|^\s*[-*^|]|<[^>]*>|\[\[|\]\]|[\^|]/gm, ' ').replaceAll(/\s+/g, ' '),
  };
}

const TABLE_ROW = /^\| \[\[(.*?)\|(.*?)\]\] \| (.*?) \| (.*?) \|$/;

/** The rows of the table of a page, as its source has them. */
async function table(origin: string, id: string): Promise<readonly Facts[]> {
  return (await sourceOf(origin, id)).split('\n').flatMap((line) => {
    const [, target, name, tool = '', weeks = ''] = TABLE_ROW.exec(line) ?? [];
    return target === undefined || name === undefined ? [] : [{ id: target, name, link: `/doku.php?id=${target}`, tool, weeks }];
  });
}

async function sourceOf(origin: string, id: string): Promise<string> {
  return load(await answerOf(origin, 'wiki.getPage', id), { xml: true })('params string').text();
}

/** The structures that it answers, their members as texts. */
async function call(origin: string, method: string, argument: string): Promise<readonly Readonly<Record<string, string>>[]> {
  const answer = load(await answerOf(origin, method, argument), { xml: true });
  return answer('struct')
    .toArray()
    .map((struct) =>
      Object.fromEntries(
        answer(struct)
          .children('member')
          .toArray()
          .map((member) => [answer(member).children('name').text(), answer(member).children('value').text().trim()]),
      ),
    );
}

async function answerOf(origin: string, method: string, argument: string): Promise<string> {
  const body = `<?xml version="1.0"?><methodCall><methodName>${method}</methodName><params><param><value><string>${argument}</string></value></param></params></methodCall>`;
  const response = await fetch(`${origin}/lib/exe/xmlrpc.php`, { method: 'POST', headers: { 'content-type': 'text/xml' }, body });
  const text = await response.text();
  if (!response.ok || text.includes('<fault>'))
    throw new Error(`${method}(${argument}) answered ${response.status}: ${text.slice(0, 300)}`);
  return text;
}

/** `20240501T12:00:00` as ISO 8601 has it. */
function isoOf(compact: string): string {
  return compact.replace(/^(\d{4})(\d{2})(\d{2})T/, '$1-$2-$3T').replace(/\+0000$|$/, 'Z');
}
