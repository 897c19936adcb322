// How much of what is likely content must stand in boxes of one kind for the others of that kind to be kept: the public scores with each share,
// and with the one that all other sites choose. What models think of a page is what the last training left of models that never saw its site,
// or else what those in use think, which know it.
// Run: node --max-old-space-size=4000 bench/quality/content/fit-kindred.ts   (about a minute)
import { UNIT_RULES } from '../../../packages/engine/src/extract/content/generated/unit-rules.ts';
import type { JudgedPage } from '../../../packages/engine/src/extract/main-content.ts';
import { chooseMainContent, judgePage } from '../../../packages/engine/src/extract/main-content.ts';
import { FOLDS, foldOf, readExamples } from './examples.ts';
import type { Example } from './examples.ts';
import { judgedPage, keptHeldOut } from './folds.ts';
import { shinglePage, shingleTotal, wordPage } from './scores.ts';

const NONE = Infinity;
const SHARES: readonly number[] = [NONE, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2];
/** A share replaces none only for this much more: smaller gains are of the folds, not of the rule. */
const GAIN_MIN = 0.0003;

/** One labelled page with what each share makes of it. */
interface Sample {
  readonly fold: number;
  readonly set: 'articles' | 'pages';
  readonly type: string;
  readonly outcomes: readonly (number | ReturnType<typeof shinglePage>)[];
  readonly felt: boolean;
}

function sampleOf(example: Example, page: JudgedPage): Sample | undefined {
  const { labelled } = example;
  if (!labelled) return undefined;
  const textFrom = (kindredMin: number) => chooseMainContent(page, { ...UNIT_RULES, kindredMin }).text;
  // What neither none nor the least share keeps, no other does.
  const ends = [NONE, Math.min(...SHARES)].map(textFrom);
  const texts = ends[0] === ends[1] ? SHARES.map(() => ends[0] ?? '') : SHARES.map(textFrom);
  const score = (text: string) => (labelled.set === 'pages' ? wordPage(labelled.truth, text) : shinglePage(labelled.truth, text));
  const known = new Map<string, ReturnType<typeof score>>();
  const outcomes = texts.map((text) => {
    const outcome = known.get(text) ?? score(text);
    known.set(text, outcome);
    return outcome;
  });
  return { fold: foldOf(example), set: labelled.set, type: labelled.type, outcomes, felt: known.size > 1 };
}

function worthOf(samples: readonly Sample[], at: number): { readonly pages: number; readonly articles: number; readonly worth: number } {
  const words = samples.flatMap(({ outcomes }) => (typeof outcomes[at] === 'number' ? [outcomes[at]] : []));
  const shingles = samples.flatMap(({ outcomes }) => (typeof outcomes[at] === 'object' ? [outcomes[at]] : []));
  const pages = words.reduce((sum, value) => sum + value, 0) / (words.length || 1);
  const articles = shingleTotal(shingles).f1;
  return { pages, articles, worth: (pages + articles) / 2 };
}

/** The first share that is worth more than none and than those before it. */
function best(samples: readonly Sample[]): number {
  let chosen = 0;
  let most = worthOf(samples, 0).worth + GAIN_MIN;
  for (let at = 1; at < SHARES.length; at++) {
    const { worth } = worthOf(samples, at);
    if (worth <= most) continue;
    most = worth;
    chosen = at;
  }
  return chosen;
}

const line = (name: string, samples: readonly Sample[], at: number): string => {
  const { pages, articles } = worthOf(samples, at);
  return `${name}: pages ${pages.toFixed(4)}, articles ${articles.toFixed(4)}`;
};

const examples = readExamples();
const kept = keptHeldOut();
const heldOut = kept?.length === examples.length ? kept : undefined;
console.log(heldOut ? 'by models that never saw the site' : 'by the models in use, which know the pages');
const samples = examples.flatMap((example, i) => {
  const judged = heldOut?.[i];
  return sampleOf(example, judged ? judgedPage(example, judged) : judgePage(example.tree)) ?? [];
});
console.log(`${samples.filter(({ felt }) => felt).length} of ${samples.length} pages differ by the share`);
for (const [at, share] of SHARES.entries()) console.log(line(share === NONE ? 'none kept' : `from ${share}`, samples, at));
for (let fold = 0; fold < FOLDS; fold++) {
  const at = best(samples.filter((sample) => sample.fold !== fold));
  const held = samples.filter((sample) => sample.fold === fold);
  const inUse = SHARES.indexOf(UNIT_RULES.kindredMin);
  console.log(
    `fold ${fold}: the others choose ${SHARES[at]}; ${line('none', held, 0)}; ${line('theirs', held, at)}; ${line('in use', held, inUse)}`,
  );
}
console.log(`all choose ${SHARES[best(samples)]}`);
