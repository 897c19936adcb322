import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldType } from '../list.ts';
import { readShortPrice } from './price.ts';
import { readValue, typeOfTexts } from './values.ts';

const prices: readonly (readonly [text: string, amount: string | undefined, currency?: string])[] = [
  ['$1,299.00', '1299.00', 'USD'],
  ['1.299,00 €', '1299.00', 'EUR'],
  ['1 299,00 €', '1299.00', 'EUR'],
  ['EUR 5', '5.00', 'EUR'],
  ['£7.5', '7.50', 'GBP'],
  ['$ 189 .99', '189.99', 'USD'],
  ['$ 189 99', '189.99', 'USD'],
  ['$1 299', '1299.00', 'USD'],
  ['CHF 1’200.50', '1200.50', 'CHF'],
  ['AU $20', '20.00', 'AUD'],
  ['US $5.50', '5.50', 'USD'],
  ['₹1,49,999', '149999.00', 'INR'],
  ['¥12,000', '12000', 'JPY'],
  ['349 kr', '349.00'],
  ['12 items', undefined],
  ['free', undefined],
  ['A sentence that mentions a price of $5 somewhere in the middle of it', undefined],
];

for (const [text, amount, currency] of prices) {
  test(`reads ${JSON.stringify(text)} as ${amount === undefined ? 'no price' : `${amount} ${currency ?? ''}`}`, () => {
    const price = readShortPrice(text);
    assert.deepEqual(price && [price.amount, price.currency], amount === undefined ? undefined : [amount, currency]);
  });
}

const dates: readonly (readonly [text: string, iso: string | undefined, secondsAgo?: number])[] = [
  ['2026-03-05', '2026-03-05'],
  ['2026-03-05T10:20:30Z', '2026-03-05T10:20:30Z'],
  ['2026-03-05 10:20', '2026-03-05T10:20'],
  ['Mar 5, 2026', '2026-03-05'],
  ['March 5th, 2026 by someone', '2026-03-05'],
  ['5. März 2026', '2026-03-05'],
  ['5 de mayo de 2026', '2026-05-05'],
  ['05.03.2026', '2026-03-05'],
  ['03/05/2026', '2026-03-05'],
  ['25/12/2026', '2026-12-25'],
  ['2026/3/5', '2026-03-05'],
  ['3 days ago', undefined, 259_200],
  ['an hour ago', undefined, 3600],
  ['vor 2 Stunden', undefined, 7200],
  ['il y a 3 jours', undefined, 259_200],
  ['hace 2 semanas', undefined, 1_209_600],
  ['1 month ago', undefined, 2_592_000],
  ['5m', undefined, 300],
  ['yesterday', undefined, 86_400],
];

for (const [text, iso, secondsAgo] of dates) {
  test(`reads ${JSON.stringify(text)} as a date`, () => {
    assert.deepEqual(readValue(text, 'date'), { type: 'date', iso, secondsAgo, raw: text });
  });
}

const others: readonly (readonly [text: string, type: FieldType, value: object | undefined])[] = [
  ['4.5 out of 5 stars', 'rating', { value: 4.5, best: 5 }],
  ['4,2/5', 'rating', { value: 4.2, best: 5 }],
  ['Rated 3 stars', 'rating', { value: 3, best: 5 }],
  ['★★★☆☆', 'rating', { value: 3, best: 5 }],
  ['width: 80%', 'rating', { value: 80, best: 100 }],
  ['8/5', 'rating', undefined],
  ['(1,234)', 'count', { count: 1234 }],
  ['12 comments', 'count', { count: 12 }],
  ['1.2k', 'count', { count: 1200 }],
  ['3M views', 'count', { count: 3_000_000 }],
  ['2.50', 'count', undefined],
  ['twelve', 'count', undefined],
  ['In stock', 'boolean', { value: true }],
  ['Ausverkauft', 'boolean', { value: false }],
  ['../a?b=1', 'url', { url: 'https://x.test/a?b=1' }],
  ['not a date', 'date', undefined],
  ['99.99.9999', 'date', undefined],
];

for (const [text, type, value] of others) {
  test(`reads ${JSON.stringify(text)} as ${value ? '' : 'no '}${type}`, () => {
    assert.deepEqual(readValue(text, type, 'https://x.test/c/d'), value && { type, ...value, raw: text });
  });
}

test('types a field only when nine in ten of its values agree', () => {
  assert.equal(typeOfTexts(['$1', '$2', '$3', '$4', '$5', '$6', '$7', '$8', '$9', 'free']), 'price');
  assert.equal(typeOfTexts(['$1', '$2', 'free']), 'text');
  assert.equal(typeOfTexts(['3 days ago', 'Mar 5, 2026']), 'date');
  assert.equal(typeOfTexts([]), 'text');
});
