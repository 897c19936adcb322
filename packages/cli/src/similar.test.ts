import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { similarWord } from './similar.ts';

suite('a word that is nearly a command', () => {
  const WORDS = ['list', 'show', 'create', 'edit', 'cancel', 'delete', 'status', 'run'];
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['stauts', 'status'],
    ['lsit', 'list'],
    ['shwo', 'show'],
    ['cancle', 'cancel'],
    ['status', 'status'],
    // Three slips from `create`, and another word for `edit`.
    ['update', 'edit'],
    ['remove', 'delete'],
    ['new', 'create'],
    ['get', 'show'],
    ['stop', 'cancel'],
    ['intranet', undefined],
    ['x', undefined],
    ['', undefined],
  ];
  for (const [typed, word] of cases) test(`"${typed}" is nearly ${word ?? 'none'}`, () => assert.equal(similarWord(typed, WORDS), word));
});
