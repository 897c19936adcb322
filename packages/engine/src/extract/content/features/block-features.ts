// Describes every block of a page in numbers: itself, the boxes round it, its neighbours, its place.
import { pageViewOf } from '../block-view.ts';
import { BOX_FEATURE_NAMES, BoxMeasures, HINT_FEATURE_NAMES, writeHintFeatures } from './box-features.ts';
import type { AskedPhrases } from '../hints.ts';
import { ALL_PHRASES, PHRASE_GROUP_NAMES } from '../hints.ts';
import { LEAD_NAMES, leadFeaturesOf } from '../lead.ts';
import type { Outline } from '../outline.ts';
import type { PageSignals } from './page-signals.ts';
import { PAGE_SIGNAL_NAMES } from './page-signals.ts';
import { SINGLE_FEATURE_NAMES, writeSingleFeatures } from './named-features.ts';
import type { TypeScores } from './type-scores.ts';
import { PAGE_TYPES } from './type-scores.ts';

/** Which features of a block anybody looks at; what is costly and not asked for stays 0. */
export interface Questions {
  /** Places among the features that are read one by one. */
  readonly singles: readonly number[];
  readonly phrases: AskedPhrases;
}

/** Every feature there is. */
export const ALL_QUESTIONS: Questions = {
  singles: SINGLE_FEATURE_NAMES.map((_, place) => place),
  phrases: { every: ALL_PHRASES, headings: ALL_PHRASES },
};

/** What must be read for the features named in `asked`. */
export function questionsFor(asked: ReadonlySet<string>): Questions {
  const groups = (prefixes: readonly string[]) =>
    PHRASE_GROUP_NAMES.reduce((bits, name, bit) => (prefixes.some((prefix) => asked.has(prefix + name)) ? bits | (1 << bit) : bits), 0);
  return {
    singles: ALL_QUESTIONS.singles.filter((place) => asked.has(SINGLE_FEATURE_NAMES[place] as string)),
    phrases: { every: groups(['says.', 'near.']), headings: groups(['headed.']) },
  };
}

/** The few page signals that a block is judged by; more of them would teach single pages by heart. */
const SHARED_SIGNALS = ['paragraphShare', 'linkShare', 'inMain', 'inArticle', 'alikeChars', 'shortShare', 'chars'].map((name) =>
  PAGE_SIGNAL_NAMES.indexOf(name),
);

/** The names of a block's features, in order: its own, then what it shares with the whole page. */
export const BLOCK_FEATURE_NAMES: readonly string[] = [
  ...SINGLE_FEATURE_NAMES,
  ...BOX_FEATURE_NAMES,
  ...HINT_FEATURE_NAMES,
  ...LEAD_NAMES,
  ...SHARED_SIGNALS.map((at) => `page.${PAGE_SIGNAL_NAMES[at]}`),
  ...PAGE_TYPES.map((type) => `type.${type}`),
];

const BOXES_AT = SINGLE_FEATURE_NAMES.length;
const HINTS_AT = BOXES_AT + BOX_FEATURE_NAMES.length;
const LEAD_AT = HINTS_AT + HINT_FEATURE_NAMES.length;
const SHARED_AT = LEAD_AT + LEAD_NAMES.length;

/**
 * A row of `width` numbers per block, in block order and side by side: the features by BLOCK_FEATURE_NAMES, then zeros.
 * `width` is at least BLOCK_FEATURE_NAMES.length.
 */
export function blockFeaturesOf(
  outline: Outline,
  signals: PageSignals,
  types: TypeScores,
  { questions = ALL_QUESTIONS, width = BLOCK_FEATURE_NAMES.length }: { readonly questions?: Questions; readonly width?: number } = {},
): Float32Array {
  const page = pageViewOf(outline, signals, questions.phrases);
  const leads = leadFeaturesOf(outline.blocks, page.headline);
  const measures = new BoxMeasures(outline);
  const shared = [...SHARED_SIGNALS.map((at) => signals.values[at] ?? 0), ...PAGE_TYPES.map((type) => types[type])];
  const values = new Float32Array(outline.blocks.length * width);
  page.views.forEach((view, i) => {
    const start = i * width;
    writeSingleFeatures(view, page, questions.singles, values, start);
    measures.write(view, values, start + BOXES_AT);
    writeHintFeatures(view, values, start + HINTS_AT);
    values.set(leads[i] as readonly number[], start + LEAD_AT);
    values.set(shared, start + SHARED_AT);
  });
  return values;
}
