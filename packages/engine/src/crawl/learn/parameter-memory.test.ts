import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ParameterMemory } from './parameter-memory.ts';

const at = (path: string) => `https://app.test${path}`;

/** A memory that saw pages whose content is the number beside their address; pages with a known number are not kept. */
function seen(pages: readonly (readonly [path: string, content: string])[], memory = new ParameterMemory()): ParameterMemory {
  const contents = new Set<string>();
  for (const [path, content] of pages) {
    memory.observe({ url: at(path), contentHash: content, sketch: '', isKept: !contents.has(content) });
    contents.add(content);
  }
  return memory;
}

test('takes a value for none once three addresses of one action were the same with it and without', () => {
  const pairs = (count: number) =>
    Array.from({ length: count }, (_, i) => i).flatMap((i): [string, string][] => [
      [`/x.php?do=show&id=${i}`, `${i}`],
      [`/x.php?do=show&id=${i}&lang=en`, `${i}`],
    ]);
  const kept: [string, string] = ['/x.php?do=show&id=9', 'nine'];
  assert.equal(seen([...pairs(2), kept]).find(at('/x.php?do=show&id=9&lang=en')), undefined);
  const memory = seen([...pairs(3), kept]);
  assert.match(memory.find(at('/x.php?lang=en&id=9&do=show')) ?? '', /id=9 but for \?lang=en, which made no difference/);
  for (const path of ['/x.php?do=show&id=9&lang=de', '/x.php?do=show&id=10&lang=en', '/x.php?do=list&id=9&lang=en', '/x.php?do=show&id=9'])
    assert.equal(memory.find(at(path)), undefined, path);
});

test('knows the plain address of what was kept with the parameter first', () => {
  const memory = seen([
    ...[1, 2, 3].flatMap((i): [string, string][] => [
      [`/x.php?id=${i}&lang=en`, `${i}`],
      [`/x.php?id=${i}`, `${i}`],
    ]),
    ['/x.php?id=7&lang=en', 'seven'],
  ]);
  assert.notEqual(memory.find(at('/x.php?id=7')), undefined);
});

test('takes every value of a parameter for none after three values, and no number of a page', () => {
  const of = (name: string) =>
    [1, 2, 3].flatMap((i): [string, string][] => [
      [`/things/${i}`, `${i}`],
      [`/things/${i}?${name}=${i + 4}`, `${i}`],
    ]);
  const kept: [string, string] = ['/things/9', 'nine'];
  assert.notEqual(seen([...of('from'), kept]).find(at('/things/9?from=12')), undefined);
  assert.equal(seen([...of('page'), kept]).find(at('/things/9?page=2')), undefined);
  assert.equal(seen([...of('from'), kept]).find(at('/people/9?from=12')), undefined);
});

test('takes every word of a parameter for none where five were at one address, and numbers never', () => {
  const of = (values: readonly string[]) => values.map((value): [string, string] => [`/list?jump=${value}`, 'list']);
  const words = ['news', 'wiki', 'files', 'home', 'forum'];
  assert.equal(seen([['/list', 'list'], ...of(words.slice(1))]).find(at('/list?jump=gantt')), undefined);
  const memory = seen([['/list', 'list'], ...of(words)]);
  assert.notEqual(memory.find(at('/list?jump=gantt')), undefined);
  assert.equal(memory.find(at('/list?jump=77')), undefined);
  assert.equal(seen([['/list', 'list'], ...of(['1', '2', '3', '4', '5', '6'])]).find(at('/list?jump=7')), undefined);
});

test('never believes a parameter that changed one page', () => {
  const pages = [1, 2, 3, 4].flatMap((i): [string, string][] => [
    [`/things/${i}`, `${i}`],
    [`/things/${i}?tab=all`, i === 2 ? 'other' : `${i}`],
  ]);
  assert.equal(seen([...pages, ['/things/9', 'nine']]).find(at('/things/9?tab=all')), undefined);
});

test('says of a whole host only what several folders showed', () => {
  const folders = (count: number) =>
    Array.from({ length: 6 }, (_, i) => `/${'abcdef'[i % count] ?? ''}/${i}`).flatMap((path): [string, string][] => [
      [path, path],
      [`${path}?ref=top`, path],
    ]);
  const kept: [string, string] = ['/new/9', 'nine'];
  assert.notEqual(seen([...folders(3), kept]).find(at('/new/9?ref=top')), undefined);
  assert.equal(seen([...folders(2), kept]).find(at('/new/9?ref=top')), undefined);
});

