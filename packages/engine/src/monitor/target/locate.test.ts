import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isTag } from 'domhandler';
import type { Element } from 'domhandler';
import { findElements, parseElementPath } from '../../html/selectors/elements.ts';
import { resolveSelector, valueOf } from '../../html/selectors/resolve.ts';
import { parseSelector } from '../../html/selectors/selector.ts';
import { PageDocument } from '../../page/page-document.ts';
import { recordBaseline } from './baseline.ts';
import type { TargetBaseline, TargetSelector } from './baseline.ts';
import { locate } from './locate.ts';
import type { Located, LocateOptions } from './locate.ts';

const item = (name: string, price: string) =>
  `<li class="tile"><a href="/p/${name.toLowerCase()}">${name}</a> <span class="cost">${price} EUR</span></li>`;
const SHOP = `<!doctype html><title>Kettle K2 - Corner shop</title>
<header><nav><a href="/">Home</a> <a href="/pots">Pots</a> <a href="/lids">Lids</a></nav></header>
<main><h1>Kettle K2</h1><p class="about">A kettle of steel for two litres, with a whistle that can be folded away.</p>
<dl class="facts"><dt>Price</dt><dd class="price" id="price">24.50 EUR</dd><dt>Stock</dt><dd class="stock">12 left</dd><dt>Weight</dt><dd class="weight">1.2 kg</dd></dl>
<h2>Also bought</h2><ul class="tiles">${item('Cup', '4.00')}${item('Tray', '11.00')}${item('Spoon', '2.50')}</ul></main>
<footer><p>Corner shop, Mill Lane 4. Open from nine to five on every day but Sunday.</p></footer>`;

/** Another framework: no name is what it was, and boxes stand around everything. */
const REDESIGNED = SHOP.replaceAll(/ (?:class|id)="[^"]*"/g, (_all, at: number) => ` class="css-${at.toString(36)}9x"`)
  .replaceAll('<dd', '<div><dd')
  .replaceAll('</dd>', '</dd></div>')
  .replaceAll('<main>', '<div><main><section>')
  .replaceAll('</main>', '</section></main></div>');
const OTHER_PAGE = `<!doctype html><title>Terms</title><main><h1>Terms of sale</h1><p>${'These terms hold between buyer and seller unless both agree otherwise in writing. '.repeat(30)}</p></main>`;
const LOGIN =
  '<!doctype html><title>Log in</title><h1>Please log in</h1><form action="/login"><input name="user"><input type="password" name="pass"><button>Log in</button></form>';
const CHALLENGE = '<!doctype html><title>Just a moment...</title><p>Checking your browser before accessing the site.</p>';

function pageOf(html: string): PageDocument {
  return new PageDocument({ url: 'https://shop.test/p/k2', body: new TextEncoder().encode(html), contentType: 'text/html; charset=utf-8' });
}

function baselineOf(html: string, selector: TargetSelector): TargetBaseline {
  const page = pageOf(html);
  const elements = isOfElements(selector) ? findElements(parseElementPath(selector), page.tree).elements : [];
  const { matches, count } =
    typeof selector === 'string' ? resolveSelector(parseSelector(selector), page.tree) : { matches: [], count: elements.length };
  const raw = matches[0]?.value ?? valueOf(elements[0] as Element);
  return recordBaseline(page, { selector, elements, count, value: { raw }, recordedAt: '2026-01-01T00:00:00Z', status: 200 });
}

function isOfElements(selector: TargetSelector): boolean {
  return typeof selector !== 'string' || !/^(?:regex|jsonpath)\//.test(selector);
}

/** What becomes of `selector`, recorded on one page, on another. */
function locateOn(before: string, selector: TargetSelector, after: string, options?: LocateOptions): Located {
  return locate(pageOf(after), selector, baselineOf(before, selector), options);
}

function textsOf({ matches }: Located): readonly string[] {
  return matches.map(({ node, value }) => (node && isTag(node) ? `${node.name}: ${value}` : value));
}

