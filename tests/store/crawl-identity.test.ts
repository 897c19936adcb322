// What is one page to a crawl, and that reading changes nothing: the rules, each on a small site.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onSite } from '../sites/crawl-sites.ts';
import type { Answer, LocalSite } from '../sites/crawl-sites.ts';
import { crawl, outcomesByPath } from './crawl-harness.ts';

const FILLER = Array.from({ length: 60 }, (_, i) => `<li>Line ${i} of the frame that all pages of this site have</li>`).join('');

/** A page with a frame and a text of its own. */
function page(name: string, links: readonly string[] = [], head = ''): string {
  const anchors = links.map((link) => (link.startsWith('<') ? link : `<a href="${link}">x</a>`)).join('');
  return `<title>${name}</title>${head}<ul>${FILLER}</ul><h1>${name}</h1><p>${name}, and what is said of it alone</p><p>More of ${name}</p>${anchors}`;
}

const canonical = (path: string) => `<link rel="canonical" href="${path}">`;
const moved = (location: string): Answer => ({ status: 302, headers: { location } });
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

function timesAsked(site: LocalSite, path: string): number {
  return site.requests.filter((asked) => asked === path).length;
}

test('asks once for what several addresses redirect to, at the same time or through others, and gives it the record', async () => {
  const olds = numbers(6).map((i) => `/red/${i}`);
  const pages = {
    ...Object.fromEntries(olds.map((path) => [path, moved('/red/new')])),
    '/far': moved('/red/0'),
    '/red/new': page('new', ['/leaf']),
    '/leaf': page('leaf'),
  };
  for (const links of [olds, [...olds, '/red/new'], ['/red/new', ...olds], ['/far', ...olds]])
    await onSite({ ...pages, '/': page('home', links) }, async (site) => {
      const { ledger, tables } = await crawl(`${site.origin}/`, { hostConcurrency: 6 });
      assert.equal(new Set(site.requests).size, site.requests.length, site.requests.join(' '));
      assert.deepEqual(tables.results.map(({ url }) => new URL(url).pathname).toSorted(), ['/', '/leaf', '/red/new']);
      const found = outcomesByPath(ledger);
      for (const path of links) assert.equal(found[path], path === '/red/new' ? 'fetched' : 'redirect', path);
    });
});

test('follows what only duplicates lead to, two of them in a row', async () => {
  const tree = (link: string) => page('tree', [link]);
  const pages = {
    '/': page('home', ['/tree', '/tree?h=1']),
    '/tree': tree('/leaf'),
    '/tree?h=1': tree('/other'),
    '/leaf': page('leaf'),
    '/other': page('other', ['/tree?h=2']),
  };
  await onSite(pages, async (site) => {
    const { ledger } = await crawl(`${site.origin}/`, { hostConcurrency: 1 });
    assert.deepEqual([outcomesByPath(ledger)['/tree?h=1'], outcomesByPath(ledger)['/other']], ['duplicate', 'fetched']);
  });
  const endless = Object.fromEntries(numbers(30).map((i) => [`/tree?h=${i}`, tree(`/tree?h=${i + 1}`)]));
  await onSite({ '/': page('home', ['/tree?h=0']), ...endless }, async (site) => {
    const { outcome } = await crawl(`${site.origin}/`, { hostConcurrency: 1 });
    assert.deepEqual([outcome.end, site.requests.filter((path) => path.startsWith('/tree?')).length], ['complete', 4]);
  });
});

test('follows no links of another writing of an address', async () => {
  const tree = (link: string) => page('tree', [link]);
  const pages = { '/': page('home', ['/tree?h=1', '/tree?h=1&do=']), '/tree?h=1': tree('/leaf'), '/tree?h=1&do=': tree('/leaf?do=') };
  await onSite({ ...pages, '/leaf': page('leaf') }, async (site) => {
    await crawl(`${site.origin}/`, { hostConcurrency: 1 });
    assert.deepEqual([timesAsked(site, '/tree?h=1&do='), timesAsked(site, '/leaf?do=')], [1, 0]);
  });
});

test('keeps pages that say the same at addresses that tell them apart, and says whose text they have', async () => {
  await onSite({ '/': page('one', ['/a', '/b']), '/a': page('one', ['/a', '/b']), '/b': page('one', ['/a', '/b']) }, async (site) => {
    const { ledger, outcome } = await crawl(`${site.origin}/`, { hostConcurrency: 1 });
    assert.equal(outcome.counts.fetched, 3);
    const rules = ledger.map(({ url, rule }) => [url.slice(site.origin.length), rule]);
    assert.deepEqual(rules, [
      ['/', undefined],
      ['/a', `same text as ${site.origin}/`],
      ['/b', `same text as ${site.origin}/`],
    ]);
  });
});

test('keeps a page that sends its visitor round through a gate first', async () => {
  let passed = 0;
  const gated = (name: string) => () => (passed++ === 0 ? moved(`/gate`) : page(name));
  let gates = 0;
  await onSite({ '/': page('home', ['/a']), '/a': gated('a'), '/gate': () => (gates++, moved('/a')) }, async (site) => {
    const { ledger } = await crawl(`${site.origin}/`);
    assert.equal(outcomesByPath(ledger)['/a'], 'fetched');
    assert.equal(gates, 1);
  });
});

