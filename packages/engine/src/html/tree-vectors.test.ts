// The tree construction tests of html5lib, where they are there (F40); a browser builds the same trees.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { dumpTree } from './tree-dump.fixtures.ts';
import { parseTree } from './tree.ts';

const FOLDER = join(tmpdir(), 'weft-data', 'corpora', 'html5lib', 'tree-construction');

interface Vector {
  readonly number: number;
  readonly html: string;
  readonly tree: string;
}

/** Vectors of a `<select>` that holds more than options, which the HTML Standard allows since 2025 and browsers build only of late. */
const DIFFERENT: Readonly<Record<string, readonly number[]>> = {
  'menuitem-element.dat': [14],
  'tests1.dat': [30, 100],
  'tests10.dat': [4, 5, 17, 18],
  'tests18.dat': [14, 15],
  'tests7.dat': [34],
  'tests9.dat': [5, 6, 18, 19],
  'webkit02.dat': [36, 38, 39, 40, 41, 42, 43, 45, 46, 47, 48],
};

/** Whole documents without scripting; fragments are never parsed here. */
function vectorsOf(file: string): readonly Vector[] {
  const text = readFileSync(join(FOLDER, file), 'utf8');
  return text.split(/(?:^|\n\n)#data\n/).flatMap((block, i) => {
    const parts = /^([^]*?)\n?#errors\n([^]*?)\n?#document\n([^]*?)\n*$/.exec(block);
    if (!parts || /#(?:document-fragment|script-on)/.test(parts[2] ?? '')) return [];
    return [{ number: i, html: parts[1] ?? '', tree: parts[3] ?? '' }];
  });
}

describe('html5lib tree construction', { skip: !existsSync(FOLDER) }, () => {
  const files = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith('.dat')) : [];
  for (const file of files)
    it(`builds every tree of ${file}`, () => {
      for (const { number, html, tree } of vectorsOf(file)) {
        const built = dumpTree(parseTree(html, 'https://x.test/').root);
        if (DIFFERENT[file]?.includes(number)) assert.notEqual(built, tree, `number ${number} is no longer different`);
        else assert.equal(built, tree, `number ${number}`);
      }
    });
});
