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

suite('what to do with an answer', () => {
  const shell = '<!doctype html><title>Shop</title><div id="root"></div><script src="/app.js"></script>';
  const cases: readonly (readonly [string, string, string, number?])[] = [
    ['keeps a page', `<h1>Title</h1><p>${words(600)}`, 'keep'],
    ['keeps a page with scripts', `<h1>Title</h1><p>${words(600)}<script src=a.js></script>`, 'keep'],
    ['keeps a short page without scripts', '<p>ok', 'keep'],
    ['keeps an error page of the site', `<h1>Not found</h1><div id=root></div><script src=a.js></script>`, 'keep', 404],
    ['renders a shell', shell, 'render js_shell'],
    [
      'renders a frame around an empty mount point',
      `<nav>${words(600)}</nav><div id="app"></div><script src=a.js></script>`,
      'render empty_mount',
    ],
    [
      'renders around a mount point that holds a comment',
      `<p>${words(600)}<div id=root class=x><!-- app --></div><script></script>`,
      'render empty_mount',
    ],
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