describe('what a selector finds by itself', () => {
  it('is taken', () => {
    const located = locateOn(SHOP, '#price', SHOP);
    assert.deepEqual(
      [located.verdict, located.via, textsOf(located), located.proposal],
      ['found', 'selector', ['dd: 24.50 EUR'], undefined],
    );
  });

  it('is taken though its value, its place and the page around it changed', () => {
    const after = SHOP.replace('24.50', '19.90')
      .replace('<dl', '<p>Only this week: free delivery for all kettles.</p><dl')
      .replaceAll(/class="[a-z]+"/g, '');
    assert.deepEqual(textsOf(locateOn(SHOP, '#price', after)), ['dd: 19.90 EUR']);
  });

  it('is not taken where there are more than there were, and the right one is told apart', () => {
    const after = SHOP.replace('</dl>', '<dt>Old price</dt><dd class="price">31.00 EUR</dd></dl>');
    const located = locateOn(SHOP, '.price', after);
    assert.deepEqual([located.verdict, located.via, textsOf(located)], ['found', 'alternate', ['dd: 24.50 EUR']]);
    assert.ok(located.proposal && located.proposal.selector !== '.price');
  });

  it('is taken whatever their number where there may be many', () => {
    const after = SHOP.replace('</ul>', `${item('Fork', '3.00')}</ul>`);
    assert.equal(locateOn(SHOP, '.cost', after, { many: true }).count, 4);
    assert.equal(locateOn(SHOP, '.cost', after).verdict, 'drift');
  });

  it('is doubted where it is another element and the right one stands elsewhere', () => {
    const selector = 'dl > dd:nth-of-type(1)';
    const after = SHOP.replace(/(<dt>Price.*?<\/dd>)(<dt>Stock.*?<\/dd>)/, '$2$1').replace(' id="price"', '');
    const located = locateOn(SHOP, selector, after, { isSteady: true });
    assert.deepEqual([located.verdict, textsOf(located)], ['drift', []]);
    assert.match(located.proposal?.selector ?? '', /price/i);
  });

  it('needs no baseline', () => {
    assert.equal(locate(pageOf(SHOP), '#price', undefined).verdict, 'found');
    assert.equal(locate(pageOf(SHOP), '#none', undefined).verdict, 'gone');
    assert.throws(() => locate(pageOf(SHOP), 'div[', undefined), /is not valid CSS/);
  });
});

describe('a repair', () => {
  for (const [selector, wanted] of [
    ['#price', 'dd: 24.50 EUR'],
    ['.stock', 'dd: 12 left'],
    ['.about', 'p: A kettle of steel for two litres, with a whistle that can be folded away.'],
    ['li:nth-of-type(2) .cost', 'span: 11.00 EUR'],
  ] as const)
    it(`finds ${selector} in another framework by what it says and what stands around it`, () => {
      const located = locateOn(SHOP, selector, REDESIGNED.replaceAll('nth-of-type(2) .cost', ''), { isSteady: true });
      const found = located.verdict === 'found' ? textsOf(located) : [located.nearMisses[0]?.text];
      assert.ok(found[0]?.endsWith(wanted.replace(/^\w+: /, '')), JSON.stringify(located.nearMisses));
    });

  it('finds a price whose names are gone and whose value changed', () => {
    const after = SHOP.replace('class="price" id="price"', 'class="css-1x9f2k"').replace('24.50', '23.90');
    const located = locateOn(SHOP, '#price', after);
    assert.deepEqual([located.verdict, located.via, textsOf(located)], ['found', 'alternate', ['dd: 23.90 EUR']]);
    assert.ok((located.proposal?.evidence.length ?? 0) >= 2);
  });

  it('never takes a value of another kind', () => {
    const after = SHOP.replace('class="price" id="price"', 'class="css-1x9f2k"').replace('24.50 EUR', 'On request');
    const located = locateOn(SHOP, '#price', after);
    assert.notEqual(located.verdict, 'found');
    assert.match(located.nearMisses[0]?.why ?? '', /other kind of value/);
  });

  it('proposes selectors that find what it found', () => {
    const after = SHOP.replace('class="price" id="price"', 'class="amount"');
    const { proposal, matches } = locateOn(SHOP, '#price', after);
    const page = pageOf(after);
    for (const selector of [proposal?.selector ?? '', ...(proposal?.alternates ?? [])])
      assert.deepEqual(
        findElements(parseElementPath(selector), page.tree).elements.map((element) => valueOf(element)),
        matches.map(({ value }) => value),
      );
  });

  it('finds what lies in a shadow root', () => {
    const inRoot = (markup: string) =>
      SHOP.replace('<h2>', `<price-box><div data-shadow="open"><p>Today <b ${markup}>7.10 EUR</b> a piece</p></div></price-box><h2>`);
    const located = locateOn(inRoot('class="now"'), ['price-box', '.now'], inRoot('class="css-88a"'), { isSteady: true });
    assert.deepEqual([located.verdict, textsOf(located)], ['found', ['b: 7.10 EUR']]);
  });
});

