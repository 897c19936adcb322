import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { detectObstacle, obstacleError } from './challenge.ts';
import type { ObstacleKind, SeenPage } from './challenge.ts';

const HTML = [['content-type', 'text/html; charset=utf-8']] as const;
const page = (html: string, more: Partial<SeenPage> = {}): SeenPage => ({ status: 200, headers: HTML, html, ...more });
const titled = (title: string, body: string) => `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`;

const PROSE = 'The harbour was quiet that morning, and the ferry left half an hour late because of the fog over the bay. '.repeat(25);
const NAV = Array.from({ length: 20 }, (_, i) => `<a href="/section/${i}">Section ${i}</a>`).join(' ');
const LOGIN_FORM = '<form action="/session"><input name="user"><input type="password" name="pass"><button>Log in</button></form>';
const SCRIPTS = '<script src="/runtime.js"></script><script src="/main.js"></script>';

interface Case {
  readonly name: string;
  readonly page: SeenPage;
}

const OBSTACLES: Readonly<Record<ObstacleKind, readonly Case[]>> = {
  challenge: [
    { name: 'a header that says so', page: page(titled('x', PROSE), { status: 403, headers: [...HTML, ['cf-mitigated', 'challenge']] }) },
    { name: 'a firewall header', page: page('', { status: 202, headers: [...HTML, ['x-amzn-waf-action', 'challenge']] }) },
    {
      name: 'a waiting page with status 503',
      page: page(titled('Just a moment...', '<p>Checking your browser before accessing the site.</p>'), { status: 503 }),
    },
    { name: 'a waiting page with status 200', page: page(titled('Just a moment...', `<p>Please wait.</p>${SCRIPTS}`)) },
    {
      name: 'a mark of a bot check on an empty page',
      page: page('<html><head><script>window._cf_chl_opt={};</script></head><body></body></html>', { status: 403 }),
    },
    {
      name: 'a proof of work',
      page: page(
        titled("Making sure you're not a bot!", '<p>Loading...</p><script src="/.within.website/x/cmd/anubis/main.mjs"></script>'),
      ),
    },
    {
      name: 'a refusal that asks for a human, in German',
      page: page(titled('Prüfung', '<p>Bitte bestätigen Sie, dass Sie ein Mensch sind.</p>'), { status: 403 }),
    },
    { name: 'a refusal that asks for a human, in Russian', page: page(titled('Проверка браузера', '<p>Подождите.</p>'), { status: 429 }) },
    { name: 'a curly apostrophe', page: page(titled('One step', '<p>Verify you’re not a bot</p>'), { status: 403 }) },
  ],
  captcha: [
    { name: 'a firewall header', page: page('', { status: 405, headers: [...HTML, ['x-amzn-waf-action', 'captcha']] }) },
    { name: 'a widget with a refusal', page: page(titled('Attention', '<div class="h-captcha" data-sitekey="k"></div>'), { status: 403 }) },
    {
      name: 'a widget with the question',
      page: page(titled('Robot check', '<p>Please verify you are human.</p><div class="g-recaptcha" data-sitekey="k"></div>')),
    },
    { name: 'letters to type', page: page(titled('Security check', '<form><img src="/captcha.png"><input name="answer"></form>')) },
    {
      name: 'too many requests and a widget',
      page: page(titled('Too many requests', '<p>Unusual traffic from your network.</p><div class="cf-turnstile"></div>'), { status: 429 }),
    },
  ],
  login_wall: [
    { name: 'status 401', page: page('', { status: 401 }) },
    { name: 'status 401 for JSON', page: page('{"error":"no"}', { status: 401, headers: [['content-type', 'application/json']] }) },
    { name: 'a password field and the demand', page: page(titled('Welcome', `<p>Please log in to see this page.</p>${LOGIN_FORM}`)) },
    {
      name: 'a redirect to a log-in page',
      page: page(titled('Welcome', LOGIN_FORM), {
        requestedUrl: 'https://a.example/orders/7',
        url: 'https://a.example/login?next=/orders/7',
      }),
    },
    {
      name: 'a redirect to another host that signs people in',
      page: page(titled('Welcome', LOGIN_FORM), { requestedUrl: 'https://a.example/orders', url: 'https://sso.a.example/start' }),
    },
    { name: 'buttons without a field', page: page(titled('Members', '<p>Sign in to continue</p><button>With your account</button>')) },
  ],
  blocked: [
    { name: 'status 403', page: page(titled('403', '<h1>403 Forbidden</h1>'), { status: 403 }) },
    { name: 'status 403 for a file', page: page('', { status: 403, headers: [['content-type', 'application/pdf']] }) },
    { name: 'status 451', page: page(titled('Unavailable', PROSE), { status: 451 }) },
    { name: 'a refusal with status 200', page: page(titled('Access Denied', '<p>Reference #18.2f</p>')) },
    { name: 'a refusal with status 503', page: page(titled('Sorry', '<p>Your request has been blocked.</p>'), { status: 503 }) },
    { name: 'a refusal by country', page: page(titled('Sorry, not available in your country', '<p>Come back later.</p>')) },
  ],
  empty: [
    { name: 'no bytes', page: page('') },
    { name: 'white space', page: page(' \n ') },
    { name: 'markup without words', page: page('<html><head><title>Shop</title></head><body><div></div></body></html>') },
    { name: 'nothing but a comment', page: page('<!-- served in 0.1 s -->') },
  ],
};

