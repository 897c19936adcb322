// Sites as programs make them: each page links its views, tools and forms, and what each of these shows is known or nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CrawlOptions } from '../../packages/engine/src/crawl/options.ts';
import { startSite } from '../sites/crawl-sites.ts';
import type { Answer, LocalSite } from '../sites/crawl-sites.ts';
import { crawl } from './crawl-harness.ts';
import type { CrawlRunResult } from './crawl-harness.ts';

const THINGS = Array.from({ length: 24 }, (_, i) => i);
const WORDS = 'ash bay cob dew elm fir gum hop ivy jet kit log mud nut oak pip quo rye sap tea urn vat wax yam'.split(' ');

function text(name: string): string {
  const at = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7);
  return Array.from({ length: 12 }, (_, i) => WORDS[(at * (i + 3) + i * i) % WORDS.length]).join(` ${name} `);
}

function page(name: string, links: readonly string[], head = ''): string {
  const anchors = links.map((href) => `<a href="${href.replaceAll('&', '&amp;')}">${href.length}</a>`).join(' ');
  return `<title>${name}</title>${head}<h1>${name}</h1><p>${text(name)}</p>${anchors}`;
}

/** Crawls a site that answers by path and query; what is asked for in vain is what `isWaste` says. */
async function crawled(
  answer: (path: string, query: URLSearchParams) => Answer,
  body: (run: CrawlRunResult, site: LocalSite) => void,
  start = '/',
  options: Partial<CrawlOptions> = {},
): Promise<void> {
  const site = await startSite((path, url) => answer(path, url.searchParams));
  try {
    body(await crawl(site.origin + start, { crawlEntireDomain: true, hostConcurrency: 8, maxConcurrency: 8, ...options }), site);
  } finally {
    await site.close();
  }
}

const keptPaths = ({ ledger }: CrawlRunResult) =>
  ledger.filter(({ outcome }) => outcome === 'fetched').map(({ url }) => new URL(url).pathname + new URL(url).search);
const askedFor = ({ requests }: LocalSite, pattern: RegExp) => requests.filter((path) => pattern.test(path)).length;

test('asks on for the pages of a list whose language parameter was found to make no difference', async () => {
  const answer = (path: string, query: URLSearchParams) => {
    const id = query.get('id');
    if (path === '/show.php' && id !== null) return page(`thing ${id}`, [`/show.php?id=${id}&lang=en`, '/']);
    const number = Number(query.get('page') ?? 0);
    const rows = THINGS.slice(number * 8, number * 8 + 8);
    const links = [...rows.map((thing) => `/show.php?id=${thing}`), ...[0, 1, 2].map((other) => `/?page=${other}`)];
    return path === '/' ? page(`list ${number}`, links) : undefined;
  };
  await crawled(answer, (run, site) => {
    for (const thing of THINGS) assert.ok(keptPaths(run).includes(`/show.php?id=${thing}`), `${thing}`);
    // Three at the one script show it.
    assert.equal(askedFor(site, /lang=/), 3);
    const line = run.ledger.find(({ url, status }) => url.includes('lang=en') && status === undefined);
    assert.equal(line?.reason, line?.rule?.includes('?lang=en') ? 'duplicate' : 'trap', line?.rule);
  });
});

test('ends a tool that each page links for itself and that leads to no page, and nothing beside it', async () => {
  const answer = (path: string) => {
    const name = /^\/things\/(\w+)$/.exec(path)?.[1];
    if (name !== undefined) return page(`thing ${name}`, [`/things/${name}/links`, `/things/${name}/parts`, `/tool/Special:Links/${name}`]);
    const part = /^\/things\/(\w+)\/parts$/.exec(path)?.[1];
    if (part !== undefined) return page(`parts of ${part}`, []);
    return path === '/' ? page('home', ['/gone/a', ...THINGS.map((thing) => `/things/t${thing}`)]) : undefined;
  };
  await crawled(answer, (run, site) => {
    for (const thing of THINGS) assert.ok(keptPaths(run).includes(`/things/t${thing}/parts`), `${thing}`);
    assert.equal(askedFor(site, /\/links$/), 5);
    assert.equal(askedFor(site, /Special:/), 5);
    const { reason, rule } = run.ledger.find(({ url, status }) => url.endsWith('/links') && status === undefined) ?? {};
    assert.equal(reason, 'trap');
    assert.match(rule ?? '', /^empty: .*\/things\/\*\*\/links: such links on 5 pages led to no page$/);
  });
});

test('asks for all that a list of things names, however many of the first are gone', async () => {
  const answer = (path: string) => {
    const number = Number(/^\/things\/(\d+)\/view$/.exec(path)?.[1] ?? 0);
    if (number >= 12) return page(`thing ${number}`, []);
    return path === '/'
      ? page(
          'home',
          THINGS.map((thing) => `/things/${thing}/view`),
        )
      : undefined;
  };
  await crawled(answer, (run) => assert.equal(keptPaths(run).length, 1 + 12));
});

