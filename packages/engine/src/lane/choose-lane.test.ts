import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { FetchRequest } from '../ports.ts';
import { chooseFirstLane, decideLane, refuseObstacle } from './choose-lane.ts';

const url = 'https://shop.example/page';
const seen = (html: string, status = 200) => ({ url, requestedUrl: url, status, headers: [['content-type', 'text/html']] as const, html });
const words = (count: number) => 'some words that a reader reads '.repeat(Math.ceil(count / 31));

suite('the first lane', () => {
  const cases: readonly (readonly [string, Partial<FetchRequest>, string])[] = [
    ['nothing is asked for', {}, 'http static'],
    ['auto is asked for', { lane: 'auto' }, 'http static'],
    ['HTTP is asked for', { lane: 'http' }, 'http asked'],
    ['a browser is asked for', { lane: 'browser' }, 'browser asked'],
    ['a screenshot is asked for', { browser: { screenshot: 'full' } }, 'browser options'],
    ['a PDF is asked for', { lane: 'auto', browser: { pdf: true } }, 'browser options'],
    ['a selector is waited for', { browser: { waitForSelector: 'h1' } }, 'browser options'],
    ['time is waited for', { browser: { waitMs: 500 } }, 'browser options'],
    ['only kinds are blocked', { browser: { block: ['font'] } }, 'http static'],
    ['HTTP is asked for with a screenshot', { lane: 'http', browser: { screenshot: 'full' } }, 'http asked'],
    ['something is posted', { method: 'POST', lane: 'browser' }, 'http static'],
  ];
  for (const [when, request, expected] of cases)
    test(`when ${when}: ${expected}`, () => {
      const { lane, reason } = chooseFirstLane({ url, ...request });
      assert.equal(`${lane} ${reason}`, expected);
    });
});

/** What stands round a page whether or not its content is there. */
const FRAMES: Readonly<Record<string, (inner: string) => string>> = {
  'nothing else': (inner) =>
    `<!doctype html><title>Tasks</title><script type=module crossorigin src="/assets/index-4f2.js"></script><body>${inner}`,
  'a footer': (inner) =>
    `<!doctype html><title>Tasks</title><body>${inner}<footer>Copyright 2024 by the people who made this page, all rights reserved. <a href=/imprint>Imprint</a></footer><script defer src=/b.js></script>`,
  'a header and a footer': (inner) =>
    `<!doctype html><title>Tasks</title><header><a href=/>Tasks</a><nav><ul><li><a href=/a>All of them</a><li><a href=/b>Done</a><li><a href=/c>Help</a></ul></nav></header>${inner}<footer><p>Made with care in a small town by the sea.</p></footer><script src=/b.js></script>`,
  'a request for scripts': (inner) =>
    `<!doctype html><title>Tasks</title><body><noscript>You need to enable JavaScript to run this app.</noscript>${inner}<script src=/b.js></script><script src=/c.js></script>`,
};
const MOUNTS: Readonly<Record<string, string>> = {
  'a known name': '<div id="root"></div>',
  'a name of its own': '<div id="app-mount"></div>',
  'an element of its own': '<my-app></my-app>',
  'a class': '<section class="todoapp"></section>',
  main: '<main></main>',
  'nested places': '<div class="layout"><div class="page"><div id="x7"></div></div></div>',
  'a spinner': '<div id="boot"><div class="spinner"></div></div>',
  'a word that it loads': '<div id="boot"><p>Wird geladen…</p></div>',
};
const CONTENTS: Readonly<Record<string, string>> = {
  'a short text in a known place':
    '<div id="root"><h1>Opening hours</h1><p>We are open from nine to five on every day but Monday.</p></div>',
  'a log-in form':
    '<my-app><h1>Welcome</h1><form><label>Name</label><input name=n><label>Word</label><input type=password><button>Go</button></form></my-app>',
  'a short list':
    '<div id="app"><h2>Plants</h2><ul><li><a href=/1>Rose of the north</a><li><a href=/2>White lily</a><li><a href=/3>Tulip</a></ul></div>',
  'a message': '<main><h1>Thank you</h1><p>We have got your message and will answer within two days.</p></main><div id="modal-root"></div>',
};

