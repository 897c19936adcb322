// Builds on real applications, from their pages alone and without a model: the rows of functions as the applications' own JSON or databases have them.
import assert from 'node:assert/strict';
import { DEFAULT_BUILD_LIMITS, tryFunction } from '@weft/engine';
import type { BuildOptions, BuildResult, BuiltFunction, Parameter } from '@weft/engine';
import type { ApiApp, ApiGoal } from '../../bench/apps/api-app.ts';
import { scoreRows } from '../api-score.ts';
import type { ApiScore } from '../api-score.ts';
import { APIS } from '../../bench/apps/apis.ts';
import { installApp, placeOf, startApp, takeHome } from '../../bench/apps/runner.ts';
import { SETTINGS } from '../../bench/src/settings.ts';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { findBrowser } from '../browser.ts';
import { startBuildStage } from '../build-stage.ts';
import type { BuildStage } from '../build-stage.ts';

export const needs = 'Debian packages and npm packages of applications';

const PRECISION_MIN = 0.95;
const RECALL_MIN = 0.9;
/** Of the rows of a wrong function fewer than this share are what was asked for (research/workflow-peers.md 4). */
const WRONG_BELOW = 0.3;
/** So many pages of a list are asked for, and as many inputs are tried. */
const PAGES_MAX = 6;
const INPUTS_MAX = 3;

/** What came of one goal. */
interface GoalEnd {
  readonly app: string;
  readonly goal: ApiGoal;
  readonly result: BuildResult;
  readonly score: ApiScore | undefined;
  /** Names of proved functions whose rows are none of what was asked for. */
  readonly wrong: readonly string[];
}

/** A round is each application once; one is stopped before the next one starts. `BENCH_APPS` takes some. */
export async function campaign({ rounds, log }: CampaignOptions): Promise<void> {
  using _home = takeHome(SETTINGS.appsFolder);
  await using stage = startBuildStage(await findBrowser());
  const asked = APIS.filter(({ software }) => SETTINGS.appNames.length === 0 || SETTINGS.appNames.includes(software.name));
  for (let round = 0; round < rounds; round++) {
    const ends: GoalEnd[] = [];
    for (const app of asked) ends.push(...(await runApp(app, stage, log)));
    judge(ends, log);
  }
}

async function runApp(app: ApiApp, stage: BuildStage, log: CampaignOptions['log']): Promise<readonly GoalEnd[]> {
  const { software } = app;
  await installApp(software, SETTINGS.appsFolder);
  const running = await startApp(software, SETTINGS.appsFolder);
  try {
    const goals = app.goals({ place: placeOf(software, SETTINGS.appsFolder), origin: running.origin });
    const ends: GoalEnd[] = [];
    for (const goal of goals) ends.push(await runGoal(app, goal, stage, log));
    return ends;
  } finally {
    await running.stop();
  }
}

export async function runGoal(app: ApiApp, goal: ApiGoal, stage: BuildStage, log: CampaignOptions['log']): Promise<GoalEnd> {
  const { name } = app.software;
  const respectRobots = app.ignoresRobots !== true;
  const result = await stage.build({ url: goal.url, objective: goal.objective, respectRobots });
  const proved = result.functions.filter(({ certificate }) => certificate.state === 'proved');
  const scores: { readonly made: BuiltFunction; readonly score: ApiScore }[] = [];
  for (const made of proved)
    if (made.candidate.kind === goal.kind && isCallable(made)) scores.push({ made, score: await scoreOf(made, goal, stage) });
  // Who asked for this takes the function that comes first.
  const [first] = scores;
  // A list of another page is another list, and has its rows from there.
  const isOther = ({ candidate }: BuiltFunction) => candidate.kind === 'list' && candidate.provenance.url !== goal.url;
  const wrong = scores.filter(({ made, score }) => !isOther(made) && score.matched < score.rows * WRONG_BELOW).map(({ made }) => made.name);
  log(
    `${name}, ${goal.kind} "${goal.objective}": ${first ? `${first.made.name} ${tellScore(first.score)}` : `none proved: ${tellEnd(result)}`}`,
  );
  for (const { made, score } of scores.slice(1)) log(`    also ${made.name} ${tellScore(score)}`);
  if (wrong.length > 0) log(`    WRONG: ${wrong.join(', ')}`);
  return { app: name, goal, result, score: first?.score, wrong };
}

/** A list of all things needs no input; one of a part of them is another list. */
function isCallable({ candidate, workflow }: BuiltFunction): boolean {
  const { required } = workflow.inputs ?? {};
  return candidate.kind !== 'list' || !Array.isArray(required) || required.length === 0;
}