test('tries a target again that fails at first, and not what redirects to it', async () => {
  let tries = 0;
  const flaky = () => (++tries < 3 ? { status: 500 } : page('flaky'));
  await onSite(
    { '/': page('home', ['/old', '/older']), '/old': moved('/flaky'), '/older': moved('/flaky'), '/flaky': flaky },
    async (site) => {
      const { ledger, outcome } = await crawl(`${site.origin}/`);
      assert.deepEqual(outcomesByPath(ledger), { '/': 'fetched', '/old': 'redirect', '/older': 'redirect', '/flaky': 'fetched' });
      assert.deepEqual([timesAsked(site, '/old'), timesAsked(site, '/older'), tries, outcome.counts.failed], [1, 1, 3, 0]);
    },
  );
});

test('gives a target that can not be had the failure, and asks no other address for it', async () => {
  await onSite({ '/': page('home', ['/old', '/older']), '/old': moved('/gone'), '/older': moved('/gone') }, async (site) => {
    const { ledger } = await crawl(`${site.origin}/`);
    assert.deepEqual(outcomesByPath(ledger), { '/': 'fetched', '/old': 'redirect', '/older': 'redirect', '/gone': 'http_status' });
    assert.equal(timesAsked(site, '/gone'), 1);
  });
});

test('follows a seed that was moved, also to a page that is known by then', async () => {
  const pages = { '/': moved('/en/'), '/en/': page('home', ['/en/a', '/']), '/en/a': page('a', ['/en/']) };
  await onSite(pages, async (site) => {
    for (const seeds of [[`${site.origin}/`], [`${site.origin}/en/`, `${site.origin}/`]]) {
      const { ledger } = await crawl(seeds[0] ?? '', { seeds });
      assert.deepEqual(outcomesByPath(ledger), { '/': 'redirect', '/en/': 'fetched', '/en/a': 'fetched' });
    }
    assert.equal(timesAsked(site, '/'), 2);
  });
});

test('ends at a circle of redirects', async () => {
  await onSite({ '/': page('home', ['/x']), '/x': moved('/y'), '/y': moved('/x') }, async (site) => {
    const { ledger, outcome } = await crawl(`${site.origin}/`);
    assert.equal(outcomesByPath(ledger)['/x'], 'redirect_limit');
    assert.equal(outcome.counts.pending, 0);
  });
});

test('asks for no canonical address more once pairs of its host were found equal', async () => {
  const count = 300;
  const pages = Object.fromEntries(
    numbers(count).flatMap((i) => [`/p${i}?ref=home`, `/p${i}`].map((path) => [path, page(`p${i}`, [`/q${i}`], canonical(`/p${i}`))])),
  );
  const leaves = Object.fromEntries(numbers(count).map((i) => [`/q${i}`, page(`q${i}`)]));
  await onSite(
    {
      '/': page(
        'home',
        numbers(count).map((i) => `/p${i}?ref=home`),
      ),
      ...pages,
      ...leaves,
    },
    async (site) => {
      const { tables, outcome } = await crawl(`${site.origin}/`);
      assert.equal(outcome.counts.fetched, 1 + 2 * count);
      const kept = new Set(tables.results.map(({ url }) => new URL(url).pathname + new URL(url).search));
      assert.ok(numbers(count).every((i) => kept.has(`/p${i}`) && kept.has(`/q${i}`)));
      // Those that were on their way before the first pair was compared.
      const asked = site.requests.filter((path) => /^\/p\d+$/.test(path)).length;
      assert.ok(asked < 100, `${asked} canonical addresses were asked for`);
    },
  );
});

test('takes pages for one that differ from their canonical address by a line', async () => {
  const reply = (i: number) =>
    page('post', ['/post'], canonical('/post')).replace('</ul>', `</ul><h3>Reply to ${i} <a href="/post#r">Cancel</a></h3>`);
  const replies = Object.fromEntries(numbers(20).map((i) => [`/post?replytocom=${i}`, reply(i)]));
  await onSite(
    { '/': page('home', ['/post']), '/post': page('post', Object.keys(replies), canonical('/post')), ...replies },
    async (site) => {
      const { ledger, outcome } = await crawl(`${site.origin}/`);
      assert.equal(outcome.counts.fetched, 2);
      assert.match(ledger.find(({ url }) => url.endsWith('=3'))?.rule ?? '', /post$/);
    },
  );
});

test('keeps every page of a list that calls the first one canonical, however alike', async () => {
  const list = (i: number) => page('list', [`/item${i}`, `/list?page=${i + 1}`], canonical('/list')).replace('More of list', `Rows ${i}`);
  const pages = Object.fromEntries(numbers(12).map((i) => [`/list?page=${i}`, list(i)]));
  await onSite({ '/': page('home', ['/list']), '/list': list(1), ...pages }, async (site) => {
    const { ledger } = await crawl(`${site.origin}/`);
    const kept = ledger.filter(({ url, outcome }) => url.includes('/list') && outcome === 'fetched');
    assert.equal(kept.length, 11);
  });
});

