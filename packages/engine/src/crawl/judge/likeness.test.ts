import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differingTexts, isAlike } from './likeness.ts';
import { scanLinks } from '../links/scan-links.ts';

const texts = (count: number, name: string) => Array.from({ length: count }, (_, i) => `<p>${name} ${i}</p>`).join('\n');
const sketchOf = (html: string) => scanLinks(new TextEncoder().encode(html), 'https://a.test/').sketch;

test('tells how many texts differ, wherever they stand and whatever stands around them', () => {
  const page = texts(200, 'line');
  for (const count of [0, 1, 2, 5, 10, 20, 40]) {
    const other = `${texts(count, 'new')}<div>${page}</div>`;
    const estimate = differingTexts(sketchOf(page), sketchOf(other));
    assert.ok(Math.abs(estimate - count) <= count * 0.25, `${count}: ${estimate}`);
  }
  assert.equal(differingTexts(sketchOf(page), sketchOf(texts(900, 'other'))), Infinity);
});

test('takes pages for one that differ by a line, and none that differ by what they are about', () => {
  const frame = texts(100, 'frame');
  const page = frame + texts(5, 'body');
  assert.equal(isAlike(sketchOf(page), sketchOf(`${page}<h3>Reply to Ann</h3><a>Cancel</a>`)), true);
  assert.equal(isAlike(sketchOf(page), sketchOf(frame + texts(5, 'another'))), false);
  assert.equal(isAlike(sketchOf('<p>a</p><p>b</p>'), sketchOf('<p>a</p><p>c</p>')), false);
});

test('finds no page alike to one without a sketch', () => {
  for (const other of ['', sketchOf('<p>a</p>'), 'x']) assert.equal(isAlike('', other), false);
});
