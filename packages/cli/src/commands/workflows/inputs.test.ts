import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { checkInputs, inputsOf, runLine } from './inputs.ts';

const inputs = {
  type: 'object',
  properties: { page: { type: 'string' }, count: { type: 'integer' }, lang: { type: 'string', default: 'en' } },
  required: ['page', 'count', 'lang'],
};
const chapters = { name: 'Chapters', slug: 'chapters', inputs };

suite('inputs of a run as they are typed', () => {
  test('a number is one where the workflow takes one, and stays text elsewhere', () =>
    assert.deepEqual(inputsOf('page=12\ncount=12', chapters), { page: '12', count: 12 }));

  test('one that is missing is named, with the command that gives it', () =>
    assert.throws(() => checkInputs({ page: 'a.html' }, chapters), {
      message: 'Chapters needs the input count; give it with -i.',
      exitCode: 2,
      next: ['weft run chapters -i page=... -i count=...'],
    }));

  test('a command to run it has what it needs', () => {
    assert.equal(runLine(chapters), 'weft run chapters -i page=... -i count=...');
    assert.equal(runLine({ slug: 'plain' }), 'weft run plain');
  });
});
