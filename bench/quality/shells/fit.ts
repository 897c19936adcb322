// Fits the trees by which a shell is told from a page, says how they do on sites that they have not seen, and writes them into the engine.
// Run: node bench/quality/shells/fit.ts   (about three minutes)
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { AnyNode, Element } from 'domhandler';
import { isTag, isText } from 'domhandler';
import { isPlainPage } from '../../../packages/engine/src/html/signs/plain-page.ts';
import { readShellSigns } from '../../../packages/engine/src/html/signs/shell-signs.ts';
import type { ShellSigns } from '../../../packages/engine/src/html/signs/shell-signs.ts';
import type { PageTree } from '../../../packages/engine/src/html/tree.ts';
import { parseTree } from '../../../packages/engine/src/html/tree.ts';
import { SHELL_FEATURES, isShell, shellFeatures } from '../../../packages/engine/src/lane/shell.ts';
import { compileModel } from '../../../packages/engine/src/extract/content/trees.ts';
import type { TreeModel } from '../../../packages/engine/src/extract/content/trees.ts';
import { boost } from '../boosting.ts';
import type { BoostOptions } from '../boosting.ts';
import type { LabelledPage } from '../content/pages.ts';
import { readManuals } from '../content/manuals.ts';
import { decodePage, loadPages } from '../content/pages.ts';
import { findDataset, hostKey } from '../dataset.ts';
import { makePages } from './shell-pages.ts';

/** Where examples come from; each kind weighs the same, however many there are. */
type Kind = 'public page' | 'public page without its content' | 'manual page' | 'made page' | 'made shell';

interface Example {
  readonly kind: Kind;
  readonly site: string;
  readonly signs: ShellSigns;
}

const FOLDS = 5;
const MADE_SITES = 1_500;
const OPTIONS: BoostOptions = { trees: 40, leaves: 6, rate: 0.15, leafWeightMin: 40, lambda: 20, rowShare: 0.7, featureShare: 0.5 };
/** Above this a page is kept without a closer look, and what it lacks is a part of it. */
const FRAME_CHARACTERS = 1_500;
const TRUTH_SHARE_MIN = 0.5;
/** Of each manual: their short pages are indexes and lists of links, which the public sets have few of. */
const MANUAL_PAGES_MAX = 400;
const OTHER_SETS = ['forms', 'products', 'lists', 'paging'] as const;

const isTruly = (kind: Kind) => kind === 'made shell' || kind === 'public page without its content';

/** Pages of the public sets that a closer look is taken at, and how many there are in all. */
function publicExamples(): { readonly examples: readonly Example[]; readonly count: number } {
  const labelled = [...loadPages('pages'), ...loadPages('articles')];
  const read = labelled.flatMap((page) => examplesOf(page));
  const others = OTHER_SETS.flatMap((name) => {
    const folder = findDataset(name);
    return folder === undefined ? [] : htmlFiles(folder).map((path) => ({ path, name }));
  });
  const unlabelled = others.flatMap(({ path, name }) => {
    const html = readFileSync(path, 'utf8');
    return isLookedAt(html)
      ? exampleOf('public page', `${name}:${path.split('/').at(-2)}${path.split('/').at(-1)}`, parseTree(html, 'https://x.invalid/'))
      : [];
  });
  return { examples: [...read, ...unlabelled], count: labelled.length + others.length };
}

/** Short pages of manuals, each manual a site of its own. */
function manualExamples(): readonly Example[] {
  return readManuals(MANUAL_PAGES_MAX).flatMap((page) => {
    const html = decodePage(page.bytes());
    return isLookedAt(html) ? exampleOf('manual page', hostKey(page.url), parseTree(html, page.url)) : [];
  });
}

function examplesOf(page: LabelledPage): readonly Example[] {
  const html = decodePage(page.bytes());
  const site = hostKey(page.url);
  const truth = wordsOf(page.truth);
  const whole = parseTree(html, page.url);
  const present = new Set(wordsOf(textOf(whole.body)));
  // A page without its truth in it is a shell or a wall: it teaches neither.
  if (truth.length < 20 || truth.filter((word) => present.has(word)).length < truth.length * TRUTH_SHARE_MIN) return [];
  const pages = isLookedAt(html) ? exampleOf('public page', site, whole) : [];
  return [...pages, ...(emptied(whole.body, new Set(truth)) ? exampleOf('public page without its content', site, whole) : [])];
}