test('leaves out the sources of pages as text, and no texts of their own', async () => {
  const plain = (body: string): Answer => ({ status: 200, headers: { 'content-type': 'text/plain' }, body });
  const answer = (path: string) => {
    const [, kind, name] = /^\/(?:(_sources|texts)\/)?(t\d+)\.(?:html|txt)$/.exec(path) ?? [];
    if (name === undefined)
      return path === '/'
        ? page(
            'home',
            THINGS.map((thing) => `/t${thing}.html`),
          )
        : undefined;
    if (kind === '_sources') return plain(text(`thing ${name}`));
    if (kind === 'texts') return plain(Array.from({ length: 9 }, (_, i) => text(`${name} part ${i}`)).join('\n'));
    return page(`thing ${name}`, [`/_sources/${name}.txt`, `/texts/${name}.txt`]);
  };
  await crawled(answer, (run, site) => {
    assert.equal(keptPaths(run).filter((path) => path.startsWith('/texts/')).length, THINGS.length);
    assert.ok(askedFor(site, /_sources/) < 12, `${askedFor(site, /_sources/)} sources`);
    const line = run.ledger.find(({ url, status }) => url.includes('_sources') && status === undefined);
    assert.deepEqual([line?.reason, line?.rule?.includes('/_sources/: ')], ['alternate', true]);
  });
});

test('asks one after the other for what may be known: orders of a list, empty parameters', async () => {
  const orders = ['N', 'M', 'S', 'D'].flatMap((column) => [`?C=${column};O=A`, `?C=${column};O=D`]);
  const answer = (path: string, query: URLSearchParams) => {
    if (/^\/(?:\w+\/)?$/.test(path)) {
      const rows = path === '/' ? THINGS.slice(0, 5).map((thing) => `f${thing}/`) : THINGS.slice(0, 3).map((thing) => `t${thing}.html`);
      return page(`list of ${path}`, [...orders, ...(String(query).includes('O=D') ? rows.toReversed() : rows)]);
    }
    return path.endsWith('.html') ? page(path, [`${path}?do=`]) : undefined;
  };
  await crawled(answer, (run, site) => {
    assert.equal(keptPaths(run).filter((path) => path.endsWith('.html')).length, 15);
    assert.ok(askedFor(site, /C=/) <= 4, `${askedFor(site, /C=/)} orders`);
    assert.equal(askedFor(site, /do=/), 3);
  });
});

test('asks for a page once whose canonical address sends back to it', async () => {
  const answer = (path: string, query: URLSearchParams): Answer => {
    if (path === '/') return { status: 302, headers: { location: '/doc.php?id=start' } };
    const id = query.get('id');
    return id === null ? undefined : page(`doc ${id}`, ['/doc.php?id=start', '/'], id === 'start' ? '<link rel="canonical" href="/">' : '');
  };
  await crawled(
    answer,
    (run, site) => {
      assert.deepEqual(keptPaths(run).toSorted(), ['/doc.php?id=inner', '/doc.php?id=start']);
      assert.equal(askedFor(site, /^\/doc\.php\?id=start$/), 1);
    },
    '/doc.php?id=inner',
  );
});

test('asks for the pages of a wiki before their views, and for three of each view that is not to be listed', async () => {
  const views = ['recent', 'history', 'backlinks'];
  const answer = (path: string, query: URLSearchParams) => {
    const id = query.get('id');
    if (path !== '/wiki.php' || id === null) return undefined;
    const own = views.map((view) => `/wiki.php?id=${id}&do=${view}`);
    const view = query.get('do');
    if (view !== null) return page(`${view} of ${id}`, own, '<meta name="robots" content="noindex,nofollow">');
    const pages = id === 'start' ? THINGS.map((thing) => `/wiki.php?id=thing${thing}`) : ['/wiki.php?id=start'];
    return page(id, [...own, ...pages]);
  };
  await crawled(
    answer,
    (run, site) => {
      for (const thing of THINGS) assert.ok(keptPaths(run).includes(`/wiki.php?id=thing${thing}`), `${thing}`);
      const asked = site.requests.filter((path) => path.startsWith('/wiki.php'));
      assert.equal(
        asked.findIndex((path) => path.includes('do=')),
        THINGS.length + 1,
      );
      for (const view of views) assert.equal(askedFor(site, new RegExp(`do=${view}`)), 3, view);
    },
    '/wiki.php?id=start',
  );
});

test('tries ever fewer of the views that say nothing new, says so, and asks for each where it is told to', async () => {
  const tool = (thing: number) => `/index.php?route=/thing/search&thing=${thing}`;
  const show = (thing: number) => `/index.php?route=/thing&thing=${thing}`;
  const form = `<form>${'search find replace number of rows'
    .split(' ')
    .map((label) => `<label>${label}</label>`)
    .join('')}</form>`;
  const answer = (path: string, query: URLSearchParams) => {
    const thing = query.get('thing');
    if (path === '/') return page('things', THINGS.map(show));
    if (path !== '/index.php' || thing === null) return undefined;
    if (query.get('route') === '/thing') return page(`thing ${thing}`, [show(Number(thing)), tool(Number(thing)), '/']);
    return `<h1>thing ${thing}</h1>${form}<a href="${show(Number(thing)).replace('&', '&amp;')}">4</a>`;
  };
  const oneByOne = { hostConcurrency: 1 };
  const tried = (run: CrawlRunResult, site: LocalSite) => {
    for (const thing of THINGS) assert.ok(keptPaths(run).includes(show(thing)), `${thing}`);
    // One with the words of the form, four with nothing, and of the 19 after them the second, fourth, eighth and sixteenth.
    assert.equal(askedFor(site, /search/), 9);
    const left = run.ledger.filter(({ url, outcome }) => url.includes('search') && outcome === 'skipped');
    assert.equal(left.length, THINGS.length - 9);
    for (const { reason, rule } of left)
      assert.match(`${reason} ${rule}`, /^trap view: \S+route=\/thing\/search beside route&thing: \d pages in a row/);
  };
  await crawled(answer, tried, '/', oneByOne);
  await crawled(answer, (_run, site) => assert.equal(askedFor(site, /search/), THINGS.length), '/', { allViews: true });
});
