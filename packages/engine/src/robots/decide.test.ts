import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideRobots, decideRobotsJob, selectAgentRules } from './decide.ts';
import { matchesPattern } from './match.ts';
import { ROBOTS_CHARS_MAX, parseRobots } from './parse.ts';
import { robotsFromResponse } from './response.ts';

type Case = readonly [robots: string, agent: string, path: string, allowed: boolean];

/** Each case is one line: `|` stands for a line end, and a path is put behind https://shop.test unless it is a whole URL. */
function holds(cases: readonly Case[]): void {
  for (const [robots, agent, path, allowed] of cases) {
    const url = path.startsWith('/') ? `https://shop.test${path}` : path;
    const decision = decideRobotsJob({ robots: robots.replaceAll('|', '\n'), agent, url });
    assert.equal(decision.allowed, allowed, `${robots} — ${agent} — ${path}`);
  }
}

const NO = 'User-agent: weft|Disallow: /';
const only = (allow: string) => `User-agent: weft|Disallow: /|Allow: ${allow}`;
const never = (disallow: string) => `User-agent: weft|Disallow: ${disallow}`;

test('finds the fields of a line whatever its case, spacing, comment or spelling', () => {
  holds([
    ['', 'weft', '/a', true],
    ['', '', '', true],
    [NO, 'weft', '/a', false],
    [NO, 'weft', '', false],
    [NO, '', '', true],
    ['USER-AGENT: weft|DISALLOW: /', 'weft', '/a', false],
    ['uSeR-aGeNt: weft|dIsAlLoW: /', 'weft', '/a', false],
    ['user-agent:weft|disallow:/', 'weft', '/a', false],
    ['  user-agent \t: weft  |\tdisallow\t:\t/ ', 'weft', '/a', false],
    ['user-agent weft|disallow /', 'weft', '/a', false],
    ['user-agent\tweft|disallow\t/', 'weft', '/a', false],
    ['user-agent weft|disallow / please', 'weft', '/a', true],
    ['useragent: weft|disallow: /', 'weft', '/a', false],
    ['user agent: weft|disallow: /', 'weft', '/a', false],
    ['user-agent: weft|dissallow: /', 'weft', '/a', false],
    ['user-agent: weft|dissalow: /', 'weft', '/a', false],
    ['user-agent: weft|disalow: /', 'weft', '/a', false],
    ['user-agent: weft|diasllow: /', 'weft', '/a', false],
    ['user-agent: weft|disallaw: /', 'weft', '/a', false],
    ['user-agent: weft|forbid: /', 'weft', '/a', true],
    ['agent: weft|disallow: /', 'weft', '/a', true],
    ['user-agent: weft # us|disallow: / # all', 'weft', '/a', false],
    ['user-agent: weft|#disallow: /', 'weft', '/a', true],
    ['user-agent: weft|disallow: /b#c', 'weft', '/b', false],
    ['user-agent: weft|disallow: #/', 'weft', '/a', true],
    [': weft|: /', 'weft', '/a', true],
    ['user-agent: weft|disallow', 'weft', '/a', true],
    ['user-agent: weft|disallow:', 'weft', '/a', true],
    ['<html><body>Not found</body></html>', 'weft', '/a', true],
  ]);
});

test('ends a line at LF, CR or CRLF and skips a byte order mark', () => {
  holds([
    ['user-agent: weft\rdisallow: /', 'weft', '/a', false],
    ['user-agent: weft\r\ndisallow: /', 'weft', '/a', false],
    ['user-agent: weft\n\rdisallow: /', 'weft', '/a', false],
    ['user-agent: weft\r\n\r\ndisallow: /\r\n', 'weft', '/a', false],
    ['\ufeffuser-agent: weft|disallow: /', 'weft', '/a', false],
    ['\ufeff', 'weft', '/a', true],
    ['user-agent: weft|\ufeffdisallow: /', 'weft', '/a', false],
    ['user-agent: weft|disallow: /\u0000', 'weft', '/a', true],
  ]);
});

