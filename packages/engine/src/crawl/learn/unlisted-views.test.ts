import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnlistedViews } from './unlisted-views.ts';

const UNLISTED = 'noindex,nofollow';
const at = (path: string) => new URL(path, 'https://wiki.test');

/** Views of eight pages, in one make or several, on a host whose pages are listed unless `robots` says otherwise. */
function seen(views: readonly string[], robots = UNLISTED, pages: string | undefined = 'index,follow'): UnlistedViews {
  const memory = new UnlistedViews();
  for (let i = 0; i < 8; i++) {
    memory.observe(at(`/doku.php?id=page:p${i}`), pages, undefined);
    for (const view of views) memory.observe(at(`/doku.php?id=page:p${i}&${view}`), robots, `https://wiki.test/doku.php?id=page:p${i}`);
  }
  return memory;
}

test('ends the views of pages that all ask neither to be listed nor to be followed, by name and by value', () => {
  const memory = seen(['do=revisions', 'do=index', 'idx=wiki']);
  for (const view of ['do=revisions', 'do=index', 'idx=garden', 'first=20&do=revisions'])
    assert.match(memory.find(at(`/doku.php?id=new&${view}`)) ?? '', /(?:8|16) pages asked/, view);
  assert.equal(memory.find(at('/doku.php?id=new')), undefined);
  assert.equal(memory.find(at('/doku.php?id=new&page=2')), undefined);
  assert.equal(memory.find(at('/other.php?id=new&idx=wiki')), undefined);
});

test('ends one action alone where another one is listed', () => {
  const memory = seen(['do=revisions']);
  for (let i = 0; i < 5; i++) memory.observe(at(`/doku.php?id=page:p${i}&do=show`), undefined, undefined);
  assert.notEqual(memory.find(at('/doku.php?id=new&do=revisions')), undefined);
  assert.equal(memory.find(at('/doku.php?id=new&do=show')), undefined);
  assert.equal(memory.find(at('/doku.php?id=new&do=details')), undefined);
  const few = new UnlistedViews();
  for (const view of ['do=login', 'do=index', 'do=recent', 'do=media']) few.observe(at(`/doku.php?id=start&${view}`), UNLISTED, undefined);
  for (let i = 0; i < 5; i++) few.observe(at(`/page${i}`), undefined, undefined);
  for (const id of ['start', 'a1b2', 'c3d4']) few.observe(at(`/doku.php?id=${id}`), undefined, undefined);
  assert.equal(few.find(at('/doku.php?id=start&do=show')), undefined);
});

test('believes a script that has views alone, where listed pages lead to them', () => {
  const memory = new UnlistedViews();
  for (const name of ['a', 'b', 'c', 'd']) {
    memory.observe(at(`/wiki/${name}`), undefined, undefined);
    memory.observe(at(`/index.php?title=${name}&action=history`), UNLISTED, at(`/wiki/${name}`).href);
  }
  assert.notEqual(memory.find(at('/index.php?title=e&action=history')), undefined);
  assert.equal(memory.find(at('/index.php?title=e&action=show')), undefined);
});

test('believes no site that says it of all pages, and nothing that is said of further pages of lists', () => {
  assert.equal(seen(['do=revisions'], UNLISTED, UNLISTED).find(at('/doku.php?id=new&do=revisions')), undefined);
  const admin = seen(['do=revisions'], UNLISTED, UNLISTED);
  for (let i = 0; i < 8; i++) admin.observe(at(`/manual/page${i}.html`), undefined, undefined);
  assert.equal(admin.find(at('/doku.php?id=new&do=revisions')), undefined, 'a manual beside the program says nothing of it');
  admin.observe(at('/doku.php?do=error'), undefined, undefined);
  assert.equal(admin.find(at('/doku.php?id=new&do=revisions')), undefined, 'nor does one page that forgot it');
  assert.equal(seen(['start=20'], 'noindex, follow').find(at('/doku.php?id=new&start=40')), undefined);
});

