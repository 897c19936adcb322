import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyPatch } from 'diff';
import { array, assert as check, constantFrom, property } from 'fast-check';
import { unifiedDiff } from './unified.ts';

// GNU patch applies what is made here in tests/campaigns/diffs.ts.

const texts = array(constantFrom('a\n', 'b\n', 'c\r\n', '\n', '+d\n', '-e\n', '\\ f\n', 'g'), { maxLength: 30 }).map((lines) =>
  lines.join(''),
);

test('makes the new text of the old one', () => {
  check(
    property(texts, texts, constantFrom(0, 1, 3), (old, fresh, context) => {
      const { patch } = unifiedDiff(old, fresh, { context });
      assert.equal(applyPatch(old, patch, { autoConvertLineEndings: false }), fresh, patch);
    }),
    { numRuns: 300 },
  );
});

test('writes what `diff -u` writes', () => {
  const old = Array.from({ length: 20 }, (_, i) => `${i + 1}\n`);
  const fresh = old.with(1, 'two\n').with(8, 'nine\n').with(19, 'twenty');
  assert.equal(
    unifiedDiff(old.join(''), fresh.join(''), { oldName: 'monday', newName: 'tuesday noon' }).patch,
    [
      '--- monday',
      '+++ tuesday noon\t',
      '@@ -1,12 +1,12 @@',
      ' 1\n-2\n+two\n 3\n 4\n 5\n 6\n 7\n 8\n-9\n+nine\n 10\n 11\n 12',
      '@@ -17,4 +17,4 @@',
      ' 17\n 18\n 19\n-20\n+twenty\n\\ No newline at end of file\n',
    ].join('\n'),
  );
});

test('an empty side is line 0, one line stands without a count, and equal texts make no patch', () => {
  assert.match(unifiedDiff('', 'a\nb\n').patch, /^@@ -0,0 \+1,2 @@$/m);
  assert.match(unifiedDiff('a\n', '').patch, /^@@ -1 \+0,0 @@$/m);
  assert.equal(unifiedDiff('a', 'a').patch, '');
});

test('a name cannot break out of the head', () => {
  const { patch } = unifiedDiff('a\n', 'b\n', { oldName: 'x\n+++ y', newName: 'back\\slash "quoted"' });
  assert.deepEqual(patch.split('\n').slice(0, 2), ['--- "x\\n+++ y"', '+++ "back\\\\slash \\"quoted\\""']);
});