test('joins groups of the same agent and drops rules that stand before any agent', () => {
  const split = 'User-agent: weft|Disallow: /a|User-agent: other|Disallow: /b|User-agent: weft|Disallow: /c';
  const shared = 'User-agent: weft|User-agent: other|Disallow: /a';
  const stray = 'Disallow: /|User-agent: weft|Allow: /a';
  holds([
    [split, 'weft', '/a', false],
    [split, 'weft', '/b', true],
    [split, 'weft', '/c', false],
    [split, 'other', '/a', true],
    [split, 'other', '/b', false],
    [split, 'third', '/b', true],
    [shared, 'weft', '/a', false],
    [shared, 'other', '/a', false],
    [shared, 'third', '/a', true],
    [stray, 'weft', '/b', true],
    [stray, 'third', '/b', true],
    ['User-agent: weft||Disallow: /a', 'weft', '/a', false],
    ['User-agent: weft||User-agent: other|Disallow: /a', 'weft', '/a', false],
    ['User-agent: weft|Disallow: /a||Disallow: /b', 'weft', '/b', false],
    ['User-agent: weft|Disallow: /a|User-agent: other', 'other', '/a', true],
    ['User-agent: a|User-agent: b|User-agent: c|Disallow: /', 'c', '/a', false],
  ]);
});

test('never closes a group at a line that is not a rule', () => {
  holds([
    ['User-agent: weft|Sitemap: https://shop.test/s.xml|Disallow: /', 'weft', '/a', false],
    ['User-agent: weft|Sitemap: https://shop.test/s.xml|User-agent: other|Disallow: /', 'weft', '/a', false],
    ['User-agent: weft|Crawl-delay: 3|User-agent: other|Disallow: /', 'weft', '/a', false],
    ['User-agent: weft|Host: shop.test|User-agent: other|Disallow: /', 'weft', '/a', false],
    ['User-agent: weft|Unknown: x|Disallow: /', 'weft', '/a', false],
    ['User-agent: weft|Content-Signal: search=yes|User-agent: other|Disallow: /', 'weft', '/a', false],
    ['User-agent: weft|nonsense|User-agent: other|Disallow: /', 'weft', '/a', false],
    ['User-agent: weft|Allow:|User-agent: other|Disallow: /', 'weft', '/a', true],
    ['User-agent: weft|Disallow:|User-agent: other|Disallow: /', 'weft', '/a', true],
  ]);
});

test('matches the product token without its case, its version or what follows it', () => {
  holds([
    ['User-agent: WEFT|Disallow: /', 'weft', '/a', false],
    ['User-agent: weft|Disallow: /', 'WeFt', '/a', false],
    ['User-agent: weft/2.1|Disallow: /', 'weft', '/a', false],
    ['User-agent: weft (the crawler)|Disallow: /', 'weft', '/a', false],
    ['User-agent: weft images|Disallow: /', 'weft', '/a', false],
    ['User-agent: weft|Disallow: /', 'weft/1.0', '/a', false],
    ['User-agent: weft|Disallow: /', 'weft images', '/a', true],
    ['User-agent: *|Disallow: /|User-agent: weft images|Allow: /x|Disallow: /', 'weft', '/x', true],
    ['User-agent: *|Disallow: /|User-agent: weft images|Allow: /x|Disallow: /', 'weft images', '/x', false],
    ['User-agent: weft-news|Disallow: /', 'weft', '/a', true],
    ['User-agent: weft|Disallow: /', 'weft-news', '/a', true],
    ['User-agent: weft_news|Disallow: /', 'weft_news', '/a', false],
    ['User-agent: wef|Disallow: /', 'weft', '/a', true],
    ['User-agent: we*|Disallow: /', 'weft', '/a', true],
    ['User-agent: bot42x|Disallow: /', 'bot42x', '/a', false],
    ['User-agent:|Disallow: /', 'weft', '/a', true],
    ['User-agent:|Disallow: /', '', '/a', true],
  ]);
});

test('falls back to the groups of * only when no group names the agent', () => {
  const both = 'User-agent: *|Disallow: /a|User-agent: weft|Disallow: /b';
  holds([
    [both, 'weft', '/a', true],
    [both, 'weft', '/b', false],
    [both, 'other', '/a', false],
    [both, 'other', '/b', true],
    [both, '', '/a', false],
    ['User-agent: weft|Disallow: /b|User-agent: *|Disallow: /a', 'weft', '/a', true],
    ['User-agent: *|Disallow: /|User-agent: weft', 'weft', '/a', true],
    ['User-agent: *|Disallow: /|User-agent: weft|Disallow:', 'weft', '/a', true],
    ['User-agent: * all|Disallow: /', 'weft', '/a', false],
    ['User-agent: *all|Disallow: /', 'weft', '/a', true],
    ['User-agent: *|User-agent: weft|Disallow: /', 'weft', '/a', false],
    ['User-agent: *|User-agent: weft|Disallow: /', 'other', '/a', false],
    ['User-agent: *|Disallow: /a|User-agent: x|Disallow: /x|User-agent: *|Disallow: /b', 'weft', '/b', false],
    ['User-agent: *|Disallow: /', '*', '/a', false],
  ]);
});