test('ends the views of pages that have addresses of their own, by what their query says on all of them', () => {
  const memory = new UnlistedViews();
  for (let i = 0; i < 9; i++) {
    memory.observe(at(`/wiki/Page_${i}`), undefined, undefined);
    memory.observe(at(`/wiki/Page_${i}?page=2`), undefined, at(`/wiki/Page_${i}`).href);
    for (const view of ['action=history', 'version=1', 'action=diff&version=1'])
      memory.observe(at(`/wiki/Page_${i}?${view}`), UNLISTED, at(`/wiki/Page_${i}`).href);
    memory.observe(at(`/search?q=page${i}`), UNLISTED, at(`/wiki/Page_${i}`).href);
  }
  for (const view of ['action=history', 'action=diff&version=7', 'version=7'])
    assert.match(memory.find(at(`/wiki/New?${view}`)) ?? '', /\/wiki\/\*\?(?:action|version).*: \d+ pages asked/, view);
  for (const path of ['/wiki/New', '/wiki/New?page=3', '/wiki/New?text=all', '/search?q=new', '/ticket/1?action=history'])
    assert.equal(memory.find(at(path)), undefined, path);
  const saved = JSON.parse(JSON.stringify(memory)) as ConstructorParameters<typeof UnlistedViews>[0];
  assert.notEqual(new UnlistedViews(saved).find(at('/wiki/New?action=history')), undefined);
});

test('asks on for views that pages are found by', () => {
  const memory = seen(['from=a']);
  memory.observe(at('/doku.php?id=orphan'), undefined, at('/doku.php?id=page:p4&from=a').href);
  assert.equal(memory.find(at('/doku.php?id=index&from=b')), undefined);
});

test('ends a namespace of which no page is listed, wherever it stands in the address', () => {
  const memory = new UnlistedViews();
  for (let i = 0; i < 8; i++) {
    memory.observe(at(`/wiki/Page_${i}`), undefined, undefined);
    memory.observe(at(`/wiki/Help:Page_${i}`), undefined, undefined);
    memory.observe(at(`/wiki/Special:View_${i}`), UNLISTED, undefined);
    memory.observe(at(`/index.php?title=Special:View_${i}`), UNLISTED, undefined);
    memory.observe(at(`/index.php?title=Page_${i}`), undefined, undefined);
  }
  assert.notEqual(memory.find(at('/wiki/Special:Other/Page_1')), undefined);
  assert.notEqual(memory.find(at('/index.php?title=Special:Other')), undefined);
  for (const path of ['/wiki/Page', '/wiki/Help:Page', '/wiki/User:Page', '/index.php?title=Page'])
    assert.equal(memory.find(at(path)), undefined, path);
});

test('knows after a restart what it knew before', () => {
  const saved = JSON.parse(JSON.stringify(seen(['do=revisions']))) as ConstructorParameters<typeof UnlistedViews>[0];
  assert.notEqual(new UnlistedViews(saved).find(at('/doku.php?id=new&do=revisions')), undefined);
});

test('ends a tool of a namespace whose other tools lead to pages', () => {
  const memory = new UnlistedViews();
  for (let i = 0; i < 8; i++) {
    memory.observe(at(`/wiki/Page_${i}`), undefined, undefined);
    memory.observe(at(`/wiki/Special:Links/Page_${i}`), UNLISTED, at(`/wiki/Page_${i}`).href);
    memory.observe(at(`/wiki/Special:List/${i}`), UNLISTED, at('/wiki/Page_1').href);
    memory.observe(at(`/wiki/Found_${i}`), undefined, at(`/wiki/Special:List/${i}`).href);
  }
  assert.match(memory.find(at('/wiki/Special:Links/New')) ?? '', /Special:Links\/\*: 8 pages/);
  assert.equal(memory.find(at('/wiki/Special:List/9')), undefined);
  assert.equal(memory.find(at('/wiki/Special:Other')), undefined);
});