suite('a shell is known by what it lacks', () => {
  for (const [round, frame] of Object.entries(FRAMES)) {
    for (const [place, mount] of Object.entries(MOUNTS))
      test(`renders ${place} with ${round}`, () => assert.equal(decideLane(seen(frame(mount))).kind, 'render'));
    for (const [what, content] of Object.entries(CONTENTS))
      test(`keeps ${what} with ${round}`, () => assert.equal(decideLane(seen(frame(content))).kind, 'keep'));
  }

  const others: readonly (readonly [string, string, string])[] = [
    ['renders a script that leads elsewhere', '<script>location.href = "/start"</script>', 'render'],
    ['keeps a frameset', '<frameset cols="1,2"><frame src=a><frame src=b></frameset><script></script>', 'keep'],
    ['keeps data without a script that could show it', '<title>Shop</title><script type="application/json">{"a":1}</script>', 'keep'],
    [
      'keeps content that is there for readers without scripts',
      `<noscript><h1>Fog</h1><p>${words(900)}</noscript><div></div><script></script>`,
      'keep',
    ],
    [
      'keeps pictures with captions',
      `<h1>Pictures</h1>${'<figure><img src=a.jpg><figcaption>A boat in the bay at noon</figcaption></figure>'.repeat(4)}<script></script>`,
      'keep',
    ],
  ];
  for (const [promise, html, expected] of others) test(promise, () => assert.equal(decideLane(seen(html)).kind, expected));

  test('a text that shows a shell is no page', () => {
    const text = {
      ...seen('<!doctype html><div id=root></div><script src=a.js></script>'),
      headers: [['content-type', 'text/plain']] as const,
    };
    assert.equal(decideLane(text).kind, 'keep');
  });
});

suite('what to do with an answer', () => {
  const shell = '<!doctype html><title>Shop</title><div id="root"></div><script src="/app.js"></script>';
  const cases: readonly (readonly [string, string, string, number?])[] = [
    ['keeps a page', `<h1>Title</h1><p>${words(600)}`, 'keep'],
    ['keeps a page with scripts', `<h1>Title</h1><p>${words(600)}<script src=a.js></script>`, 'keep'],
    ['keeps a short page without scripts', '<p>ok', 'keep'],
    ['keeps an error page of the site', `<h1>Not found</h1><div id=root></div><script src=a.js></script>`, 'keep', 404],
    ['renders a shell', shell, 'render js_shell'],
    ['keeps a page of which scripts fill a part', `<p>${words(600)}</p><div id="root"></div><script src=a.js></script>`, 'keep'],
    ['keeps a page whose mount point is filled', `<div id="root"><p>${words(600)}</div><script src=a.js></script>`, 'keep'],
    ['keeps a long page with an empty place in it', `<p>${words(3000)}</p><div id="app"></div><script src=a.js></script>`, 'keep'],
    [
      'renders a template that nobody filled',
      `<p>${words(600)}<ul ng-app><li ng-repeat="i in items">{{ i.name }} {{ i.price }} {{ i.stock }}</ul><script src=a.js></script>`,
      'render unfilled_template',
    ],
    [
      'keeps a page that shows templates as code',
      `<p>${words(600)}<pre>&lt;p v-if="x">{{ a }} {{ b }} {{ c }}</pre><script></script>`,
      'keep',
    ],
    ['keeps a page that writes about templates', `<p>${words(600)} {{ a }} {{ b }} {{ c }}<script></script>`, 'keep'],
    [
      'refuses a captcha',
      '<title>Are you a robot?</title><h1>Are you a human</h1><div class="g-recaptcha" data-sitekey=x></div>',
      'refuse captcha',
      403,
    ],
    ['refuses a bot check', '<title>Just a moment...</title><h1>Just a moment</h1><p>Checking your browser', 'refuse captcha', 503],
    [
      'refuses a log-in wall',
      '<h1>Please log in to continue</h1><form><input name=u><input type=password name=p></form>',
      'refuse blocked',
    ],
    ['refuses a refusal', '<h1>Access denied</h1>', 'refuse blocked', 403],
    ['refuses an empty answer', '<html><body></body></html>', 'refuse page_unreadable'],
  ];
  for (const [promise, html, expected, status] of cases)
    test(promise, () => {
      const decision = decideLane(seen(html, status));
      const more = decision.kind === 'render' ? ` ${decision.reason}` : decision.kind === 'refuse' ? ` ${decision.error.code}` : '';
      assert.equal(decision.kind + more, expected);
    });

  test('what was seen stands in the refusal', () => {
    const decision = decideLane(seen('<h1>Access denied</h1>', 403));
    assert.ok(decision.kind === 'refuse' && /status 403/.test(decision.error.message));
  });

  test('a rendered shell is what the site shows', () => assert.equal(refuseObstacle(seen(shell)), undefined));

  test('a rendered captcha is refused', () => {
    assert.equal(refuseObstacle(seen('<h1>I am not a robot</h1><div class=h-captcha></div>', 403))?.code, 'captcha');
  });
});
