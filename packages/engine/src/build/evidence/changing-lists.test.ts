import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readEvidence } from './read-evidence.ts';
import { changeOf, decideResults } from './changing-lists.ts';
import type { ComparedList } from './changing-lists.ts';

const PROMOTED = ['Anchors of iron', 'Bells of brass', 'Compasses of tin', 'Dinghies of oak', 'Engines of steel', 'Flags of silk'];
const results = (count: number) =>
  Array.from(
    { length: count },
    (_, n) => `<li class="hit"><h3><a href="/r/${n}">Rope number ${n}</a></h3><p>Found for ${n} sailors</p></li>`,
  );

/** A page whose promotions look as much like a list as its results. */
function page(found: readonly string[], says = ''): Uint8Array {
  const promoted = PROMOTED.map(
    (name, n) => `<li class="hot"><h3><a href="/p/${n}">${name}</a></h3><p>Bought by ${n}00 captains, and liked by all of them</p></li>`,
  );
  return new TextEncoder().encode(
    `<!doctype html><title>Ship's store</title><nav><a href="/a">Decks</a><a href="/b">Masts</a></nav><ul>${promoted.join('')}</ul><main>${says}<ul>${found.join('')}</ul></main>`,
  );
}

const sourceOf = (body: Uint8Array) => ({ url: 'http://store.test/find', body, contentType: 'text/html; charset=utf-8' });
const lists = (body: Uint8Array, without?: Uint8Array) =>
  readEvidence({ source: sourceOf(body), status: 200, headers: [], isRendered: true, ...(without ? { without: sourceOf(without) } : {}) })
    .lists;

suite('the list of the results', () => {
  test('is what the answer to a word that nobody knows does not say, and promotions are frame', () => {
    const found = lists(page(results(5)), page([], '<p>Nothing was found.</p>'));
    const changes = found.map(({ texts, change }) => [texts[0]?.split(' ')[0] ?? '', Math.round(changeOf(change) * 100)] as const);
    assert.equal(changes.find(([first]) => first === 'Rope')?.[1], 100, JSON.stringify(changes));
    assert.equal(changes.find(([first]) => first === 'Anchors')?.[1], 0, JSON.stringify(changes));
  });

  test('has no measure without another answer', () => {
    assert.ok(lists(page(results(5))).every(({ change }) => change === undefined));
  });

  test('keeps what all rows of one word say where those of another word say something else, and no label', () => {
    const tagged = (tag: string, names: readonly string[]) =>
      page(
        names.map(
          (name) =>
            `<li class="hit"><h3><a href="/r/${name}">Rope of ${name}</a></h3><span class="maker">by ${name} and sons</span><b class="tag">${tag}</b><button>Put aside</button></li>`,
        ),
      );
    const source = sourceOf(
      tagged(
        'hemp',
        Array.from({ length: 30 }, (_, n) => `Adams ${n}`),
      ),
    );
    const request = { source, status: 200, headers: [], isRendered: true, without: sourceOf(page([], '<p>Nothing was found.</p>')) };
    const rope = (beside?: Uint8Array) => {
      const found = readEvidence({ ...request, ...(beside ? { beside: sourceOf(beside) } : {}) }).lists;
      return found.find(({ texts }) => texts[0]?.startsWith('Rope'));
    };
    assert.equal(rope()?.rows[0]?.['tags'], undefined);
    const list = rope(tagged('sisal', ['Fox', 'Gray', 'Hill']));
    assert.deepEqual([list?.rows[0]?.['tags'], list?.count], ['hemp', 30]);
    assert.equal(list?.wrapper?.fields.find(({ name }) => name === 'tags')?.type, 'text');
    assert.ok(!JSON.stringify(list?.rows).includes('Put aside'));
  });

  const list = (coverage: number, purity: number, more: Partial<ComparedList> = {}): ComparedList => ({
    score: 8,
    change: { coverage, purity },
    secondRows: 6,
    alike: 0,
    framed: 0,
    ...more,
  });
  const CASES: readonly (readonly [what: string, lists: readonly ComparedList[], chosen: number | undefined])[] = [
    ['the whole results, not their titles', [list(0.3, 1, { score: 9 }), list(1, 1)], 1],
    ['the results, not what surrounds them', [list(1, 0.2, { score: 9 }), list(1, 1)], 1],
    ['none of a page that says the same for every word', [list(0, 0), list(0, 0)], undefined],
    ['none that another word is answered with as well', [list(1, 1, { alike: 1 })], undefined],
    ['none that another word is answered without', [list(1, 1, { secondRows: 0 })], undefined],
    ['none of which most rows are frame', [list(1, 1, { framed: 0.8 })], undefined],
  ];
  for (const [what, given, chosen] of CASES) test(`is ${what}`, () => assert.equal(decideResults(given), chosen));
});
