import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TREE_CASES } from './tree-cases.fixtures.ts';
import { shortTree } from './tree-dump.fixtures.ts';
import { parseTree } from './tree.ts';

for (const [kind, cases] of Object.entries(TREE_CASES))
  describe(`the tree of ${kind}`, () => {
    for (const [html, tree] of cases)
      it(`${JSON.stringify(html)} is ${tree}`, () => assert.equal(shortTree(parseTree(html, 'https://x.test/').root), tree));
  });