/** What the function answers to a few inputs, held against what it should. */
async function scoreOf(made: BuiltFunction, goal: ApiGoal, stage: BuildStage): Promise<ApiScore> {
  const scores: ApiScore[] = [];
  for (const input of inputsOf(made)) {
    const { rows, isWhole } = await rowsOf(made, input, goal.url, stage);
    const truth = await goal.truth(input ?? '');
    const whole = scoreRows(rows, truth, goal.keys, goal.wanted);
    // Where not all pages were asked for, no more can come than those have.
    scores.push(isWhole ? whole : { ...whole, wanted: Math.min(whole.wanted, whole.offered) });
  }
  return scores.reduce(sumOf);
}

/** The values that were found, the first one and then those that nothing was built from. */
function inputsOf({ candidate, draft }: BuiltFunction): readonly (string | undefined)[] {
  const [asked] = draft.inputs.filter(({ required }) => required);
  const { examples = [] } = candidate.parameters.find(({ id }) => id === asked?.param_id) ?? {};
  const values = examples.map(({ value }) => value);
  return values.length === 0 ? [undefined] : [...values.slice(0, 1), ...values.slice(1).toReversed()].slice(0, INPUTS_MAX);
}

async function rowsOf(made: BuiltFunction, input: string | undefined, url: string, stage: BuildStage) {
  const { draft, candidate, workflow } = made;
  const options: BuildOptions = {
    url,
    objective: '',
    respectRobots: false,
    aiSupervise: false,
    isDiscovery: false,
    limits: DEFAULT_BUILD_LIMITS,
  };
  const inputs: Record<string, unknown> = {};
  for (const { param_id: id, name, required, example_id: exampleId } of draft.inputs) {
    const example = candidate.parameters.find((each) => each.id === id)?.examples.find((each) => each.id === exampleId);
    if (required) inputs[name] = Object.keys(inputs).length === 0 ? input : example?.value;
  }
  const paging = candidate.parameters.find(({ role }) => role === 'page' || role === 'offset');
  const rows: Readonly<Record<string, unknown>>[] = [];
  for (let page = 0; page < (paging ? PAGES_MAX : 1); page++) {
    const counted = paging && page > 0 ? { [paging.role]: startOf(paging, page) } : {};
    const { rows: more, failure } = await tryFunction(
      workflow,
      { ...inputs, ...counted },
      options,
      stage.portsFor(url),
      new AbortController().signal,
    );
    // Behind the last page a site may answer that there is none.
    assert.ok(failure === undefined || page > 0, `${made.name} fails: ${failure?.message}`);
    if (more.length === 0) return { rows, isWhole: true };
    rows.push(...more);
  }
  return { rows, isWhole: paging === undefined };
}

function startOf({ initial, step = 1 }: Parameter, page: number): number {
  return Number(initial ?? 1) + page * step;
}

function sumOf(a: ApiScore, b: ApiScore): ApiScore {
  return {
    cells: a.cells + b.cells,
    right: a.right + b.right,
    wanted: a.wanted + b.wanted,
    found: a.found + b.found,
    offered: a.offered + b.offered,
    rows: a.rows + b.rows,
    matched: a.matched + b.matched,
    wrong: { ...b.wrong, ...a.wrong },
  };
}

function tellScore(score: ApiScore): string {
  const { rows, matched, cells, right, wanted, found, wrong } = score;
  const columns = Object.entries(wrong).map(([name, value]) => `${name}="${value.slice(0, 40)}"`);
  return `${matched} of ${rows} rows, precision ${share(right, cells)} of ${cells}, recall ${share(found, wanted)} of ${wanted}${columns.length > 0 ? `; not right: ${columns.join(', ')}` : ''}`;
}

function tellEnd({ functions, ladder }: BuildResult): string {
  const own = functions.map(({ name, certificate }) => `${name} ${certificate.state}: ${certificate.reason}`);
  return own.length > 0 ? own.join('; ') : ladder.map(({ rung, measured }) => `${rung}: ${measured ?? ''}`).join('; ');
}

function share(part: number, whole: number): string {
  return (whole === 0 ? 0 : part / whole).toFixed(3);
}

/** Each goal counts the same, however many rows it has; one without a function has come to nothing. */
function judge(ends: readonly GoalEnd[], log: CampaignOptions['log']): void {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
  const precision = mean(ends.flatMap(({ score }) => (score && score.cells > 0 ? [score.right / score.cells] : [])));
  const recall = mean(ends.map(({ score }) => (score && score.wanted > 0 ? Math.min(1, score.found / score.wanted) : 0)));
  const wrong = ends.flatMap((end) => end.wrong);
  const met = ends.filter(({ score }) => score !== undefined).length;
  log(
    `${met} of ${ends.length} goals have a proved function; precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}, wrong functions proved ${wrong.length}`,
  );
  assert.deepEqual(wrong, [], 'wrong functions are proved');
  assert.ok(precision >= PRECISION_MIN, `the precision of fields is ${precision.toFixed(3)}; at least ${PRECISION_MIN} is aimed at`);
  assert.ok(recall >= RECALL_MIN, `the recall of fields is ${recall.toFixed(3)}; at least ${RECALL_MIN} is aimed at`);
}
