// Finds what a page is about: which parts are content and which are navigation, promotion and other surroundings.
import type { AnyNode, Element } from 'domhandler';
import { isTag } from 'domhandler';
import type { PageTree } from '../html/tree.ts';
import { blockText } from '../html/text.ts';
import { expectedBest, nodesOf } from './content/choose.ts';
import { headlineOf } from './content/block-view.ts';
import { judgeBlocks } from './content/judge.ts';
import { isDeclared } from './content/landmarks.ts';
import type { ContentBlock, Outline } from './content/outline.ts';
import { isHeading, outlineOf } from './content/outline.ts';
import { isCentral, withoutOverlays } from './content/overlays.ts';
import type { PageSignals } from './content/features/page-signals.ts';
import { pageSignalsOf } from './content/features/page-signals.ts';
import { withKindred } from './content/kindred.ts';
import { productFacts } from './content/product-facts.ts';
import { likeliestType } from './content/features/type-scores.ts';
import { completeUnits } from './content/structure.ts';
import type { JudgedBlocks, LeftOut, UnitRules } from './content/structure.ts';
import { pooled, unitsOf } from './content/units.ts';
import type { PageType } from './page-type.ts';
import { UNIT_RULES } from './content/generated/unit-rules.ts';
import { furnitureOf } from './furniture.ts';
import { scorePageTypes } from './page-type.ts';
import { isTitledBy } from './title.ts';

/** The part of a page that it is about. */
export interface MainContent {
  readonly pageType: PageType;
  /** In document order; what is below a root and not excluded is the content. Never empty: at worst the body. */
  readonly roots: readonly Element[];
  /** Everything below the roots that is not content, as the largest nodes possible. */
  readonly excluded: ReadonlySet<AnyNode>;
  /** The block text of the content; read when it is first asked for. A caption that does not read like text is only in Markdown. */
  readonly text: string;
  /** The expected F1 of the words of `text`, from 0 to 1; 0 where the page has no text. */
  readonly confidence: number;
  /** The lists, tables and other units of the page that are no content, each with the rule that left it out. */
  readonly leftOut: readonly LeftOut[];
}

/** Uncertain pages may lower the threshold no further than this. */
const THRESHOLD_MIN = 0.35;
/** How likely a page must be an article for what reads like its text to be doubted. */
const ARTICLE_SURE = 0.75;

/** A page with what trained models think of it. */
export interface JudgedPage extends JudgedBlocks {
  readonly tree: PageTree;
}

/** The main content of a page of any type. A page with any text has content: doubt widens the choice, it never empties it. */
export function findMainContent(tree: PageTree): MainContent {
  return chooseMainContent(judgePage(tree));
}

/** A page with what the models in use think of it. */
export function judgePage(tree: PageTree): JudgedPage {
  const outline = outlineOf(tree);
  const signals = pageSignalsOf(tree, outline);
  const types = scorePageTypes(outline, signals);
  const units = unitsOf(outline);
  const headline = pageHeadline(outline, signals);
  return { tree, outline, units, types, headline, probabilities: judgeBlocks(outline, units, signals, types) };
}

/**
 * The heading of the whole page: first in what it declares to be its content, then one that is more than a link, since a site's name may be an
 * h1 of its own. Manuals of DocBook and Javadoc begin with an h2 that the title repeats.
 */
export function pageHeadline({ blocks }: Outline, { declared }: PageSignals): ContentBlock | undefined {
  const isTitled = isTitledBy(declared.title.toLowerCase());
  const says = ({ text }: ContentBlock) => isTitled(text.toLowerCase());
  const inContent = blocks.filter(({ box }) => isDeclared(box));
  return (
    headlineOf(inContent, declared.title) ??
    blocks.find((block) => block.box.element.name === 'h1' && block.linkChars < block.text.length && isCentral(block) && says(block)) ??
    headlineOf(blocks, declared.title) ??
    blocks.find((block) => isHeading(block) && isCentral(block) && says(block))
  );
}

/** The same for a page that is judged already. */
export function chooseMainContent(page: JudgedPage, rules: UnitRules = UNIT_RULES): MainContent {
  const { tree, outline, units, types, probabilities, headline } = page;
  const pageType = likeliestType(types);
  const judged = withoutOverlays(outline, units, pooled(units, outline.blocks, probabilities));
  const isArticle = types.article > ARTICLE_SURE;
  const { likely, score } = chooseLikely(outline, isArticle ? judged.map(withHalfTheOdds) : judged);
  if (pageType === 'product') for (const { index } of productFacts(outline)) likely[index] = true;
  const { chosen, leftOut, pictures } = completeUnits(
    { outline, units, types, headline, probabilities: judged },
    isArticle ? likely : withKindred(outline, likely, rules.kindredMin),
    rules,
  );
  const { roots, excluded: unchosen } = nodesOf(outline, chosen);
  const excluded = new Set([...unchosen, ...furnitureIn(tree, roots, unchosen)]);
  let text: string | undefined;
  return {
    pageType,
    roots,
    excluded,
    confidence: score,
    leftOut,
    get text() {
      return (text ??= blockText(roots, { excluded: pictures.length > 0 ? new Set([...excluded, ...pictures]) : excluded }));
    },
  };
}

/** What engines put into the chosen part that is no text of it. */
function furnitureIn(tree: PageTree, roots: readonly Element[], unchosen: ReadonlySet<AnyNode>): AnyNode[] {
  const { nodes, contents } = furnitureOf(tree);
  return [...nodes, ...contents].filter((node) => {
    for (let at: AnyNode | null = node.parent; at && !unchosen.has(at); at = at.parent) if (isTag(at) && roots.includes(at)) return true;
    return false;
  });
}

/** Blocks are judged one by one, but teasers and comments after an article are many and err together, so it asks for more. */
function withHalfTheOdds(probability: number): number {
  return probability / (2 - probability);
}

/** By block, whether it is likelier worth having than not, and the F1 of words that can be expected of that. */
function chooseLikely(outline: Outline, probabilities: readonly number[]): { readonly likely: boolean[]; readonly score: number } {
  const { threshold, score } = expectedBest(
    probabilities,
    outline.blocks.map((block) => block.words),
  );
  const floor = Math.max(threshold, THRESHOLD_MIN);
  const chosen = probabilities.map((probability) => probability >= floor);
  return { likely: isLost(outline, chosen) ? widened(outline, probabilities) : chosen, score };
}

/** A choice of fewer words than this may be a mistake; a larger one never is all wrong. */
const WORDS_ENOUGH = 40;

/** True where nearly everything that stands in the middle of the page would be lost. */
function isLost({ blocks }: Outline, chosen: readonly boolean[]): boolean {
  const wordsOf = (isCounted: (block: ContentBlock) => boolean) =>
    blocks.reduce((sum, block) => sum + (isCounted(block) ? block.words : 0), 0);
  const kept = wordsOf((block) => chosen[block.index] === true);
  return kept < WORDS_ENOUGH && (kept === 0 || kept * 5 < wordsOf(isCentral));
}

/** All that no landmark sets apart, and where that is nothing, all there is. */
function widened({ blocks }: Outline, probabilities: readonly number[]): boolean[] {
  const central = blocks.map((block) => isCentral(block) && probabilities[block.index] !== 0);
  return central.includes(true) ? central : blocks.map(() => true);
}
