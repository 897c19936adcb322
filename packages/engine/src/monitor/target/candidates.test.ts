import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseTree } from '../../html/tree.ts';
import { NO_VOTES, comparePlace, rankCandidates, saidBy } from './candidates.ts';
import { readPageIndex } from './page-index.ts';
import { judgeFor, oddsOf } from './score.ts';
import { printTarget } from './target-print.ts';

const TAGS = ['div', 'p', 'span', 'li', 'b', 'td'];
const NAMES = ['price', 'title', 'stock', 'css-1ab2', 'card'];
const WORDS = ['Cup', 'Tray', '4.00 EUR', '11.00 EUR', 'in stock', 'Price', 'new'];
const leaf = fc.record({ tag: fc.constantFrom(...TAGS), name: fc.constantFrom(...NAMES), words: fc.constantFrom(...WORDS) });
const block = fc.array(leaf, { minLength: 1, maxLength: 6 });
const page = fc.array(block, { minLength: 2, maxLength: 12 });

function htmlOf(blocks: readonly (readonly { readonly tag: string; readonly name: string; readonly words: string }[])[]): string {
  const written = blocks.map(
    (leaves) => `<section>${leaves.map(({ tag, name, words }) => `<${tag} class="${name}">${words}</${tag}>`).join(' ')}</section>`,
  );
  return `<!doctype html><title>x</title><main>${written.join('')}</main>`;
}

describe('rankCandidates', () => {
  it('puts the same two first as comparing everything in full does', () => {
    fc.assert(
      fc.property(page, page, fc.nat(), fc.boolean(), (before, after, chosen, isSteady) => {
        const old = readPageIndex(parseTree(htmlOf(before), 'https://shop.test/'));
        const index = readPageIndex(parseTree(htmlOf(after), 'https://shop.test/'));
        const judge = judgeFor(isSteady);
        const print = printTarget(old.places[chosen % old.places.length] as (typeof old.places)[number], old);
        const best = new Map<unknown, number>();
        for (const place of index.places) {
          if (place.element.name === 'body' || place.end - place.first > print.words.length * 6 + 20) continue;
          const odds = oddsOf(comparePlace(print, place, NO_VOTES, index), judge);
          best.set(saidBy(place), Math.max(odds, best.get(saidBy(place)) ?? Number.NEGATIVE_INFINITY));
        }
        const expected = [...best.values()].toSorted((a, b) => b - a).slice(0, 2);
        const ranked = rankCandidates(print, NO_VOTES, judge, index, 2).map(({ odds }) => odds);
        assert.deepEqual(ranked.map(rounded), expected.map(rounded));
      }),
      { numRuns: 150 },
    );
  });
});

function rounded(odds: number): number {
  return Math.round(odds * 1e6) / 1e6;
}
