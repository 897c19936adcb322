import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { dataFileName, safeContentType, safeFileName } from './name.ts';
import { allowsRange, parseRange } from './range.ts';

const NAMES: readonly (readonly [name: string | undefined, shown: string])[] = [
  ['report.pdf', 'report.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['/etc/passwd', 'passwd'],
  ['C:\\Windows\\system.ini', 'system.ini'],
  ['a\0.txt', 'txt'],
  ['con', '_con'],
  ['NUL.txt', '_NUL.txt'],
  [`${'x'.repeat(300)}.csv`, `${'x'.repeat(196)}.csv`],
  ['gpj\u202egnp.exe', 'gpjgnp.exe'],
  ['.', 'file'],
  ['..', 'file'],
  ['', 'file'],
  [undefined, 'file'],
  ['.bashrc', 'bashrc'],
  ['a\r\nSet-Cookie: x', 'aSet-Cookie_ x'],
  ['\u0444\u0430\u0439\u043b \u{1f4c4}.txt', '\u0444\u0430\u0439\u043b \u{1f4c4}.txt'],
  ['<img onerror=x>.png', '_img onerror=x_.png'],
];

suite('names of uploads', () => {
  for (const [name, shown] of NAMES)
    test(`F52 shows ${JSON.stringify(name?.slice(0, 30))} as ${JSON.stringify(shown.slice(0, 30))}`, () =>
      assert.equal(safeFileName(name), shown));

  for (const [name, shown] of [
    ['shop.example/sale/', 'shop.example-sale.csv'],
    ['127.0.0.1:8080/docs', '127.0.0.1_8080-docs.csv'],
    ['..', 'file.csv'],
    ['日本', '日本.csv'],
  ] as const)
    test(`names the file of the dataset ${JSON.stringify(name)} ${shown}`, () => assert.equal(dataFileName(name, 'csv'), shown));

  for (const [type, shown] of [
    ['text/csv; charset=utf-8', 'text/csv'],
    ['IMAGE/PNG', 'image/png'],
    ['text/html\r\nx: y', 'application/octet-stream'],
    ['nonsense', 'application/octet-stream'],
    [undefined, 'application/octet-stream'],
  ] as const)
    test(`F56 takes ${JSON.stringify(type)} as ${shown}`, () => assert.equal(safeContentType(type), shown));
});

suite('ranges', () => {
  for (const [header, wanted] of [
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=2-', { start: 2, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-99', { start: 0, end: 9 }],
    ['bytes=5-99', { start: 5, end: 9 }],
    ['Bytes = 1 - 2', { start: 1, end: 2 }],
    ['bytes=10-', 'beyond'],
    ['bytes=-0', 'beyond'],
    ['bytes=0-1,3-4', 'whole'],
    ['bytes=4-2', 'whole'],
    ['bytes=-', 'whole'],
    ['lines=0-1', 'whole'],
    ['bytes=0x1-2', 'whole'],
    [undefined, 'whole'],
  ] as const)
    test(`F55 reads ${header} of ten bytes`, () => assert.deepEqual(parseRange(header, 10), wanted));

  test('F55 finds no range in an empty file', () => assert.equal(parseRange('bytes=0-', 0), 'beyond'));
  test('F55 takes If-Range only with the very tag', () =>
    assert.deepEqual(
      [undefined, '"a"', 'W/"a"', '"b"', 'Fri, 20 Nov 2026 00:00:00 GMT'].map((value) => allowsRange(value, '"a"')),
      [true, true, false, false, false],
    ));
});