test('knows after a restart what it knew before', () => {
  const pairs = [1, 2, 3].flatMap((i): [string, string][] => [
    [`/things/${i}`, `${i}`],
    [`/things/${i}?tab=all`, `${i}`],
  ]);
  const saved = JSON.parse(JSON.stringify(seen(pairs))) as ReturnType<ParameterMemory['toJSON']>;
  const restored = seen([['/things/9', 'nine']], new ParameterMemory(saved));
  assert.notEqual(restored.find(at('/things/9?tab=all')), undefined);
});

test('knows a plain address whose page was kept with a parameter that makes no difference', () => {
  const pairs = [1, 2, 3].flatMap((i): [string, string][] => [
    [`/topics/${i}?r=${i + 10}`, `${i}`],
    [`/topics/${i}`, `${i}`],
  ]);
  const memory = seen([...pairs, ['/topics/9?r=19', 'nine']]);
  assert.match(memory.find(at('/topics/9')) ?? '', /\/topics\/9\?r=19 but for \?r=19/);
  assert.equal(memory.find(at('/topics/8')), undefined);
});

test('takes every word of a parameter for none where the plain address was never asked for', () => {
  const words = ['news', 'wiki', 'files', 'home', 'forum'];
  const of = (count: number) => seen(words.slice(0, count).map((value): [string, string] => [`/list?jump=${value}`, 'list']));
  assert.equal(of(4).find(at('/list?jump=gantt')), undefined);
  assert.match(of(5).find(at('/list?jump=gantt')) ?? '', /jump=news but for/);
  assert.equal(seen([['/list?jump=wiki', 'wiki']], of(5)).find(at('/list?jump=gantt')), undefined);
});

const COMMIT = 'dca1892b3adf68cc9c0e296c7d3b5eed9e0da76d';
const named = (count: number): [string, string][] =>
  ['log', 'tree', 'commit'].slice(0, count).flatMap((action): [string, string][] => [
    [`/?a=${action};h=${COMMIT}`, action],
    [`/?a=${action};h=HEAD`, action],
  ]);

test('takes a word for the digest that it names, wherever either stands, after three addresses', () => {
  const kept: [string, string] = [`/?a=blob;f=main.c;hb=${COMMIT}`, 'main'];
  assert.equal(seen([...named(2), kept]).find(at('/?a=blob;f=main.c;hb=HEAD')), undefined);
  const memory = seen([...named(3), kept]);
  assert.match(memory.find(at('/?a=blob;f=main.c;hb=HEAD')) ?? '', /but for \?hb=HEAD/);
  for (const path of ['/?a=blob;f=main.c;hb=next', '/?a=blob;f=other.c;hb=HEAD']) assert.equal(memory.find(at(path)), undefined, path);
});

test('believes no name that stood for something else once, and no two words or numbers', () => {
  const kept: [string, string] = [`/?a=blob;f=main.c;hb=${COMMIT}`, 'main'];
  const refuting: [string, string][] = [
    [`/?a=patch;h=${COMMIT}`, 'patch'],
    ['/?a=patch;h=HEAD', 'another'],
  ];
  assert.equal(seen([...named(3), ...refuting, kept]).find(at('/?a=blob;f=main.c;hb=HEAD')), undefined);
  const numbers = ['log', 'tree', 'commit'].flatMap((action): [string, string][] => [
    [`/?a=${action};id=5`, action],
    [`/?a=${action};id=7`, action],
  ]);
  assert.equal(seen([...numbers, ['/?a=blob;item=5', 'blob']]).find(at('/?a=blob;item=7')), undefined);
});

test('leaves in what makes a difference once another parameter is gone', () => {
  const blob = (file: number, hash: string) => `/?a=blob;f=${file};h=${hash};hb=c1a0000000`;
  // Beside `hb` the digest `h` says nothing new, and beside `h` neither does `hb`; without both, an old file would be the new one.
  const pages = [1, 2, 3].flatMap((i): [string, string][] => [
    [blob(i, `aa${i}0000000`), `${i}`],
    [`/?a=blob;f=${i};hb=c1a0000000`, `${i}`],
    [`/?a=blob;f=${i};h=aa${i}0000000`, `${i}`],
  ]);
  const memory = seen([...pages, ['/?a=blob;f=9;h=aa90000000', 'nine']]);
  assert.notEqual(memory.find(at(blob(9, 'aa90000000'))), undefined);
  assert.equal(memory.find(at(blob(9, 'bb90000000'))), undefined);
});

test('keeps names of digests over a restart', () => {
  const saved = JSON.parse(JSON.stringify(seen(named(3)))) as ReturnType<ParameterMemory['toJSON']>;
  const restored = seen([[`/?a=blob;f=main.c;hb=${COMMIT}`, 'main']], new ParameterMemory(saved));
  assert.notEqual(restored.find(at('/?a=blob;f=main.c;hb=HEAD')), undefined);
});