test('follows no alternate of a page but its translations', async () => {
  const head =
    '<link rel="alternate" type="application/rss+xml" href="/feed/"><link rel="alternate" type="application/json" href="/wp-json/1">' +
    '<link rel="alternate" type="application/json+oembed" href="/oembed?url=1"><link rel="alternate" type="text/xml+oembed" href="/oembed?url=1&format=xml">' +
    '<link rel="amphtml" href="/amp/"><link rel="alternate" media="only screen and (max-width: 640px)" href="/m/">' +
    '<link rel="alternate" media="handheld" href="/"><link rel="alternate" hreflang="de" href="/de/"><link rel="alternate" type="text/html" href="/linked/">';
  const links = ['/feed/', '/a?output=print', '/a?print=1', '/linked/'];
  await onSite({ '/': page('home', links, head), '/de/': page('de'), '/linked/': page('linked') }, async (site) => {
    const found = outcomesByPath((await crawl(`${site.origin}/`)).ledger);
    const left = ['/feed/', '/wp-json/1', '/oembed?url=1', '/oembed?url=1&format=xml', '/amp/', '/m/', '/a?output=print', '/a?print=1'];
    for (const path of left) assert.equal(found[path], 'alternate', path);
    assert.deepEqual([found['/'], found['/de/'], found['/linked/']], ['fetched', 'fetched', 'fetched']);
    assert.deepEqual(site.requests.toSorted(), ['/', '/de/', '/linked/', '/robots.txt']);
  });
});

test('leaves out what acts by its address or its markup, and asks for it when told to', async () => {
  const links = [
    '/logout',
    '/customers/1/delete',
    '<a href="/c/1" data-method="delete">x</a>',
    '<a href="/c/2" onclick="return confirm(\'Sure?\')">x</a>',
    '<a href="/c/3" hx-post="/c/3">x</a>',
    '<a href="/c/4"><i class="icon"></i> Sign out</a>',
    '<a href="/c/5">Se déconnecter</a>',
    '<a href="/c/6" rel="nofollow">Löschen</a>',
    '<a href="/c/7/remove-all" rel="nofollow">x</a>',
    '<a href="/c/8" data-turbo-method="post">x</a>',
    '<a href="/c/9" data-confirm="Sure?">x</a>',
    '<a href="/c/10">plain</a><a href="/c/10" data-method="post">again</a>',
  ];
  const pages = [
    '<a href="/docs/sign-out">Sign out</a>',
    '<a href="/manual/12.html">Log out</a>',
    '<a href="/p/1" data-method="get">x</a>',
    '<a href="/p/2" rel="nofollow">Read more</a>',
    '<a href="/p/3">Delete</a>',
    '<a href="/p/4" onclick="track()">x</a>',
  ];
  const answers = { '/': page('home', [...links, ...pages]), '/docs/sign-out': page('how'), '/manual/12.html': page('m') };
  const more = Object.fromEntries([1, 2, 3, 4].map((i) => [`/p/${i}`, page(`p${i}`)]));
  await onSite({ ...answers, ...more }, async (site) => {
    const { ledger } = await crawl(`${site.origin}/`);
    const acts = ledger.filter(({ reason }) => reason === 'acts');
    assert.deepEqual(acts.map(({ url }) => new URL(url).pathname).length, 12);
    assert.ok(acts.every(({ rule }) => rule));
    assert.deepEqual(ledger.filter(({ outcome }) => outcome === 'fetched').length, 7);
    const asked = site.requests.length;
    await crawl(`${site.origin}/`, { followActions: true });
    assert.ok(site.requests.slice(asked).includes('/customers/1/delete'));
    await crawl(`${site.origin}/logout`);
    assert.equal(site.requests.at(-1), '/logout');
  });
});

test('obeys nofollow where it is told to: of a link, of a page, and of a header, unless another link vouches', async () => {
  const links = ['<a href="/a" rel="nofollow">x</a>', '<a href="/b" rel="nofollow">x</a><a href="/b">x</a>', '/meta', '/header'];
  const pages = {
    '/': page('home', links),
    '/a': page('a'),
    '/b': page('b'),
    '/meta': page('meta', ['/from-meta'], '<meta name="robots" content="noindex, nofollow">'),
    '/header': { status: 200, headers: { 'x-robots-tag': 'nofollow' }, body: page('header', ['/from-header']) },
    '/from-meta': page('from meta'),
    '/from-header': page('from header'),
  };
  await onSite(pages, async (site) => {
    assert.equal((await crawl(`${site.origin}/`)).outcome.counts.fetched, 7);
    const found = outcomesByPath((await crawl(`${site.origin}/`, { obeyNofollow: true })).ledger);
    assert.deepEqual(
      [found['/a'], found['/b'], found['/from-meta'], found['/from-header']],
      ['nofollow', 'fetched', 'nofollow', 'nofollow'],
    );
  });
});
