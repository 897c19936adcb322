import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DiffLine, DiffRow } from '@weft/contract';
import { array, assert as check, constantFrom, property } from 'fast-check';
import { sideBySide } from './side-by-side.ts';

const textOf = ({ parts }: DiffLine) => parts.map(({ text }) => text).join('');
const cell = (line: DiffLine) => `${line.line} ${line.parts.map(({ kind, text }) => (kind === 'same' ? text : `[${text}]`)).join('')}`;
const shown = (rows: readonly DiffRow[]) =>
  rows.map((row) =>
    row.kind === 'skipped' ? `… ${row.count}` : `${'old' in row ? cell(row.old) : ''} | ${'new' in row ? cell(row.new) : ''}`,
  );

test('puts lines that are alike beside each other and marks the words that differ', () => {
  const old = 'Shelf\nKowari 10 EUR in stock\nMulgara 20 EUR\nend\n';
  const fresh = 'Shelf\nQuoll 5 EUR here now\nKowari 12 EUR in stock\nend\n';
  assert.deepEqual(shown(sideBySide(old, fresh).rows), [
    '1 Shelf | 1 Shelf',
    ' | 2 Quoll 5 EUR here now',
    '2 Kowari [10] EUR in stock | 3 Kowari [12] EUR in stock',
    '3 Mulgara 20 EUR | ',
    '4 end | 4 end',
  ]);
});

test('leaves out equal lines that are further from a change than asked for', () => {
  const old = Array.from({ length: 12 }, (_, i) => `${i + 1}\n`);
  const fresh = old.with(0, 'one\n').with(11, 'twelve\n');
  const { rows } = sideBySide(old.join(''), fresh.join(''), { context: 2 });
  assert.deepEqual(shown(rows), [
    '1 1 | ',
    ' | 1 one',
    '2 2 | 2 2',
    '3 3 | 3 3',
    '… 6',
    '10 10 | 10 10',
    '11 11 | 11 11',
    '12 12 | ',
    ' | 12 twelve',
  ]);
});

test('has every line of both texts once, in order', () => {
  const texts = array(constantFrom('a b c\n', 'a b d\n', 'x y\n', 'x z\n', '\n', 'q'), { maxLength: 20 }).map((lines) => lines.join(''));
  check(
    property(texts, texts, (old, fresh) => {
      const { rows } = sideBySide(old, fresh);
      const lines = (text: string) => (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => line.replace(/\n$/, ''));
      assert.deepEqual(
        rows.flatMap((row) => ('old' in row ? [textOf(row.old)] : [])),
        lines(old),
      );
      assert.deepEqual(
        rows.flatMap((row) => ('new' in row ? [textOf(row.new)] : [])),
        lines(fresh),
      );
      rows.forEach((row) => row.kind === 'same' && assert.equal(textOf(row.old), textOf(row.new)));
    }),
  );
});

test('a block of thousands of lines is paired from the top', () => {
  const [old, fresh] = ['old', 'new'].map((side) => Array.from({ length: 500 }, (_, i) => `the ${side} text ${i}\n`).join(''));
  assert.ok(sideBySide(old ?? '', fresh ?? '').rows.every(({ kind }) => kind === 'changed'));
});