const PAGES: readonly Case[] = [
  { name: 'an article', page: page(titled('Fog over the bay', `${NAV}<h1>Fog over the bay</h1><p>${PROSE}</p>`)) },
  {
    name: 'an article about bot checks',
    page: page(
      titled(
        'What "just a moment" means',
        `<h1>Verify you are human</h1><p>Sites say "checking your browser" and "access denied". ${PROSE}</p>`,
      ),
    ),
  },
  {
    name: 'an article that asks readers to sign in below',
    page: page(titled('Fog', `<p>${PROSE}</p><p>Please log in to comment.</p>${LOGIN_FORM}`)),
  },
  {
    name: 'a shop with a captcha in its newsletter form',
    page: page(titled('Lamps', `${NAV}<p>${PROSE}</p><form><input name=mail><div class="g-recaptcha"></div></form>`)),
  },
  {
    name: 'a contact form with a captcha',
    page: page(
      titled(
        'Contact',
        '<h1>Contact</h1><form><input name=name><input name=mail><textarea></textarea><div class="g-recaptcha" data-sitekey=k></div></form>',
      ),
    ),
  },
  {
    name: 'a log-in page asked for by its own address',
    page: page(titled('Log in', `<p>Please log in</p>${LOGIN_FORM}`), {
      requestedUrl: 'https://a.example/login',
      url: 'https://a.example/login',
    }),
  },
  { name: 'a sign-up form', page: page(titled('Join', '<h1>Join us</h1><form><input name=mail><input type=password></form>')) },
  {
    name: 'a page behind a bot check that is over',
    page: page(titled('Lamps', `${NAV}<p>${PROSE}</p><script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>`)),
  },
  {
    name: 'a protected shop with many pictures and few words',
    page: page(
      titled('Cream', `${'<img src=a.jpg>'.repeat(30)}<p>Face cream, 50 ml.</p><script>addEventListener("kpsdk-load", f)</script>`),
    ),
  },
  { name: 'a short page', page: page(titled('Opening hours', '<h1>Opening hours</h1><p>Monday to Friday, nine to five.</p>')) },
  {
    name: 'a short page with scripts',
    page: page(
      titled(
        'Opening hours',
        `<h1>Opening hours</h1><p>Monday to Friday, nine to five. On Saturday we open at ten and close at two.</p>${SCRIPTS}`,
      ),
    ),
  },
  { name: 'a rendered app', page: page(titled('Shop', `<div id="root">${NAV}<p>${PROSE}</p></div>${SCRIPTS}`)) },
  {
    name: 'a rendered app with a hint for old browsers',
    page: page(titled('Shop', `<noscript>Please enable JavaScript.</noscript><div id="root">${NAV}<p>${PROSE}</p></div>${SCRIPTS}`)),
  },
  {
    name: 'a forum that keeps its text in noscript',
    page: page(
      titled(
        'Forum',
        `${SCRIPTS}<noscript data-path="/"><div>${PROSE} Powered by software, best viewed with JavaScript enabled</div></noscript>`,
      ),
    ),
  },
  { name: 'a gallery without words', page: page(titled('Photos', `${'<img src=a.jpg>'.repeat(9)}${SCRIPTS}`)) },
  { name: 'a picture alone', page: page('<html><body><img src=a.jpg></body></html>') },
  { name: 'a frameset', page: page(`<html><head>${SCRIPTS}</head><frameset><frame src=a><frame src=b></frameset></html>`) },
  {
    name: 'a search form and nothing else',
    page: page(titled('Search', `<form><input name=q><select><option>all</select></form>${SCRIPTS}`)),
  },
  { name: 'a 404 page', page: page(titled('Not found', '<h1>Not found</h1>'), { status: 404 }) },
  { name: 'a 404 page of an app', page: page(titled('Not found', `<div id="root"></div>${SCRIPTS}`), { status: 404 }) },
  { name: 'a server error', page: page(titled('Error', '<h1>Internal server error</h1>'), { status: 500 }) },
  {
    name: 'a server error of a site with an invisible captcha',
    page: page(titled('Error', '<h1>Something went wrong</h1><script src="/recaptcha/api.js"></script>'), { status: 500 }),
  },
  {
    name: 'a redirect within a site',
    page: page(titled('Lamps', `<p>${PROSE}</p>`), { requestedUrl: 'http://a.example/', url: 'https://www.a.example/' }),
  },
  {
    name: 'a redirect to an author page',
    page: page(titled('Author', `<p>Short words about an author.</p>`), {
      requestedUrl: 'http://a.example/x',
      url: 'https://a.example/authors/x',
    }),
  },
  { name: 'JSON', page: page('{"message":"access denied"}', { headers: [['content-type', 'application/json']] }) },
  { name: 'plain text', page: page('User-agent: *\nDisallow: /login', { headers: [['content-type', 'text/plain']] }) },
  { name: 'an empty PDF answer', page: page('', { headers: [['content-type', 'application/pdf']] }) },
];

