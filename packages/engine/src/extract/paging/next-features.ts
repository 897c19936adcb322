// Describes a link by the numbers that tell the way to the next page from other ways on.
import type { Candidate } from './candidate.ts';

/**
 * A candidate with whether numbered links stand beside it, whether it leads where the number after the page's own does, and to how many
 * addresses links lead that say the same.
 */
export interface Placed extends Candidate {
  readonly inRun: boolean;
  readonly follows: boolean;
  readonly ways: number;
  /** Whether the page has numbered links, or one that is a single sign the same way: beside those a doubled sign leads to the last page, alone to the next. */
  readonly besideOthers: boolean;
}

/** A label longer than this is a title rather than a direction. */
const DIRECTION_CHARACTERS_MAX = 40;
/** A link without words of direction is short where it turns pages. */
const FOLLOWING_CHARACTERS_MAX = 20;

/** True for a link that may lead on: usable, pointing nowhere else, and by something it says or where it leads. */
export function mayLeadOn(link: Placed): boolean {
  if (link.number !== undefined || link.context.disabled || pointsBack(link)) return false;
  const { label, tokens, icon, rel } = link;
  const isSaid = label.direction === 'next' || label.direction === 'older' || label.leading === 'next' || label.sign === 'right';
  return isSaid || tokens === 'next' || icon === 'next' || rel === 'next' || (link.follows && link.labelLength <= FOLLOWING_CHARACTERS_MAX);
}

/** True for a link that says it leads back. */
export function pointsBack({ label, tokens, icon, rel }: Candidate): boolean {
  return label.direction === 'previous' || rel === 'previous' || tokens === 'previous' || icon === 'previous' || label.sign === 'left';
}

const isOn = (is: boolean) => (is ? 1 : 0);

/** What is known of a link that may lead on: flags and a count, each a reason for or against the next page. */
export function nextFeaturesOf(link: Placed) {
  const { label, tokens, icon, rel, step, context, inRun, follows } = link;
  const isPaging = context.paging || inRun || label.page;
  const isElsewhere = step === 'elsewhere';
  return {
    any: 1,
    next: isOn(label.direction === 'next'),
    older: isOn(label.direction === 'older'),
    newer: isOn(label.direction === 'newer'),
    leading: isOn(label.direction === undefined && label.leading === 'next'),
    arrow: isOn(label.sign === 'right'),
    arrowOnly: isOn(label.sign === 'right' && label.onlySign),
    doubled: isOn(label.doubled && label.direction !== 'next' && (link.besideOthers || !label.onlySign)),
    named: isOn(tokens === 'next'),
    icon: isOn(icon === 'next'),
    rel: isOn(rel === 'next'),
    long: isOn(link.labelLength > DIRECTION_CHARACTERS_MAX),
    follows: isOn(follows),
    paging: isOn(isPaging),
    inRun: isOn(inRun),
    apart: isOn(context.apart && !inRun && step !== 'following'),
    article: isOn(context.article && !inRun),
    following: isOn(step === 'following'),
    later: isOn(step === 'later'),
    earlier: isOn(step === 'earlier'),
    same: isOn(step === 'same'),
    foreign: isOn(step === 'foreign'),
    /** Led elsewhere by nothing that speaks of pages, or from one article to the next. */
    astray: isOn(isElsewhere && !isPaging),
    slides: isOn(isElsewhere && context.apart && !inRun),
    neighbour: isOn(isElsewhere && context.article && !inRun),
    /** `Continue` below each of many articles. */
    repeated: step === 'following' ? 0 : Math.log2(link.ways),
    olderOutside: isOn(label.direction === 'older' && !isPaging),
  };
}

/** The names of the features. */
export type NextFeature = keyof ReturnType<typeof nextFeaturesOf>;
