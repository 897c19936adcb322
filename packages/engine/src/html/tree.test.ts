import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnyNode } from 'domhandler';
import { TREE_DEPTH_MAX, parseTree } from './tree.ts';

test('resolves against <base href> and ignores one that is not http', () => {
  assert.equal(parseTree('<base href="/a/">', 'https://x.test/q').baseUrl, 'https://x.test/a/');
  assert.equal(parseTree('<p>x<base href="/a/"><base href="/b/">', 'https://x.test/q').baseUrl, 'https://x.test/a/');
  assert.equal(parseTree('<base href="javascript:1">', 'https://x.test/q').baseUrl, 'https://x.test/q');
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
