// Generated pages as examples: other ones than those of the tests and of the completeness bench.
import { selectAll } from 'css-select';
import type { AnyNode } from 'domhandler';
import type { JudgedPage } from '../../../packages/engine/src/extract/main-content.ts';
import { pageHeadline } from '../../../packages/engine/src/extract/main-content.ts';
import { judgeBlocks } from '../../../packages/engine/src/extract/content/judge.ts';
import { outlineOf } from '../../../packages/engine/src/extract/content/outline.ts';
import { pageSignalsOf } from '../../../packages/engine/src/extract/content/features/page-signals.ts';
import { unitsOf } from '../../../packages/engine/src/extract/content/units.ts';
import { scorePageTypes } from '../../../packages/engine/src/extract/page-type.ts';
import { structuredPage } from '../../../packages/engine/src/extract/structured-pages.fixtures.ts';
import { parseTree } from '../../../packages/engine/src/html/tree.ts';

/** A generated page judged by the weights of the engine, which never learned from one. */
export interface GeneratedPage {
  readonly site: string;
  readonly page: JudgedPage;
  /** By block, 1 inside of the element that holds the content. */
  readonly labels: Float32Array;
}

const SEED = 31;

/** The first `count` pages whose content stands in `<main>` or `<article>`. */
export function generatedPages(count: number): readonly GeneratedPage[] {
  const pages: GeneratedPage[] = [];
  for (let number = 0; pages.length < count; number++) {
    const { html, url, isDeclared } = structuredPage(SEED, number);
    if (!isDeclared) continue;
    const tree = parseTree(html, url);
    const outline = outlineOf(tree);
    const signals = pageSignalsOf(tree, outline);
    const types = scorePageTypes(outline, signals);
    const units = unitsOf(outline);
    const content = new Set<AnyNode>(selectAll('main, article, [role=main]', tree.root.children));
    const labels = Float32Array.from(outline.blocks, ({ opening }) => (isBelowAny(opening, content) ? 1 : 0));
    const headline = pageHeadline(outline, signals);
    const page = { tree, outline, units, types, headline, probabilities: judgeBlocks(outline, units, signals, types) };
    pages.push({ site: `${number}.generated.invalid`, page, labels });
  }
  return pages;
}

function isBelowAny(start: AnyNode, elements: ReadonlySet<AnyNode>): boolean {
  for (let node: AnyNode | null = start; node; node = node.parent) if (elements.has(node)) return true;
  return false;
}
