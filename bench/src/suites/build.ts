// What a build costs on ten sites whose rows are known, rung by rung, and what comes of it without anybody, picked by a person, and chosen by a model.
import {
  DEFAULT_BUILD_LIMITS,
  beginLadder,
  buildPicked,
  createSupervise,
  draftSchema,
  draftable,
  isEnded,
  newestRung,
  reproveFunction,
  runBuild,
  verifyCertificate,
  viewRung,
} from '@weft/engine';
import type { BuildKeeping, BuildOptions, BuildPorts, BuildResult, Candidate } from '@weft/engine';
import { createModel, systemClock } from '@weft/engine/io';
import { findBrowser } from '../../../tests/browser.ts';
import { startBuildStage } from '../../../tests/build-stage.ts';
import type { BuildStage } from '../../../tests/build-stage.ts';
import {
  startCalendar,
  startCurtSearch,
  startDetails,
  startFormsOfMakers,
  startGraphql,
  startPostSearch,
  startShop,
  startThreeForms,
  startWiki,
  startXhr,
} from '../../../tests/sites/api-sites.ts';
import type { ApiSite } from '../../../tests/sites/api-sites.ts';
import { startModelServer } from '../../../tests/sites/model-server.ts';
import type { ModelServer } from '../../../tests/sites/model-server.ts';
import type { BenchRow } from '../row.ts';

export const isSlow = true;

const SEARCH = 'search goods by name with price and maker';

/** A site, and what its API is for. */
interface BuiltSite {
  readonly name: string;
  readonly start: () => Promise<ApiSite>;
  readonly objective: string;
  readonly path?: string;
}

const SITES: readonly BuiltSite[] = [
  { name: 'shop', start: () => startShop(), objective: SEARCH },
  { name: 'curt search', start: () => startCurtSearch(), objective: SEARCH },
  { name: 'three forms', start: () => startThreeForms(), objective: SEARCH },
  { name: 'forms of makers', start: () => startFormsOfMakers(), objective: SEARCH },
  { name: 'wiki', start: () => startWiki(), objective: 'search articles by keyword', path: 'wiki/Main_Page' },
  { name: 'records', start: () => startDetails(), objective: 'get one good with its maker and price' },
  { name: 'POST with a token', start: () => startPostSearch(true), objective: SEARCH },
  { name: 'calendar', start: () => startCalendar(), objective: 'list goods on show with price and maker' },
  { name: 'scripts', start: () => startXhr(), objective: SEARCH },
  { name: 'GraphQL', start: () => startGraphql(), objective: SEARCH },
];

/** What somebody makes of what was found; undefined keeps the mechanical map. */
type Drafting = 'mechanical' | 'picked' | 'supervised';

/** CPU is that of this process: a browser's own is not in it. */
export async function bench(): Promise<BenchRow[]> {
  await using stage = startBuildStage(await findBrowser());
  await using server = await startModelServer(({ text }) => ({ text: JSON.stringify(chosenIn(text)) }));
  const rows: BenchRow[] = [];
  for (const site of SITES) rows.push(...(await benchSite(site, stage, server)));
  return rows;
}

async function benchSite({ name, start, objective, path = '' }: BuiltSite, stage: BuildStage, server: ModelServer): Promise<BenchRow[]> {
  await using site = await start();
  const options: BuildOptions = {
    url: `${site.url}${path}`,
    objective,
    respectRobots: true,
    aiSupervise: false,
    isDiscovery: false,
    limits: DEFAULT_BUILD_LIMITS,
  };
  const built = await build(options, stage, site);
  const { result } = built;
  const looked = await measured(() => verifyAll(result, stage));
  const again = await measured(() => reproveAll(result, options, stage));
  const given = { functions: wishedOf(draftable(result.catalogue)).map((id) => ({ candidate_id: id })), none_match: false };
  const ports = stage.portsFor(options.url);
  const unproved = { ...result, functions: [] };
  const picked = await buildPicked(options, ports, unproved, given, new AbortController().signal);
  const askedBefore = server.asked.length;
  const supervised = await withModel(server, (supervise) => build({ ...options, aiSupervise: true }, stage, site, { supervise }));
  const question = server.asked.slice(askedBefore).reduce((sum, { body }) => sum + JSON.stringify(body).length, 0);
  return [
    ...built.rungs.flatMap(({ rung, requests, seconds, cpuSeconds }) => [
      { name: `${name}, ${rung}: requests`, value: requests, unit: 'requests', target: '< 60' },
      { name: '  seconds', value: seconds, unit: 's' },
      { name: '  CPU', value: cpuSeconds, unit: 's' },
    ]),
    provedRow('mechanical', result),
    provedRow('picked', picked.result),
    provedRow('supervised', supervised.result),
    { name: '  asked of a model', value: question / 1_000, unit: 'kB' },
    { name: '  schema of its draft', value: JSON.stringify(draftSchema(result.catalogue)).length / 1_000, unit: 'kB', target: '< 50' },
    { name: `  deciding ${looked.result} certificates again`, value: looked.seconds, unit: 's' },
    { name: `  proving ${again.result} again`, value: again.seconds, unit: 's' },
  ];
}

