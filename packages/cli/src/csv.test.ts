import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { csv } from './csv.ts';

suite('comma-separated values', () => {
  const cases: readonly (readonly [string, unknown, string])[] = [
    ['a text', 'tea', 'tea'],
    ['nothing', undefined, ''],
    ['a number below zero', -5, '-5'],
    ['a comma', 'a,b', '"a,b"'],
    ['quotes and lines', 'a "b"\nc', '"a ""b""\nc"'],
    ['an object', { a: 1 }, '"{""a"":1}"'],
    ['a formula', '=1+1', "'=1+1"],
    ['a text that begins with a dash', '-5 %', "'-5 %"],
  ];
  for (const [name, value, cell] of cases) test(name, () => assert.equal(csv(['x', 'y'], [[value, 1]]), `x,y\r\n${cell},1\r\n`));
});