describe('F46 what stands in front of a page is recognised', () => {
  for (const [kind, cases] of Object.entries(OBSTACLES)) {
    for (const { name, page: seen } of cases) {
      test(`${kind}: ${name}`, () => {
        const obstacle = detectObstacle(seen);
        assert.equal(obstacle?.kind, kind, JSON.stringify(obstacle));
        assert.notEqual(obstacle?.evidence.length, 0);
      });
    }
  }
});

describe('F46 a page is never taken for an obstacle', () => {
  for (const { name, page: seen } of PAGES) test(name, () => assert.equal(detectObstacle(seen), undefined));
});

describe('F46 an obstacle is an error and never data', () => {
  const codes: Readonly<Record<ObstacleKind, string>> = {
    challenge: 'captcha',
    captcha: 'captcha',
    login_wall: 'blocked',
    blocked: 'blocked',
    empty: 'page_unreadable',
  };
  for (const [kind, code] of Object.entries(codes)) {
    test(`${kind} is ${code}`, () => {
      const error = obstacleError({ kind: kind as ObstacleKind, evidence: ['status 403'] }, { url: 'https://a.example/', status: 403 });
      assert.equal(error.code, code);
      assert.match(error.message, /^https:\/\/a\.example\/ .+ \(status 403\)\. Nothing was kept\.$/);
    });
  }
});

describe('F46 hostile markup', () => {
  const pieces = [
    '<',
    '<script',
    '<!--',
    '<noscript>',
    '<title>',
    '</',
    '<a href=',
    '"',
    '<h1',
    '<img ',
    'x'.repeat(50),
    '&nbsp;',
    '\u{0}',
  ];
  test('any heap of broken tags is looked at once', () => {
    for (const piece of pieces) {
      for (const html of [piece.repeat(100_000), `<noscript>${piece.repeat(100_000)}</noscript></title>`])
        assert.doesNotThrow(() => detectObstacle(page(html)));
    }
  });
});
