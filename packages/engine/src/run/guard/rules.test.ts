import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ElementPrint } from '../session.ts';
import { misfitOfCounts, misfitOfElement, misfitOfFields, misfitOfPage } from './rules.ts';
import { NO_SHAPE, shapeOf } from './seen.ts';
import type { PagePrint } from '../../page/page-print.ts';
import type { GoodReading } from './seen.ts';
import { lastingWords } from '../../page/lasting-words.ts';

const reading = (seen: Partial<GoodReading['seen']>, isSameInputs = true): GoodReading => ({
  runId: 1,
  isSameInputs,
  seen: { elements: [], pages: [], shape: NO_SHAPE, times: 1, ...seen },
});
const rows = (count: number, row: object = { name: 'a' }) => shapeOf(Array.from({ length: count }, () => row));
const button = (name: string): ElementPrint => ({ tag: 'button', role: 'button', name });

suite('guards', () => {
  const WORDS: readonly (readonly [string, string])[] = [
    ['Basket (3)', 'basket'],
    ['Buy for EUR 4.50', 'buy for'],
    ['Buy for 12,99 €', 'buy for'],
    ['Notes of Monday, 12 May 2026', 'notes of'],
    ['17', ''],
  ];
  for (const [text, words] of WORDS) test(`what lasts of "${text}"`, () => assert.equal(lastingWords(text).join(' '), words));

  const ELEMENTS: readonly (readonly [string, readonly ElementPrint[], ElementPrint, boolean])[] = [
    ['its number changes', [button('Basket (3)')], button('Basket (12)'), true],
    ['its name keeps a word', [button('Save')], button('Save changes'), true],
    ['its name is data that varies', [button('Blue chair'), button('Red lamp')], button('Green door'), true],
    ['its name is another', [button('Save')], button('Delete'), false],
    ['its name is gone', [button('Save')], { tag: 'button', role: 'button' }, false],
    ['it is another element', [button('Save')], { tag: 'a', role: 'link', name: 'Save' }, false],
    ['it is of another type', [{ tag: 'input', type: 'text' }], { tag: 'input', type: 'password' }, false],
  ];
  for (const [name, before, now, fits] of ELEMENTS)
    test(`an element ${fits ? 'fits where' : 'is refused where'} ${name}`, () =>
      assert.equal(
        misfitOfElement(
          now,
          before.map((print) => reading({ elements: [print] })),
        ) === undefined,
        fits,
      ));

  const PAGE: PagePrint = { status: 200, host: 'x.test', words: ['corner', 'shop'], asksPassword: false };
  const PAGES: readonly (readonly [string, Partial<PagePrint>, string | undefined])[] = [
    ['a word of its title stays', { words: ['shop', 'today'] }, undefined],
    ['none of its names stays', { words: ['trouble'] }, 'page'],
    ['it is elsewhere', { host: 'y.test' }, 'page'],
    ['it answers otherwise', { status: 203 }, 'page'],
    ['it asks to log in', { asksPassword: true }, 'login'],
  ];
  for (const [name, change, guard] of PAGES)
    test(`a page where ${name}`, () =>
      assert.equal(misfitOfPage({ ...PAGE, ...change }, 'https://x.test/', [reading({ pages: [PAGE] })])?.guard, guard));

  const COUNTS: readonly (readonly [string, readonly number[], number, string | undefined])[] = [
    ['as many as ever', [10, 12, 11], 10, undefined],
    ['half of them', [10, 12, 11], 6, 'assert'],
    ['half of the most that would agree, where the runs did not', [10, 40], 6, undefined],
    ['half of so few that one more is too many', [4, 4], 2, undefined],
    ['none', [1, 40], 0, 'no_rows'],
    ['none, as before', [0, 3], 0, undefined],
  ];
  for (const [name, before, now, code] of COUNTS)
    test(`a list of ${name}`, () =>
      assert.equal(
        misfitOfCounts(
          rows(now),
          before.map((count) => reading({ shape: rows(count) })),
        )?.code,
        code,
      ));
  test('lengths are held against runs with the same inputs alone', () =>
    assert.equal(misfitOfCounts(rows(0), [reading({ shape: rows(9) }, false)]), undefined));

  const FIELDS: readonly (readonly [string, object, object, string | undefined])[] = [
    ['another value of its kind', { price: '4.50' }, { price: '12' }, undefined],
    ['words where a figure was', { price: '4.50' }, { price: 'Blue chair' }, 'kinds'],
    ['a figure where words were', { name: 'Blue chair' }, { name: '1984' }, undefined],
    ['nothing', { price: '4.50' }, { price: null }, 'fields'],
    ['nothing, as before', { price: null }, { price: null }, undefined],
    ['an object where a number was', { price: 4 }, { price: { amount: 4 } }, 'kinds'],
    ['a member less', { a: { b: 1 } }, { a: { c: 1 } }, 'fields'],
    ['other ids in a map', { a: { 17: 1 } }, { a: { 18: 1 } }, undefined],
    ['words and a number where a figure was', { price: '4.50' }, { price: 'Chair 12' }, 'kinds'],
    ['words where words and a number were', { name: 'Chair 12' }, { name: 'Chair' }, undefined],
  ];
  for (const [name, before, now, guard] of FIELDS)
    test(`a field with ${name}`, () => assert.equal(misfitOfFields(rows(3, now), [reading({ shape: rows(3, before) })])?.guard, guard));
  test('other inputs may find longer names with numbers than such that look like figures, and no words alone', () => {
    const before = [reading({ shape: rows(3, { name: 'Tea 1' }) }, false)];
    assert.equal(misfitOfFields(rows(3, { name: 'Night 1' }), before), undefined);
    assert.equal(misfitOfFields(rows(3, { name: 'Night' }), before)?.guard, 'kinds');
  });
});
