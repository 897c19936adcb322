// Pages with known lists, for fitting and for measuring: the public result pages with tables made by hand, and pages whose own marks state their list.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyNode, Element } from 'domhandler';
import type { PageTree } from '../../../packages/engine/src/html/tree.ts';
import { parseTree } from '../../../packages/engine/src/html/tree.ts';
import { isParent } from '../../../packages/engine/src/html/walk.ts';
import { lineNodes } from '../../../packages/engine/src/records/survey/lines.ts';
import { visibleText } from '../../../packages/engine/src/records/survey/text.ts';
import { findDataset, hostKey } from '../dataset.ts';
import { type DeclaredList, declaredList, maskMarks, textsOfRows } from './masked.ts';
import { type Truth, decodePage, readTruth, scoreItems } from './score.ts';
import { loadRawPages } from '../raw-pages.ts';

/** How well a list is found: F1 of its rows. `lines` as in DomList. */
export type ListScorer = (nodes: readonly (readonly Element[])[], lines: boolean) => number;

/** One page with its list. */
export interface ListExample {
  /** What keeps a page and its likes in one fold: the folder of the site, or the host. */
  readonly site: string;
  readonly id: string;
  readonly truth: 'hand' | DeclaredList['by'];
  /** Without the marks that the truth was read from. Parsed anew at each call. */
  read(): { readonly tree: PageTree; readonly score: ListScorer };
}

/** Pages of these types are about one thing; a list on them is beside it. */
const SINGLE_TYPES = new Set(['article', 'product', 'service', 'documentation']);

/** The result pages with at least two rows of truth; empty where the data is absent. */
export function handExamples(): readonly ListExample[] {
  const folder = findDataset('lists');
  if (folder === undefined) return [];
  const sites = readdirSync(folder).flatMap((category) =>
    readdirSync(join(folder, category)).map((site) => ({ site, home: join(folder, category, site) })),
  );
  return sites.flatMap(({ site, home }) => readdirSync(home).flatMap((query) => handExample(site, join(home, query))));
}

function handExample(site: string, folder: string): ListExample[] {
  const truth = readTruth(decodePage(readFileSync(join(folder, 'data records.csv'))));
  const file = readdirSync(folder).find((name) => /\.(?:x?html?|xht)$/.test(name)) ?? '';
  const read = () => ({ tree: parseTree(decodePage(readFileSync(join(folder, file))), 'https://page.test/'), score: textScorer(truth) });
  return truth.length < 2 ? [] : [{ site, id: folder, truth: 'hand', read }];
}

/** The pages of the other sets that declare a list, at most PER_SITE_MAX of one host. */
export function maskedExamples(): readonly ListExample[] {
  const examples: ListExample[] = [];
  const perSite = new Map<string, number>();
  for (const page of loadRawPages()) {
    const site = hostKey(page.url);
    if ((page.type !== undefined && SINGLE_TYPES.has(page.type)) || (perSite.get(site) ?? 0) >= PER_SITE_MAX) continue;
    const read = () => {
      const tree = parseTree(page.html(), page.url);
      const list = declaredList(tree);
      maskMarks(tree);
      return { tree, list };
    };
    const { list } = read();
    if (!list) continue;
    perSite.set(site, (perSite.get(site) ?? 0) + 1);
    examples.push({
      site,
      id: `${page.set}/${page.id}`,
      truth: list.by,
      read: () => {
        const fresh = read();
        return { tree: fresh.tree, score: scorerOf(fresh.list as DeclaredList) };
      },
    });
  }
  return examples;
}

const PER_SITE_MAX = 3;

function scorerOf(list: DeclaredList): ListScorer {
  return list.whole ? textScorer(textsOfRows(list)) : linkScorer(list.rows);
}

function textScorer(truth: Truth): ListScorer {
  return (nodes, lines) => scoreItems(partsOf(nodes, lines).map(visibleText), truth).f1;
}

function partsOf(nodes: readonly (readonly Element[])[], lines: boolean): readonly (readonly AnyNode[])[] {
  return lines ? lineNodes(nodes.flat()) : nodes;
}

/** An item is right when it holds the link of one row, and of no other. */
function linkScorer(rows: readonly (readonly Element[])[]): ListScorer {
  const rowOf = new Map<AnyNode, number>(rows.flatMap((links, row) => links.map((link) => [link, row] as const)));
  return (nodes, lines) => {
    const parts = partsOf(nodes, lines);
    const found = new Set(parts.map((part) => onlyRow(part, rowOf)).filter((row) => row !== undefined));
    return (2 * found.size) / (parts.length + rows.length);
  };
}

function onlyRow(nodes: readonly AnyNode[], rowOf: ReadonlyMap<AnyNode, number>): number | undefined {
  const found = new Set<number>();
  const pending = [...nodes];
  for (let node = pending.pop(); node; node = pending.pop()) {
    const row = rowOf.get(node);
    if (row !== undefined) found.add(row);
    if (isParent(node)) pending.push(...node.children);
  }
  return found.size === 1 ? [...found][0] : undefined;
}
