import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnyNode, Element } from 'domhandler';
import { TREE_DEPTH_MAX, parseTree } from './tree.ts';

test('resolves against <base href> and ignores one that is not http', () => {
  assert.equal(parseTree('<base href="/a/">', 'https://x.test/q').baseUrl, 'https://x.test/a/');
  assert.equal(parseTree('<p>x<base href="/a/"><base href="/b/">', 'https://x.test/q').baseUrl, 'https://x.test/a/');
  assert.equal(parseTree('<base href="javascript:1">', 'https://x.test/q').baseUrl, 'https://x.test/q');
});

test('keeps attributes whatever their names, and finds none that the page does not have', () => {
  const [element] = parseTree('<p constructor=a __proto__=b class=c>', 'https://x.test/').body.children as [Element];
  assert.deepEqual(Object.entries(element.attribs), [
    ['constructor', 'a'],
    ['__proto__', 'b'],
    ['class', 'c'],
  ]);
  const [bare] = parseTree('<p>', 'https://x.test/').body.children as [Element];
  assert.deepEqual(
    ['constructor', '__proto__', 'toString', 'valueOf'].filter((name) => name in bare.attribs),
    [],
  );
});

test('a second <body> adds the attributes that the first one lacks', () => {
  assert.deepEqual({ ...parseTree('<body class=a><p><body class=b id=c>', 'https://x.test/').body.attribs }, { class: 'a', id: 'c' });
});

test('flattens 50,000 nested divs to the depth cap and keeps their text', () => {
  const tree = parseTree(`${'<div>'.repeat(50_000)}deep`, 'https://x.test/');
  let depth = 0;
  let text = '';
  const pending: { node: AnyNode; depth: number }[] = [{ node: tree.root, depth: 0 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    depth = Math.max(depth, next.depth);
    if (next.node.type === 'text') text += next.node.data;
    if ('children' in next.node) for (const node of next.node.children) pending.push({ node, depth: next.depth + 1 });
  }
  assert.ok(depth <= TREE_DEPTH_MAX + 1, `depth ${depth}`);
  assert.equal(text, 'deep');
});
