import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeAt } from './totp.ts';

// RFC 6238, appendix B, SHA-1: the last six of its eight digits; the seed is its ASCII text in base32.
const SEED = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
for (const [seconds, code] of [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
] as const)
  test(`the code at ${seconds} s is ${code}`, () => assert.equal(codeAt(SEED, seconds * 1000), code));