function isLookedAt(html: string): boolean {
  return (
    /<script\b/i.test(html) &&
    !isPlainPage({ status: 200, contentType: 'text/html; charset=utf-8', headers: [], body: new TextEncoder().encode(html) })
  );
}

function exampleOf(kind: Kind, site: string, tree: PageTree): readonly Example[] {
  const signs = readShellSigns(tree);
  const isShort = signs.characters + signs.frameCharacters <= FRAME_CHARACTERS;
  return isShort && signs.scripts > 0 ? [{ kind, site, signs }] : [];
}

/** Empties the smallest element that holds four fifths of the words of `truth`; false where that is the whole body. */
function emptied(body: Element, truth: ReadonlySet<string>): boolean {
  const held = (element: Element) => new Set(wordsOf(textOf(element)).filter((word) => truth.has(word))).size;
  let place = body;
  for (;;) {
    const inner = place.children.filter(isTag).find((child) => held(child) >= truth.size * 0.8);
    if (!inner) break;
    place = inner;
  }
  place.children = place.children.filter((child) => isTag(child) && child.name === 'script');
  return place !== body;
}

function textOf(node: AnyNode): string {
  if (isText(node)) return node.data;
  if (!('children' in node) || (isTag(node) && (node.name === 'script' || node.name === 'style'))) return '';
  return node.children.map(textOf).join(' ');
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function htmlFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.html?$/.test(name))
    .map((name) => join(folder, name));
}

/** Every kind weighs the same. */
function fit(examples: readonly Example[]): TreeModel {
  const sizes = new Map<Kind, number>();
  for (const { kind } of examples) sizes.set(kind, (sizes.get(kind) ?? 0) + 1);
  const weights = examples.map(({ kind }) => examples.length / sizes.size / (sizes.get(kind) ?? 1));
  const samples = {
    rows: examples.map(({ signs }) => shellFeatures(signs)),
    labels: Float32Array.from(examples, ({ kind }) => Number(isTruly(kind))),
    weights: Float32Array.from(weights),
  };
  return boost(samples, SHELL_FEATURES, OPTIONS);
}

function foldOf(site: string): number {
  return createHash('sha256').update(`fold:${site}`).digest().readUInt32BE(0) % FOLDS;
}

const fromPublic = publicExamples();
const made = makePages(MADE_SITES, 20_260_101).flatMap(({ site, isShell: is, html }) =>
  exampleOf(is ? 'made shell' : 'made page', site, parseTree(html, 'https://x.invalid/')),
);
const examples = [...fromPublic.examples, ...manualExamples(), ...made];
const said = new Map<Kind, { right: number; wrong: number; shares: number[] }>();
for (let fold = 0; fold < FOLDS; fold++) {
  const model = compileModel(fit(examples.filter(({ site }) => foldOf(site) !== fold)), SHELL_FEATURES);
  for (const kind of new Set(examples.map((example) => example.kind))) {
    const asked = examples.filter((example) => example.kind === kind && foldOf(example.site) === fold);
    const right = asked.filter(({ signs }) => isShell(signs, model) === isTruly(kind)).length;
    const tally = said.get(kind) ?? { right: 0, wrong: 0, shares: [] };
    said.set(kind, {
      right: tally.right + right,
      wrong: tally.wrong + asked.length - right,
      shares: [...tally.shares, 1 - right / asked.length],
    });
  }
}
for (const [kind, { right, wrong, shares }] of said) {
  const folds = shares.map((share) => share.toFixed(3)).join(' ');
  console.log(`${kind}: ${wrong} of ${right + wrong} wrong (${(wrong / (right + wrong)).toFixed(3)}; folds ${folds})`);
}
console.log(
  `of all ${fromPublic.count} public pages ${((said.get('public page')?.wrong ?? 0) / fromPublic.count).toFixed(4)} are rendered in vain`,
);
const text = `// Generated by bench/quality/shells/fit.ts; do not edit.
import type { TreeModel } from '../../extract/content/trees.ts';

export const SHELL_TREES: TreeModel = ${JSON.stringify(fit(examples))};
`;
writeFileSync(resolve(import.meta.dirname, '../../../packages/engine/src/lane/generated/shell-trees.ts'), text);
