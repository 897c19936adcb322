import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { areShapesAlike, shapeOfValue } from './shape.ts';
import type { ValueShape } from './shape.ts';

const SHAPES: readonly (readonly [string, ValueShape])[] = [
  ['', 'empty'],
  ['24,50 €', 'price'],
  ['$1,299.00', 'price'],
  ['2026-03-01', 'date'],
  ['4.5 out of 5', 'rating'],
  ['In stock', 'boolean'],
  ['(1,234)', 'count'],
  ['12.4 %', 'number'],
  ['v2.1.0', 'number'],
  ['-3 °C', 'number'],
  ['Kettle K2', 'words'],
  ['A kettle of steel for two litres, with a whistle.', 'text'],
];

describe('shapeOfValue', () => {
  for (const [raw, shape] of SHAPES) it(`takes "${raw}" for ${shape}`, () => assert.equal(shapeOfValue(raw), shape));
});

describe('areShapesAlike', () => {
  it('lets a state turn into words and a count into a number, and a price into nothing else', () => {
    assert.ok(areShapesAlike('boolean', 'words') && areShapesAlike('count', 'number') && areShapesAlike('words', 'text'));
    for (const other of ['words', 'count', 'number', 'date', 'empty'] as const) assert.equal(areShapesAlike('price', other), false, other);
  });
});