test('lets the longest pattern win, and Allow at equal length', () => {
  holds([
    ['User-agent: weft|Disallow: /x/page|Allow: /x/', 'weft', '/x/page', false],
    ['User-agent: weft|Allow: /x/page|Disallow: /x/', 'weft', '/x/page', true],
    ['User-agent: weft|Allow: /x/page|Disallow: /x/', 'weft', '/x/', false],
    ['User-agent: weft|Disallow: /|Allow: /', 'weft', '/a', true],
    ['User-agent: weft|Allow: /|Disallow: /', 'weft', '/a', true],
    ['User-agent: weft|Disallow: /same|Allow: /same', 'weft', '/same', true],
    ['User-agent: weft|Disallow: |Allow: ', 'weft', '/a', true],
    ['User-agent: weft|Disallow: /x|Allow: /x/', 'weft', '/x', false],
    ['User-agent: weft|Disallow: /x|Allow: /x/', 'weft', '/x/', true],
    ['User-agent: weft|Allow: /page|Disallow: /*.html', 'weft', '/page.html', false],
    ['User-agent: weft|Allow: /page|Disallow: /*.html', 'weft', '/page', true],
    ['User-agent: weft|Allow: /x/page.|Disallow: /*.html', 'weft', '/x/page.html', true],
    ['User-agent: weft|Allow: /p|Disallow: /', 'weft', '/page', true],
    ['User-agent: weft|Allow: /page|Disallow: /*.htm', 'weft', '/page.htm', false],
    ['User-agent: weft|Allow: /$|Disallow: /', 'weft', '/', true],
    ['User-agent: weft|Allow: /$|Disallow: /', 'weft', '/page', false],
    ['User-agent: weft|Disallow: /a/*/c|Allow: /a/b', 'weft', '/a/b/c', false],
    ['User-agent: weft|Disallow: /a**|Allow: /a', 'weft', '/ab', false],
    ['User-agent: weft|Allow: /a|User-agent: weft|Disallow: /ab', 'weft', '/abc', false],
  ]);
});

test('matches from the start of the path, case by case', () => {
  holds([
    [only('/fish'), 'weft', '/fish', true],
    [only('/fish'), 'weft', '/fish.html', true],
    [only('/fish'), 'weft', '/fish/salmon', true],
    [only('/fish'), 'weft', '/fishheads', true],
    [only('/fish'), 'weft', '/fish?id=1', true],
    [only('/fish'), 'weft', '/Fish', false],
    [only('/fish'), 'weft', '/catfish', false],
    [only('/fish'), 'weft', '/?id=fish', false],
    [only('/fish*'), 'weft', '/fishheads', true],
    [only('/fish*'), 'weft', '/catfish', false],
    [only('/fish/'), 'weft', '/fish/', true],
    [only('/fish/'), 'weft', '/fish/?q', true],
    [only('/fish/'), 'weft', '/fish', false],
    [only('/fish/'), 'weft', '/fish.html', false],
    [never('fish'), 'weft', '/fish', true],
    [never('*fish'), 'weft', '/a/fish', false],
    [never('//'), 'weft', '//a', false],
    [never('/X/'), 'weft', '/x/', true],
  ]);
});

