// Pages to learn main content from: public ones whose content people wrote down, manuals and generated ones whose markup says what it is.
import { createHash } from 'node:crypto';
import type { Outline } from '../../../packages/engine/src/extract/content/outline.ts';
import { outlineOf } from '../../../packages/engine/src/extract/content/outline.ts';
import type { PageSignals } from '../../../packages/engine/src/extract/content/features/page-signals.ts';
import { pageSignalsOf } from '../../../packages/engine/src/extract/content/features/page-signals.ts';
import type { Units } from '../../../packages/engine/src/extract/content/units.ts';
import { unitsOf } from '../../../packages/engine/src/extract/content/units.ts';
import type { PageTree } from '../../../packages/engine/src/html/tree.ts';
import { parseTree } from '../../../packages/engine/src/html/tree.ts';
import { labelBlocks } from './labels.ts';
import type { ManualPage } from './manuals.ts';
import { readManuals } from './manuals.ts';
import type { LabelledPage } from './pages.ts';
import { decodePage, loadPages } from './pages.ts';
import { hostKey } from '../dataset.ts';

/** A page that teaches, and how it reads. */
export interface Example {
  /** The labelled page; undefined for a page whose own markup says what its content is. */
  readonly labelled: LabelledPage | undefined;
  /** Pages of one site stay together in a fold. */
  readonly site: string;
  readonly tree: PageTree;
  readonly outline: Outline;
  readonly units: Units;
  readonly signals: PageSignals;
  /** By block, how much of it is content; NaN where nobody says. */
  readonly labels: Float32Array;
  /** What the page weighs beside a public page of one of seven types. */
  readonly weight: number;
}

/** Pages of one host stay in one fold, so that no opinion about a page comes from its own host. */
export const FOLDS = 3;
/** News pages are few in the sets, and their truth is the cleaner one. */
const ARTICLE_SET_WEIGHT = 3;
/** Pages of a manual are much alike, and their content is easier to tell than that of most pages. */
const MANUAL_WEIGHT = 0.3;

/** Every public page, those of the manuals behind them; empty where the public data is absent. */
export function readExamples(): readonly Example[] {
  const labelled = [...loadPages('articles'), ...loadPages('pages')];
  return labelled.length === 0 ? [] : [...labelled.map(readLabelled), ...readManuals().map(readManual)];
}

function readLabelled(page: LabelledPage): Example {
  const read = readPage(page);
  return {
    ...read,
    labelled: page,
    labels: labelBlocks(read.outline.blocks, page.truth),
    weight: page.set === 'articles' ? ARTICLE_SET_WEIGHT : 1,
  };
}

function readManual(page: ManualPage): Example {
  const read = readPage(page);
  return { ...read, labelled: undefined, labels: Float32Array.from(read.outline.blocks, page.isContent(read.tree)), weight: MANUAL_WEIGHT };
}

function readPage({ url, bytes }: Pick<LabelledPage, 'url' | 'bytes'>): Pick<Example, 'site' | 'tree' | 'outline' | 'units' | 'signals'> {
  const tree = parseTree(decodePage(bytes()), url);
  const outline = outlineOf(tree);
  return { site: hostKey(url), tree, outline, units: unitsOf(outline), signals: pageSignalsOf(tree, outline) };
}

/** The fold that an example is held out with. */
export function foldOf({ site }: Pick<Example, 'site'>): number {
  return createHash('sha256').update(`fold:${site}`).digest().readUInt32BE(0) % FOLDS;
}