describe('what a page says twice', () => {
  const menu = (name: string) =>
    `<ul class="${name}">${[
      'Pans',
      'Lids',
      'Knives',
      'Boards',
      'Towels',
      'Aprons',
      'Scales',
      'Sieves',
      'Bowls',
      'Ladles',
      'Whisks',
      'Graters',
      'Peelers',
      'Trivets',
    ]
      .map((word) => `<li><a href="/c/${word}">${word}</a></li>`)
      .join('')}</ul>`;
  const twice = (wide: string, narrow: string) => SHOP.replace('<main>', `${wide}<main>`).replace('<footer>', `${narrow}<footer>`);
  const before = twice(menu('wide'), menu('narrow'));
  const selector = '.wide li:nth-child(5) a';

  it('is recorded as a copy, and not among what it could be taken for', () => {
    const { copies, rivals } = baselineOf(before, selector);
    assert.deepEqual(
      copies?.map(({ spelled }) => spelled),
      ['towels'],
    );
    assert.ok(rivals.every(({ spelled }) => spelled !== 'towels'));
  });

  it('is no copy where the blocks lead elsewhere or say something else', () => {
    for (const other of [menu('narrow').replace('/c/Pans', '/c/Pots'), menu('narrow').replace('Ladles', 'Jars')])
      assert.equal(baselineOf(twice(menu('wide'), other), selector).copies, undefined);
  });

  it('is found again in a redesign that says it as often', () => {
    const after = twice(menu('x1'), `<p>New here</p>${menu('x2')}`).replaceAll('<li>', '<li class="entry">');
    const located = locateOn(before, selector, after, { isSteady: true });
    assert.deepEqual([located.verdict, textsOf(located)], ['found', ['a: Towels']]);
  });

  it('is not taken for the other where it went', () => {
    const without = (name: string) => menu(name).replace(/<li><a[^>]*>Towels.*?<\/li>/, '');
    const after = twice(without('x1'), menu('x2'));
    assert.equal(locateOn(before, selector, after, { isSteady: true }).verdict, 'drift');
  });

  it('is not left by a menu whose own landmark went', () => {
    const after = SHOP.replace('<nav>', '<div>').replace('</nav>', '</div>').replace('<a href="/lids">', '<a href="/lids" class="x">');
    const located = locateOn(SHOP, 'nav a:nth-of-type(3)', after, { isSteady: true });
    assert.deepEqual([located.verdict, textsOf(located)], ['found', ['a: Lids']]);
  });
});