function provedRow(drafting: Drafting, { functions }: BuildResult): BenchRow {
  const proved = functions.filter(({ certificate }) => certificate.state === 'proved').map(({ name }) => name);
  return { name: `  ${drafting}: ${proved.join(', ') || 'nothing'}`, value: proved.length, unit: `proved of ${functions.length}` };
}

/** What a rung took. */
interface RungCost {
  readonly rung: string;
  readonly requests: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** Builds, and measures each rung from its beginning to its end. */
async function build(options: BuildOptions, stage: BuildStage, site: ApiSite, own: Partial<BuildPorts> = {}) {
  const rungs: RungCost[] = [];
  const now = () => ({ requests: site.asked.length, atMs: performance.now(), cpu: process.cpuUsage() });
  let before = now();
  const keep: BuildKeeping['keep'] = async ({ ladder }) => {
    const ended = ladder.filter(({ status }) => status !== 'queued' && status !== 'running');
    const last = ended.at(-1);
    if (!last || ended.length === rungs.length) return;
    const { user, system } = process.cpuUsage(before.cpu);
    rungs.push({
      rung: last.rung,
      requests: site.asked.length - before.requests,
      seconds: (performance.now() - before.atMs) / 1_000,
      cpuSeconds: (user + system) / 1_000_000,
    });
    before = now();
  };
  const keeping: BuildKeeping = { ladder: beginLadder('bld_1', options), keep };
  const result = await runBuild(options, { ...stage.portsFor(options.url), ...own }, keeping, new AbortController().signal);
  const { ladder } = result;
  if (!isEnded(ladder)) throw new Error(`The build has not ended: ${JSON.stringify(viewRung(ladder, newestRung(ladder).buildId))}`);
  return { result, rungs };
}

/** Calls `work` with the one call of a build, over HTTP as any model is asked. */
async function withModel<Result>(
  { baseUrl }: ModelServer,
  work: (supervise: NonNullable<BuildPorts['supervise']>) => Promise<Result>,
): Promise<Result> {
  const model = createModel({
    name: 'chooser',
    setting: { format: 'openai', baseUrl: baseUrl.openai, model: 'm' },
    key: async () => 'sk-00000000',
    userAgent: 'WeftBot/0',
    clock: systemClock,
  });
  try {
    return await work(createSupervise({ model, mask: (text) => text, nonce: () => 'n0nce' }));
  } finally {
    await model.close();
  }
}

/** A model that takes the best of each kind, as the question shows them. */
function chosenIn(question: string): object {
  const shown = [...question.matchAll(/"id":"(C\d+)","kind":"(\w+)"/g)].map(([, id = '', kind = '']) => ({ id, kind }));
  return { functions: wishedOf(shown).map((id, place) => ({ candidate_id: id, name: `chosen_${place + 1}` })), none_match: false };
}

/** The first of each kind. */
function wishedOf(shown: readonly { readonly id: string; readonly kind: Candidate['kind'] | string }[]): readonly string[] {
  return [...new Map(shown.toReversed().map(({ id, kind }) => [kind, id])).values()];
}

/** How many certificates were decided again from their answers. */
async function verifyAll({ functions }: BuildResult, { answers }: BuildStage): Promise<number> {
  for (const { certificate } of functions)
    if (!(await verifyCertificate(certificate, async (sha256) => answers.get(sha256))).holds)
      throw new Error('A certificate does not hold.');
  return functions.length;
}

/** How many functions were proved again. */
async function reproveAll({ functions }: BuildResult, options: BuildOptions, stage: BuildStage): Promise<number> {
  const proved = functions.filter(({ certificate }) => certificate.state === 'proved');
  for (const each of proved) {
    const { state, reason } = await reproveFunction(each, options, stage.portsFor(options.url), new AbortController().signal);
    if (state !== 'proved') throw new Error(`${each.name} is not proved again: ${reason}`);
  }
  return proved.length;
}

async function measured<Result>(work: () => Promise<Result>) {
  const startedMs = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - startedMs) / 1_000 };
}