test('takes * as any run and $ as the end, only where they stand for that', () => {
  holds([
    [only('/*.php'), 'weft', '/f.php', true],
    [only('/*.php'), 'weft', '/d/f.php?x', true],
    [only('/*.php'), 'weft', '//d/any.php.html', true],
    [only('/*.php'), 'weft', '/index?f=a.php/', true],
    [only('/*.php'), 'weft', '/php/', false],
    [only('/*.php'), 'weft', '/a.PHP', false],
    [only('/*.php$'), 'weft', '/d/f.php', true],
    [only('/*.php$'), 'weft', '/f.php?x', false],
    [only('/*.php$'), 'weft', '/f.php5', false],
    [only('/*.php$'), 'weft', '/f.php/', false],
    [only('/fish*.php'), 'weft', '/fishheads/cat.php?x', true],
    [only('/fish*.php'), 'weft', '/Fish.PHP', false],
    [only('/foo/*/qux'), 'weft', '/foo/a/b/qux', true],
    [only('/foo/*/qux'), 'weft', '/foo//qux', true],
    [only('/foo/*/qux'), 'weft', '/foo/qux', false],
    [never('/foo/bar$'), 'weft', '/foo/bar', false],
    [never('/foo/bar$'), 'weft', '/foo/bar/', true],
    [never('/foo/bar$'), 'weft', '/foo/bar?x', true],
    [never('/a$b'), 'weft', '/a', true],
    [never('/a$b'), 'weft', '/a$b', false],
    [never('/a*a$'), 'weft', '/a', true],
    [never('/a*a$'), 'weft', '/aa', false],
    [never('/*$'), 'weft', '/anything', false],
    [never('*'), 'weft', '/anything', false],
    [never('$'), 'weft', '/', true],
    [never('/*?'), 'weft', '/a?', false],
    [never('/*?'), 'weft', '/a', true],
    [never('/a*b*c$'), 'weft', '/abcbc', false],
    [never('/a*b*c$'), 'weft', '/abcb', true],
  ]);
});

test('compares percent-encoded text as it goes over the wire', () => {
  holds([
    [only('/a?q=t&u=http://shop.test?x&y'), 'weft', '/a?q=t&u=http://shop.test?x&y', true],
    [only('/föö'), 'weft', '/f%C3%B6%C3%B6', true],
    [only('/f%C3%B6%C3%B6'), 'weft', '/f%C3%B6%C3%B6', true],
    [only('/f%c3%b6%c3%b6'), 'weft', '/f%C3%B6%C3%B6', true],
    [only('/f%C3%B6%C3%B6'), 'weft', '/f%c3%b6%c3%b6', true],
    [only('/föö'), 'weft', '/föö', false],
    [only('/%62%61%7A'), 'weft', '/%62%61%7A', true],
    [only('/%62%61%7A'), 'weft', '/baz', false],
    [only('/日本'), 'weft', '/%E6%97%A5%E6%9C%AC', true],
    [only('/a b'), 'weft', '/a%20b', true],
    [never('/%2F'), 'weft', '//', true],
    [never('/a%2Ab'), 'weft', '/axb', true],
    [never('/100%'), 'weft', '/100%', false],
  ]);
});

test('reads the path out of any form of URL', () => {
  holds([
    [NO, 'weft', 'https://shop.test', false],
    [NO, 'weft', 'shop.test/a', false],
    [NO, 'weft', '//shop.test/a', false],
    [never('/$'), 'weft', 'https://shop.test', false],
    [never('/$'), 'weft', 'https://shop.test#top', false],
    [never('/?a'), 'weft', 'https://shop.test?a', false],
    [never('/a'), 'weft', 'HTTPS://USER:pw@SHOP.test:8443/a#b', false],
    [never('/*b'), 'weft', '/a#b', true],
    [never('/a;s=1'), 'weft', '/a;s=1', false],
    [never('/http'), 'weft', '/http://x.test/', false],
    [never('/x.test'), 'weft', '/?u=http://x.test/x.test', true],
  ]);
});

test('lets an allowed index.html stand for its folder', () => {
  holds([
    [only('/d/index.html'), 'weft', '/d/', true],
    [only('/d/index.html'), 'weft', '/d/index.html', true],
    [only('/d/index.html'), 'weft', '/d/index.htm', false],
    [only('/d/index.html'), 'weft', '/d/other', false],
    [only('/index.html'), 'weft', '/', true],
    [never('/d/index.html'), 'weft', '/d/', true],
  ]);
});

test('cuts a line of more than 16,663 characters instead of dropping it', () => {
  const long = `/x/${'a'.repeat(2083 * 8 - 3 - 'disallow: '.length - 2)}`;
  holds([
    [`user-agent: weft|disallow: ${long}/qux`, 'weft', '/x/', true],
    [`user-agent: weft|disallow: ${long}/qux`, 'weft', `${long}/fux`, false],
    [`user-agent: weft|disallow: /|allow: ${long}/qux`, 'weft', `${long}/qux`, true],
    [`user-agent: weft|disallow: /|allow: ${long}/qux`, 'weft', '/x/', false],
  ]);
});