describe('what is not found', () => {
  const withoutPrice = SHOP.replace(/<dt>Price.*?<\/dd>/, '');

  it('is gone where the page is alike and nothing on it is like it', () => {
    for (const isSteady of [true, false]) assert.equal(locateOn(SHOP, '#price', withoutPrice, { isSteady }).verdict, 'gone');
  });

  it('is gone where one of a list is taken out and its neighbours move up', () => {
    const after = SHOP.replace(item('Tray', '11.00'), '');
    const located = locateOn(SHOP, 'a[href="/p/tray"] + .cost', after);
    assert.deepEqual([located.verdict === 'found', textsOf(located)], [false, []]);
  });

  it('drifted where two are equally like it', () => {
    const about = '<p>For two litres, with a whistle that can be folded away in a moment.</p>';
    const offer = `${about}<dl class="facts"><dt>Price</dt><dd class="price">24.50 EUR</dd></dl>${about}`;
    const located = locateOn(SHOP, '#price', SHOP.replace(/<dl.*?<\/dl>/, offer + offer), { isSteady: true });
    assert.deepEqual([located.verdict, located.nearMisses.length > 1], ['drift', true]);
    assert.match(located.nearMisses[0]?.why ?? '', /another is as like|not like enough/);
  });

  it('lies on another page where that says other things', () => {
    assert.equal(locateOn(SHOP, '#price', OTHER_PAGE).verdict, 'page_changed');
    assert.equal(locateOn(SHOP, 'h1', OTHER_PAGE).verdict, 'page_changed');
    assert.equal(locateOn(SHOP, '.cost', OTHER_PAGE, { many: true }).verdict, 'page_changed');
  });

  it('lies behind a login or a check where one stands before the page', () => {
    assert.equal(locateOn(SHOP, '#price', LOGIN).verdict, 'blocked');
    assert.equal(locateOn(SHOP, 'h1', LOGIN).verdict, 'blocked');
    assert.equal(
      locateOn(SHOP, '#price', CHALLENGE, { answer: { status: 503, headers: [['content-type', 'text/html']] } }).verdict,
      'blocked',
    );
    assert.equal(locate(pageOf(LOGIN), 'h1', undefined).verdict, 'blocked');
  });

  it('is told of patterns and JSON by their number alone', () => {
    const selector = 'regex/\\d+\\.\\d\\d EUR/';
    assert.equal(locateOn(SHOP, selector, SHOP).count, 4);
    assert.equal(locateOn(SHOP, selector, SHOP.replace('4.00 EUR', 'sold out')).verdict, 'drift');
    assert.equal(locateOn(SHOP, selector, SHOP.replaceAll('EUR', 'crowns')).verdict, 'gone');
  });
});

describe('a baseline', () => {
  it('is JSON, and says the same after it was stored', () => {
    const baseline = baselineOf(SHOP, '#price');
    assert.deepEqual(JSON.parse(JSON.stringify(baseline)), baseline);
    assert.deepEqual(baseline.print?.label, ['price']);
    assert.equal(baseline.value.shape, 'price');
  });

  it('has only alternates that find the element alone', () => {
    const page = pageOf(SHOP);
    for (const alternate of baselineOf(SHOP, '.stock').alternates)
      assert.deepEqual(
        findElements(parseElementPath(alternate), page.tree).elements.map((element) => valueOf(element)),
        ['12 left'],
        alternate,
      );
  });

  it('knows those that stand beside the element', () => {
    const said = baselineOf(SHOP, 'li:nth-of-type(2) .cost').rivals.map(({ spelled }) => spelled);
    assert.ok(said.includes('4 00 eur') && said.includes('2 50 eur'), said.join());
  });
});

describe('hostile pages', () => {
  it('F43 are looked at up to a number of elements', () => {
    const many = `<!doctype html><title>x</title>${'<i class="a">9</i>'.repeat(60_000)}<b class="b">24.50 EUR</b>`;
    const located = locateOn(SHOP, '#price', many);
    assert.notEqual(located.verdict, 'found');
  });

  it('F43 may nest as deep as they like', () => {
    const deep = `${'<div class="a">'.repeat(5_000)}<b>24.50 EUR</b>${'</div>'.repeat(5_000)}`;
    assert.notEqual(locateOn(SHOP, '#price', deep).verdict, 'found');
  });
});
