// Finds what a page is about: which parts are content and which are navigation, promotion and other surroundings.
import type { AnyNode, Element } from 'domhandler';
import type { PageTree } from '../html/tree.ts';
import { blockText } from '../html/text.ts';
import { expectedBest, nodesOf } from './content/choose.ts';
import { judgeBlocks } from './content/judge.ts';
import { LANDMARK } from './content/landmarks.ts';
import type { Block, Outline } from './content/outline.ts';
import { outlineOf } from './content/outline.ts';
import { pageSignalsOf } from './content/page-signals.ts';
import { likeliestType } from './content/type-scores.ts';
import type { PageType } from './page-type.ts';
import { scorePageTypes } from './page-type.ts';

/** The part of a page that it is about. */
export interface MainContent {
  readonly pageType: PageType;
  /** In document order; what is below a root and not excluded is the content. Never empty: at worst the body. */
  readonly roots: readonly Element[];
  /** Everything below the roots that is not content, as the largest nodes possible. */
  readonly excluded: ReadonlySet<AnyNode>;
  /** The block text of the content, closed tabs and folded answers included; read when it is first asked for. */
  readonly text: string;
  /** The expected F1 of the words of `text`, from 0 to 1; 0 where the page has no text. */
  readonly confidence: number;
}

/** Uncertain pages may lower the threshold no further than this. */
const THRESHOLD_MIN = 0.35;
/** How likely a page must be an article for what reads like its text to be doubted. */
const ARTICLE_SURE = 0.75;

/** The main content of a page of any type. A page with any text has content: doubt widens the choice, it never empties it. */
export function findMainContent(tree: PageTree): MainContent {
  const outline = outlineOf(tree);
  const signals = pageSignalsOf(tree, outline);
  const types = scorePageTypes(outline, signals);
  const judged = judgeBlocks(outline, signals, types);
  const probabilities = types.article > ARTICLE_SURE ? judged.map(withHalfTheOdds) : judged;
  const { threshold, score } = expectedBest(
    probabilities,
    outline.blocks.map((block) => block.words),
  );
  const floor = Math.max(threshold, THRESHOLD_MIN);
  const chosen = widenIfLost(
    outline,
    probabilities.map((probability) => probability >= floor),
  );
  const { roots, excluded } = nodesOf(outline, chosen);
  let text: string | undefined;
  return {
    pageType: likeliestType(types),
    roots,
    excluded,
    confidence: score,
    get text() {
      return (text ??= blockText(roots, { excluded, keepsHidden: true }));
    },
  };
}

/** Blocks are judged one by one, but teasers and comments after an article are many and err together, so it asks for more. */
function withHalfTheOdds(probability: number): number {
  return probability / (2 - probability);
}

/** A choice of fewer words than this may be a mistake; a larger one never is all wrong. */
const WORDS_ENOUGH = 40;
const SURROUNDINGS =
  LANDMARK.nav | LANDMARK.header | LANDMARK.footer | LANDMARK.aside | LANDMARK.dialog | LANDMARK.hidden | LANDMARK.noscript;

/** Where nearly everything would be lost, takes all that no landmark sets apart, and where that is nothing, takes all. */
function widenIfLost(outline: Outline, chosen: readonly boolean[]): readonly boolean[] {
  const { blocks } = outline;
  const wordsOf = (isChosen: (block: Block) => boolean) => blocks.reduce((sum, block) => sum + (isChosen(block) ? block.words : 0), 0);
  const kept = wordsOf((block) => chosen[block.index] === true);
  if (kept >= WORDS_ENOUGH) return chosen;
  const isCentral = (block: Block) => (block.box.landmarks & SURROUNDINGS) === 0;
  const central = wordsOf(isCentral);
  if (kept > 0 && kept * 5 >= central) return chosen;
  return central > 0 ? blocks.map(isCentral) : blocks.map(() => true);
}
