import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FileMemory } from './file-memory.ts';

const at = (path: string) => `https://shop.test${path}`;

function memoryOf(files: readonly string[], pages: readonly string[] = []): FileMemory {
  const memory = new FileMemory();
  for (const path of pages) memory.observe(at(path), true);
  for (const path of files) memory.observe(at(path), false);
  return memory;
}

test('takes the rest of a folder for files after three that were none of them a page', () => {
  const memory = memoryOf(['/pool/a.deb', '/pool/b.deb']);
  assert.equal(memory.find(at('/pool/z.deb')), undefined);
  memory.observe(at('/pool/c.deb'), false);
  assert.equal(memory.find(at('/pool/z.deb')), '.deb: 3 of 3 below /pool/ were no pages');
  assert.equal(memory.find(at('/pool/z.dsc')), undefined);
  assert.equal(memory.find(at('/other/z.deb')), undefined);
  assert.equal(memory.find('https://other.test/pool/z.deb'), undefined);
});

test('takes a tree of folders for one of files after three folders that had any', () => {
  const memory = memoryOf(['/up/2024/05/a.jpg', '/up/2024/06/a.jpg', '/up/2024/07/a.jpg']);
  assert.match(memory.find(at('/up/2024/08/b.jpg')) ?? '', /below \/up\/2024\//);
  assert.equal(memory.find(at('/up/2023/01/b.jpg')), undefined);
});

test('asks for every address of a folder where one of the ending was a page, and learns nothing for the whole host', () => {
  const memory = memoryOf(['/wiki/Gone.js', '/wiki/a.js', '/wiki/b.js', '/wiki/c.js'], ['/wiki/Node.js']);
  assert.equal(memory.find(at('/wiki/Vue.js')), undefined);
  const folders = memoryOf(['/a/x.png', '/b/x.png', '/c/x.png', '/d/x.png', '/x.png']);
  assert.equal(folders.find(at('/wiki/File:X.png')), undefined);
  assert.equal(folders.find(at('/y.png')), undefined);
});

test('keeps a folder of pages beside one of files, as code browsers have them', () => {
  const raw = ['/me/it/raw/a.png', '/me/it/raw/b.png', '/me/it/raw/c.png', '/me/it/raw/deep/d.png'];
  const memory = memoryOf(raw, ['/me/it/blob/a.png']);
  assert.ok(memory.find(at('/me/it/raw/z.png')));
  assert.equal(memory.find(at('/me/it/blob/z.png')), undefined);
  assert.equal(memory.find(at('/me/it/tree/z.png')), undefined);
});

test('carries what was learnt over to another process', () => {
  const memory = memoryOf(['/pool/a.deb', '/pool/b.deb', '/pool/c.deb']);
  const restored = new FileMemory(JSON.parse(JSON.stringify(memory)));
  assert.equal(restored.find(at('/pool/z.deb')), memory.find(at('/pool/z.deb')));
});

test('takes new endings for files where five of several endings were, and lets one page speak for all', () => {
  const files = ['/pool/a.deb', '/pool/b.dsc', '/pool/c.gz', '/pool/in/d.png'];
  assert.equal(memoryOf(files).find(at('/pool/z.css')), undefined);
  assert.equal(memoryOf([...files, '/pool/e.xz']).find(at('/pool/z.css')), '.*: 5 of 5 below /pool/ were no pages');
  assert.equal(memoryOf([...files, '/pool/e.xz'], ['/pool/read.me']).find(at('/pool/z.css')), undefined);
});

test('doubts an ending until a page has it', () => {
  assert.notEqual(memoryOf([]).findDoubt(at('/wiki/Node.js')), undefined);
  assert.equal(memoryOf([], ['/wiki/Vue.js']).findDoubt(at('/wiki/Node.js')), undefined);
  assert.equal(memoryOf([]).findDoubt(at('/wiki/Node')), undefined);
});
