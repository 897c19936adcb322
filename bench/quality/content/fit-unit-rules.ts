// Fits how much the judges must doubt a list, a table or another unit for it to go: the public scores against what manuals and generated
// pages lose, cross-validated by site on what models think that never saw the site.
// Run after train-content.ts: node --max-old-space-size=8000 bench/quality/content/fit-unit-rules.ts [--write]   (about two minutes; --write replaces the rules)
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AnyNode } from 'domhandler';
import { isTag } from 'domhandler';
import { UNIT_RULES } from '../../../packages/engine/src/extract/content/generated/unit-rules.ts';
import type { UnitRules } from '../../../packages/engine/src/extract/content/structure.ts';
import { PAGE_TYPES, likeliestType } from '../../../packages/engine/src/extract/content/features/type-scores.ts';
import type { JudgedPage, MainContent } from '../../../packages/engine/src/extract/main-content.ts';
import { chooseMainContent } from '../../../packages/engine/src/extract/main-content.ts';
import type { Example } from './examples.ts';
import { FOLDS, foldOf, readExamples } from './examples.ts';
import { judgedPage, keptHeldOut } from './folds.ts';
import { generatedPages } from './generated-pages.ts';
import type { HeldOut } from './models.ts';
import type { LabelledPage } from './pages.ts';
import type { ShingleShares } from './scores.ts';
import { shinglePage, shingleTotal, wordPage } from './scores.ts';

const GENERATED_PAGES = 400;
const LIKELIHOODS = [0.1, 0.2, 0.3];
const FLOORS = [0.1, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6];
/** How much of what is likely content stands in boxes of one kind. */
const KINDRED_SHARES: readonly number[] = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
/** How surely a page that is likelier of another type is of a manual all the same. */
const MANUAL_LIKELIHOODS: readonly number[] = [0.4, 0.35, 0.3, 0.25, 0.2, 0.15];
/** A lost block of a hundred weighs as much as a hundredth of F1. */
const LOSS_WEIGHT = 1;
/** Ten words of chrome may come through for each block that is lost. */
const CHROME_WEIGHT = 0.1;
/** A value replaces another only for this much more: smaller gains are of the folds, not of the rule. */
const GAIN_MIN = 0.0003;
/** From where the search starts: every unit of the container stays that no name or landmark speaks against. */
const NO_DOUBT: UnitRules = {
  floors: {},
  floorMin: 0,
  typeSure: 0.5,
  vagueMax: 0,
  kindredMin: Infinity,
  looseMin: {},
  manualMin: Infinity,
};

/** What a page says about rules: a score where people wrote its content down, shares of losses where its markup says what is content. */
interface Outcome {
  readonly words?: number;
  readonly shingles?: ShingleShares;
  /** Of the blocks that are content, how many are left out; of the words that are kept, how many are chrome. */
  readonly shares?: { readonly lost: number; readonly chrome: number };
}

interface Sample {
  readonly page: JudgedPage;
  readonly fold: number;
  readonly labelled: LabelledPage | undefined;
  readonly labels: Float32Array;
  /** What comes out, by the rules that this page can feel and by what they leave out. */
  readonly known: Map<string, Outcome>;
}

/** The settings in the order in which they are fitted, each with the values that are tried. */
const STEPS: readonly (readonly Change[])[] = [
  [0.05, 0.1, 0.15, 0.2].map((floorMin) => (rules) => ({ ...rules, floorMin })),
  [0.1, 0.15, 0.2, 0.25, 0.3, 0.4].map((vagueMax) => (rules) => ({ ...rules, vagueMax })),
  KINDRED_SHARES.map((kindredMin) => (rules) => ({ ...rules, kindredMin })),
  ...PAGE_TYPES.map((type) =>
    FLOORS.map((floor): Change => (rules) => ({ ...rules, floors: { ...rules.floors, [type]: floor } })),
  ),
  ...PAGE_TYPES.map((type) =>
    LIKELIHOODS.map((least): Change => (rules) => ({ ...rules, looseMin: { ...rules.looseMin, [type]: least } })),
  ),
  MANUAL_LIKELIHOODS.map((manualMin) => (rules) => ({ ...rules, manualMin })),
  [0.4, 0.6].map((typeSure) => (rules) => ({ ...rules, typeSure })),
];
type Change = (rules: UnitRules) => UnitRules;

/** Each setting in turn takes the value that is worth most beside the others. */
function fitRules(samples: readonly Sample[]): UnitRules {
  return STEPS.reduce((rules, changes) => {
    let best = { rules, worth: worthOf(samples, rules) + GAIN_MIN };
    for (const change of changes) {
      const worth = worthOf(samples, change(rules));
      if (worth > best.worth) best = { rules: change(rules), worth };
    }
    return best.rules;
  }, NO_DOUBT);
}

function worthOf(samples: readonly Sample[], rules: UnitRules): number {
  const { pages, articles, lost, chrome } = figuresOf(samples, rules);
  return (pages + articles) / 2 - LOSS_WEIGHT * lost - CHROME_WEIGHT * chrome;
}

interface Figures {
  readonly pages: number;
  readonly articles: number;
  readonly lost: number;
  readonly chrome: number;
}