test('reads at least 500 KiB and leaves out the line that the limit cuts', () => {
  const filler = `# ${'-'.repeat(97)}\n`;
  const rules = parseRobots(`${filler.repeat(5119)}user-agent: weft\ndisallow: /private\n${filler.repeat(50_000)}`);
  assert.equal(rules.isCut, true);
  assert.equal(decideRobots(rules, 'weft', '/private').line, 5121);
  const cut = `user-agent: weft\n${'#'.repeat(ROBOTS_CHARS_MAX - 28)}\ndisallow: /private`;
  assert.equal(decideRobots(parseRobots(cut), 'weft', '/p').allowed, true);
});

test('names the line that decided, as the file has it', () => {
  const robots = '# hello\r\nUser-agent: *\r\n\r\n  Disallow:   /private/*   # keep out\r\nAllow: /private/open';
  const decide = (url: string) => decideRobotsJob({ robots, agent: 'weft', url: `https://shop.test${url}` });
  assert.deepEqual(decide('/private/a'), { allowed: false, rule: 'Disallow:   /private/*', line: 4 });
  assert.deepEqual(decide('/private/open'), { allowed: true, rule: 'Allow: /private/open', line: 5 });
  assert.deepEqual(decide('/public'), { allowed: true, rule: undefined, line: undefined });
});

test('keeps crawl delay, sitemaps and content signals', () => {
  const text = [
    'Sitemap: https://shop.test/one.xml',
    'User-agent: weft',
    'Crawl-delay: 2.5',
    'Content-Signal: search=yes, ai-train=no',
    'Disallow: /a',
    'Site-map: two.xml',
    'User-agent: weft',
    'Crawl-delay: 4',
    'User-agent: *',
    'Crawl-delay: soon',
  ].join('\n');
  const rules = parseRobots(text);
  const own = selectAgentRules(rules, 'weft');
  assert.deepEqual(rules.sitemaps, ['https://shop.test/one.xml', 'two.xml']);
  assert.equal(own.crawlDelaySeconds, 4);
  assert.deepEqual(own.contentSignals, [{ value: 'search=yes, ai-train=no', line: 4 }]);
  assert.equal(selectAgentRules(rules, 'other').crawlDelaySeconds, undefined);
});

test('allows everything on 4xx and lost redirects, nothing on 5xx and silence', () => {
  const bytes = new TextEncoder().encode(NO.replace('|', '\n'));
  const cases: readonly (readonly [Parameters<typeof robotsFromResponse>[0], boolean])[] = [
    [{ status: 200, body: bytes }, false],
    [{ status: 203, body: bytes }, false],
    [{ status: 204, body: '' }, true],
    [{ status: 301, body: bytes }, true],
    [{ status: 401, body: bytes }, true],
    [{ status: 403, body: bytes }, true],
    [{ status: 404, body: bytes }, true],
    [{ status: 410, body: bytes }, true],
    [{ status: 500, body: '' }, false],
    [{ status: 503, body: '' }, false],
    [{ status: 599, body: '' }, false],
    [{ failure: 'the connection was refused' }, false],
  ];
  for (const [answer, allowed] of cases) {
    assert.equal(decideRobots(robotsFromResponse(answer), 'weft', '/a').allowed, allowed, JSON.stringify(answer));
  }
  assert.equal(decideRobots(robotsFromResponse({ status: 503, body: '' }), 'weft', '/a').rule, 'robots.txt answered 503');
});

test('reads bytes that are not UTF-8 without losing the other lines', () => {
  const bytes = Uint8Array.from([...Buffer.from('User-agent: weft\nDisallow: /caf'), 0xe9, ...Buffer.from('\nDisallow: /b')]);
  assert.equal(decideRobots(robotsFromResponse({ status: 200, body: bytes }), 'weft', '/b').allowed, false);
});

test('decides hostile patterns in linear time', () => {
  const path = `/${'a'.repeat(50_000)}`;
  assert.equal(matchesPattern(`/${'*a'.repeat(5_000)}b$`, path), false);
  assert.equal(matchesPattern(`/${'a*'.repeat(5_000)}$`, path), true);
});
