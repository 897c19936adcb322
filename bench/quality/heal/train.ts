// Fits the judges by which monitors find their targets again, measures them on sites they were not fitted to, and writes them into the engine.
// Run: node bench/quality/heal/train.ts [--pages 150] [--measure]   (about three minutes; --measure writes nothing)
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Judge } from '../../../packages/engine/src/monitor/target/judge.ts';
import { PROPERTIES } from '../../../packages/engine/src/monitor/target/likeness.ts';
import { resemblance, signatureOf } from '../../../packages/engine/src/monitor/target/page-signature.ts';
import type { PageSignature } from '../../../packages/engine/src/monitor/target/page-signature.ts';
import { FOLDS, foldOf } from '../folds.ts';
import { fitJudge, isAccepted, judgeExamples } from './fit-judge.ts';
import type { Ending } from './fit-judge.ts';
import { examplesOf } from './heal-rows.ts';
import type { HealExample } from './heal-rows.ts';
import { publicPairs } from './public-pairs.ts';

interface Read {
  readonly examples: readonly HealExample[];
  readonly pageAlikeMin: number;
  readonly pagesTold: number;
}

function readAll(pages: number): Read {
  const examples: HealExample[] = [];
  const alike: number[] = [];
  const firsts = new Map<string, PageSignature[]>();
  for (const pair of publicPairs(pages, 'tune')) {
    examples.push(...examplesOf(pair));
    const before = signatureOf(pair.before, 200);
    alike.push(resemblance(before, signatureOf(pair.after, 200)));
    if (pair.fate === 'kept') firsts.set(pair.site, [...(firsts.get(pair.site) ?? []), before]);
  }
  const other = [...firsts.values()].flatMap(([one, two]) => (one && two ? [resemblance(one, two)] : []));
  const right = (min: number) =>
    (alike.filter((share) => share >= min).length / alike.length + other.filter((share) => share < min).length / other.length) / 2;
  const pageAlikeMin = Array.from({ length: 19 }, (_, i) => (i + 1) / 20).reduce((best, min) => (right(min) > right(best) ? min : best));
  return { examples, pageAlikeMin, pagesTold: right(pageAlikeMin) };
}

type Judged = Ending & { readonly judge: Judge };

/** Each example under judges that were fitted to other sites: the steady ones, the changing ones. */
function crossJudge(examples: readonly HealExample[]): readonly [steady: readonly Judged[], changing: readonly Judged[]] {
  const judged: [Judged[], Judged[]] = [[], []];
  for (let fold = 0; fold < FOLDS; fold++) {
    const [steady, changing] = fitBoth(examples.filter(({ site }) => foldOf(site, 0) !== fold));
    const own = examples.filter(({ site }) => foldOf(site, 0) === fold);
    const add = (to: Judged[], judge: Judge, isSteady: boolean) =>
      to.push(
        ...judgeExamples(
          own.filter((example) => example.isSteady === isSteady),
          judge,
          steady,
        ).map((ending) => ({ ...ending, judge })),
      );
    add(judged[0], steady, true);
    add(judged[1], changing, false);
  }
  return judged;
}

function fitBoth(examples: readonly HealExample[]): readonly [steady: Judge, changing: Judge] {
  const steady = fitJudge(examples.filter(({ isSteady }) => isSteady));
  return [
    steady,
    fitJudge(
      examples.filter(({ isSteady }) => !isSteady),
      steady,
    ),
  ];
}

function linesOf(name: string, endings: readonly Judged[]): readonly string[] {
  const percent = (part: number, whole: number) => `${((100 * part) / (whole || 1)).toFixed(1)} %`;
  const present = endings.filter(({ example }) => example.fate !== 'removed');
  const removed = endings.filter(({ example }) => example.fate === 'removed');
  const accepted = present.filter((ending) => isAccepted(ending, ending.judge));
  const right = accepted.filter(({ isRight }) => isRight).length;
  const healed = removed.filter((ending) => isAccepted(ending, ending.judge)).length;
  const first = present.filter(({ isRight }) => isRight).length;
  return [
    `${name}: likest is right ${percent(first, present.length)}, repaired ${percent(right, present.length)} of ${present.length}, ` +
      `precision ${percent(right, accepted.length)}, false heals ${percent(healed, removed.length)} of ${removed.length} removed`,
  ];
}

function train(): void {
  const { values } = parseArgs({ options: { pages: { type: 'string', default: '150' }, measure: { type: 'boolean', default: false } } });
  const { examples, pageAlikeMin, pagesTold } = readAll(Number(values.pages));
  const figures = [
    `${values.pages} pages of ${new Set(examples.map(({ site }) => site)).size} sites; pages told apart ${(100 * pagesTold).toFixed(1)} %`,
  ];
  const [steady, changing] = crossJudge(examples);
  figures.push(...linesOf('steady', steady), ...linesOf('changing', changing));
  for (const line of figures) console.log(line);
  if (!values.measure) save(fitBoth(examples), pageAlikeMin, figures);
}

function save(judges: readonly Judge[], pageAlikeMin: number, figures: readonly string[]): void {
  const source = [
    '// Generated by bench/quality/heal/train.ts; do not edit.',
    `// On sites that were not fitted to, ${FOLDS} folds by site:`,
    ...figures.map((line) => `// ${line}`),
    "import type { Judge } from '../judge.ts';",
    '',
    '/** Pages with a lower resemblance are two. */',
    `export const PAGE_ALIKE_MIN = ${pageAlikeMin};`,
    ...judges.flatMap((judge, at) => ['', `export const ${at === 0 ? 'STEADY' : 'CHANGING'}: Judge = ${writeJudge(judge)};`]),
    '',
  ].join('\n');
  writeFileSync(resolve(import.meta.dirname, '../../../packages/engine/src/monitor/target/generated/target-weights.ts'), source);
}

function writeJudge({ weights, trust, ...numbers }: Judge): string {
  const rows = PROPERTIES.map((property) => `    ${property}: ${weights[property]},`);
  const rest = Object.entries(numbers).map(([name, value]) => `  ${name}: ${value},`);
  const parts = Object.entries(trust).map(([name, value]) => `${name}: ${value}`);
  return ['{', '  weights: {', ...rows, '  },', `  trust: { ${parts.join(', ')} },`, ...rest, '}'].join('\n');
}

train();
