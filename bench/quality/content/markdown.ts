// Measures HTML to Markdown: pages per CPU second of ours beside turndown and mdream, from bytes and from the parsed tree.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import TurndownService from 'turndown';
import { footnotesOf } from '../../../packages/engine/src/extract/footnotes.ts';
import { furnitureOf } from '../../../packages/engine/src/extract/furniture.ts';
import { toMarkdown } from '../../../packages/engine/src/extract/markdown/markdown.ts';
import { parseTree } from '../../../packages/engine/src/html/tree.ts';
import type { PageTree } from '../../../packages/engine/src/html/tree.ts';
import { findDataset, isSampled } from '../dataset.ts';

export interface MarkdownSpeed {
  readonly pages: number;
  readonly megabytes: number;
  /** Pages per CPU second of the whole process. */
  readonly fromBytes: { readonly ours: number; readonly turndown: number; readonly mdream: number | undefined };
  readonly fromTree: { readonly ours: number; readonly turndown: number };
  /** Ours divided by turndown's. */
  readonly ratioFromBytes: number;
  readonly ratioFromTree: number;
}

const BASE_URL = 'https://page.test/';
/** Each side warms up on this many pages, so that compilation is not part of what is measured. */
const WARM_PAGES = 60;
/** So few trees are held at a time that collecting them costs both sides little. */
const BATCH_PAGES = 10;

/** Speeds on the public pages: the fixed sample, or all of them when `full`; undefined where the data is absent. */
export async function measureMarkdown(options: { readonly full: boolean }): Promise<MarkdownSpeed | undefined> {
  const pages = readPages(options.full);
  if (pages.length === 0) return undefined;
  const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
  turndown.use(turndownGfm());
  const domino = findDomino();
  const mdream = await findMdream();
  const asIs = (html: string): string => html;
  const fromTree = {
    ours: pagesPerSecond(pages, (html) => parseTree(html, BASE_URL), ours),
    turndown: pagesPerSecond(
      pages,
      (html) => domino.createDocument(html).body,
      (body) => turndown.turndown(body),
    ),
  };
  const fromBytes = {
    ours: pagesPerSecond(pages, asIs, (html) => ours(parseTree(html, BASE_URL))),
    turndown: pagesPerSecond(pages, asIs, (html) => turndown.turndown(html)),
    mdream: mdream && pagesPerSecond(pages, asIs, (html) => mdream.htmlToMarkdown(html, { origin: BASE_URL })),
  };
  return {
    pages: pages.length,
    megabytes: pages.reduce((sum, html) => sum + html.length, 0) / 1e6,
    fromBytes,
    fromTree,
    ratioFromBytes: fromBytes.ours / fromBytes.turndown,
    ratioFromTree: fromTree.ours / fromTree.turndown,
  };
}

/** The whole page as the Markdown view writes it. */
function ours(tree: PageTree): string {
  return toMarkdown([tree.body], { baseUrl: tree.baseUrl, excluded: furnitureOf(tree).nodes, notes: footnotesOf(tree) });
}

/** The plugin ships without types. */
function turndownGfm(): TurndownService.Plugin {
  const plugin: { readonly gfm: TurndownService.Plugin } = createRequire(import.meta.url)('@joplin/turndown-plugin-gfm');
  return plugin.gfm;
}

/** mdream is native; undefined where its binary was not installed. */
async function findMdream(): Promise<typeof import('mdream') | undefined> {
  try {
    return await import('mdream');
  } catch {
    return undefined;
  }
}

function readPages(full: boolean): string[] {
  const pages: string[] = [];
  for (const [set, folder] of [
    ['pages', 'dev/html'],
    ['articles', 'html'],
  ] as const) {
    const home = findDataset(set);
    const path = home && join(home, folder);
    if (!path || !existsSync(path)) continue;
    for (const name of readdirSync(path).toSorted()) {
      if (!full && !isSampled(name)) continue;
      const bytes = readFileSync(join(path, name));
      pages.push((name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'));
    }
  }
  return pages;
}

/** The DOM that turndown parses with itself, its fastest; it comes with turndown. */
interface Domino {
  createDocument(html: string): { readonly body: TurndownService.Node };
}

function findDomino(): Domino {
  const domino: Domino = createRequire(createRequire(import.meta.url).resolve('turndown'))('@mixmark-io/domino');
  return domino;
}

/**
 * Pages per CPU second of `convert` alone. Each input is converted once before, unmeasured: in the engine other views have read the
 * tree already, so that its text is flat and in the cache. Pages that `convert` throws on are left out.
 */
function pagesPerSecond<Input>(pages: readonly string[], prepare: (html: string) => Input, convert: (input: Input) => string): number {
  for (const html of pages.slice(0, WARM_PAGES)) succeeds(convert, prepare(html));
  let micros = 0;
  let converted = 0;
  for (let from = 0; from < pages.length; from += BATCH_PAGES) {
    const inputs = pages
      .slice(from, from + BATCH_PAGES)
      .map(prepare)
      .filter((input) => succeeds(convert, input));
    const before = process.cpuUsage();
    for (const input of inputs) convert(input);
    const { user, system } = process.cpuUsage(before);
    micros += user + system;
    converted += inputs.length;
  }
  return converted / (micros / 1e6);
}

function succeeds<Input>(convert: (input: Input) => string, input: Input): boolean {
  try {
    convert(input);
    return true;
  } catch {
    return false;
  }
}

if (import.meta.main) console.log(await measureMarkdown({ full: process.argv.includes('--full') }));