function figuresOf(samples: readonly Sample[], rules: UnitRules): Figures {
  const outcomes = samples.map((sample) => outcomeOf(sample, rules));
  const shares = outcomes.flatMap((outcome) => (outcome.shares ? [outcome.shares] : []));
  const meanOf = (values: readonly number[]) => values.reduce((total, value) => total + value, 0) / values.length;
  return {
    pages: meanOf(outcomes.flatMap((outcome) => outcome.words ?? [])),
    articles: shingleTotal(outcomes.flatMap((outcome) => (outcome.shingles ? [outcome.shingles] : []))).f1,
    lost: meanOf(shares.map(({ lost }) => lost)),
    chrome: meanOf(shares.map(({ chrome }) => chrome)),
  };
}

/** Most changes of a rule change nothing on most pages: what was read once is not read again. */
function outcomeOf(sample: Sample, rules: UnitRules): Outcome {
  const { known, page } = sample;
  const type = likeliestType(page.types);
  const felt = JSON.stringify({ ...rules, floors: rules.floors[type], looseMin: [rules.looseMin[type], rules.looseMin.documentation] });
  const before = known.get(felt);
  if (before) return before;
  const content = chooseMainContent(page, rules);
  const kept = keptBlocks(page, content);
  const choice = kept.map(Number).join('');
  const outcome = known.get(choice) ?? readOutcome(sample, content, kept);
  known.set(choice, outcome).set(felt, outcome);
  return outcome;
}

/** By block, whether its last text is content: its first may be the number of a line. */
function keptBlocks({ outline }: JudgedPage, { roots, excluded }: MainContent): readonly boolean[] {
  return outline.blocks.map(({ texts }) => {
    for (let node: AnyNode | null = texts.at(-1) ?? null; node && !excluded.has(node); node = node.parent)
      if (isTag(node) && roots.includes(node)) return true;
    return false;
  });
}

function readOutcome({ labelled, labels, page }: Sample, { text }: MainContent, kept: readonly boolean[]): Outcome {
  if (labelled?.set === 'pages') return { words: wordPage(labelled.truth, text) };
  if (labelled) return { shingles: shinglePage(labelled.truth, text) };
  const content = page.outline.blocks.filter(({ index }) => labels[index] === 1);
  const words = (isCounted: (index: number) => boolean) =>
    page.outline.blocks.reduce((sum, block) => sum + (kept[block.index] && isCounted(block.index) ? block.words : 0), 0);
  return {
    shares: {
      lost: content.filter(({ index }) => !kept[index]).length / (content.length || 1),
      chrome: words((index) => labels[index] === 0) / (words(() => true) || 1),
    },
  };
}

function fit(): void {
  const judged = keptHeldOut();
  const examples = readExamples();
  if (judged?.length !== examples.length) throw new Error('Run train-content.ts first: nothing was judged, or other pages were.');
  const samples = [
    ...examples.map((example, i) => sampleOf(example, judged[i] as HeldOut)),
    ...generatedPages(GENERATED_PAGES).map(({ site, page, labels }): Sample => ({
      page,
      fold: foldOf({ site }),
      labelled: undefined,
      labels,
      known: new Map(),
    })),
  ];
  const folds = Array.from({ length: FOLDS }, (_, fold) => {
    const rules = fitRules(samples.filter((sample) => sample.fold !== fold));
    const held = samples.filter((sample) => sample.fold === fold);
    return `fold ${fold} held out: ${linesOf(held, rules)}; fitted ${JSON.stringify(rules)}`;
  });
  const rules = fitRules(samples);
  const lines = [...folds, `all: ${linesOf(samples, rules)}; fitted ${JSON.stringify(rules)}`];
  for (const line of lines) console.log(line);
  if (process.argv.includes('--write')) save(rules, lines);
}

function sampleOf(example: Example, heldOut: HeldOut): Sample {
  const { labelled, labels } = example;
  return { page: judgedPage(example, heldOut), fold: foldOf(example), labelled, labels, known: new Map() };
}

function linesOf(samples: readonly Sample[], fitted: UnitRules): string {
  const named: readonly (readonly [name: string, rules: UnitRules])[] = [
    ['without', NO_DOUBT],
    ['in use', UNIT_RULES],
    ['fitted', fitted],
  ];
  return named
    .map(([name, rules]) => {
      const { pages, articles, lost, chrome } = figuresOf(samples, rules);
      return `${name} pages ${pages.toFixed(4)}, articles ${articles.toFixed(4)}, lost ${(1000 * lost).toFixed(2)}, chrome ${(100 * chrome).toFixed(2)}, worth ${worthOf(samples, rules).toFixed(4)}`;
    })
    .join(' | ');
}

function save(rules: UnitRules, lines: readonly string[]): void {
  const source = `// Generated by bench/quality/content/fit-unit-rules.ts; do not edit. F1 of pages and articles, blocks of manuals lost in 1,000 and words of chrome in 100, by sites:
${lines.map((line) => `// ${line}`).join('\n')}
import type { UnitRules } from '../structure.ts';

export const UNIT_RULES: UnitRules = ${JSON.stringify(rules)};
`;
  writeFileSync(resolve(import.meta.dirname, '../../../packages/engine/src/extract/content/generated/unit-rules.ts'), source);
}

fit();
