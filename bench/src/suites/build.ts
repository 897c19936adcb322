// What a build costs on sites whose rows are known: requests, seconds and CPU of each, how large its draft may be, and what looking again takes.
import {
  DEFAULT_BUILD_LIMITS,
  beginLadder,
  buildPicked,
  draftSchema,
  draftable,
  isEnded,
  newestRung,
  reproveFunction,
  runBuild,
  verifyCertificate,
  viewRung,
} from '@weft/engine';
import type {
  BuildKeeping,
  BuildLimits,
  BuildOptions,
  BuildResult,
  BuiltFunction,
  PickedResult,
  SupervisedCost,
  Verification,
} from '@weft/engine';
import { startBuildStage } from '../../../tests/build-stage.ts';
import type { BuildStage } from '../../../tests/build-stage.ts';
import { startPostSearch, startShop } from '../../../tests/sites/api-sites.ts';
import type { ApiSite } from '../../../tests/sites/api-sites.ts';
import type { BenchRow } from '../row.ts';

const OBJECTIVE = 'search goods by name with price and maker';
const LIMITS: BuildLimits = DEFAULT_BUILD_LIMITS;
const NO_CALL: SupervisedCost = { wasUsed: false, tokensIn: 0, tokensOut: 0, dropped: 0 };
const SITES: Readonly<Record<string, () => Promise<ApiSite>>> = {
  'a shop': () => startShop(),
  'a search by POST with a token': () => startPostSearch(true),
};

/** By plain requests alone; a browser's seconds are those of the pages that it loads. */
export async function bench(): Promise<BenchRow[]> {
  await using stage = startBuildStage();
  const rows: BenchRow[] = [];
  for (const [name, start] of Object.entries(SITES)) rows.push(...(await benchSite(name, start, stage)));
  return rows;
}

async function benchSite(name: string, start: () => Promise<ApiSite>, stage: BuildStage): Promise<readonly BenchRow[]> {
  await using site = await start();
  const options: BuildOptions = {
    url: site.url,
    objective: OBJECTIVE,
    respectRobots: true,
    aiSupervise: false,
    isDiscovery: false,
    limits: LIMITS,
  };
  const keeping: BuildKeeping = { ladder: beginLadder('bld_1', options), keep: async () => undefined };
  const built = await measured(() => runBuild(options, stage.portsFor(site.url), keeping, new AbortController().signal));
  const { result } = built;
  const requests = site.asked.length;
  requireProved(result);
  const looked = await measured(() => verifyAll(result, stage));
  const picked = await measured(() => pickAll(result, options, stage));
  const again = await measured(() => reproveAll(result, options, stage));
  const { tokensIn, tokensOut } = result.supervised ?? NO_CALL;
  return [
    { name: `${name}: requests`, value: requests, unit: 'requests', target: '< 60' },
    { name: '  of a build', value: built.seconds, unit: 's' },
    { name: '  CPU of it', value: built.cpuSeconds, unit: 's' },
    { name: '  schema of its draft', value: JSON.stringify(draftSchema(result.catalogue)).length / 1_000, unit: 'kB', target: '< 50' },
    { name: '  tokens of a model', value: tokensIn + tokensOut, unit: 'tokens' },
    { name: `  deciding ${looked.result.length} certificates again`, value: looked.seconds, unit: 's' },
    { name: `  proving ${picked.result.result.functions.length} that are picked`, value: picked.seconds, unit: 's' },
    { name: `  proving ${again.result} again`, value: again.seconds, unit: 's' },
  ];
}

function requireProved({ ladder }: BuildResult): void {
  const { buildId, status } = newestRung(ladder);
  if (!isEnded(ladder) || status !== 'proved') throw new Error(`The build is not proved: ${JSON.stringify(viewRung(ladder, buildId))}`);
}

async function verifyAll({ functions }: BuildResult, { answers }: BuildStage): Promise<readonly Verification[]> {
  const looked: Verification[] = [];
  for (const { certificate } of functions) looked.push(await verifyCertificate(certificate, async (sha256) => answers.get(sha256)));
  if (looked.some(({ holds }) => !holds)) throw new Error('A certificate does not hold.');
  return looked;
}

async function pickAll(result: BuildResult, options: BuildOptions, stage: BuildStage): Promise<PickedResult> {
  const given = { functions: draftable(result.catalogue).map(({ id, name }) => ({ candidate_id: id, name })), none_match: false };
  return await buildPicked(options, stage.portsFor(options.url), result, given, new AbortController().signal);
}

async function reproveAll({ functions }: BuildResult, options: BuildOptions, stage: BuildStage): Promise<number> {
  const proved: readonly BuiltFunction[] = functions.filter(({ certificate }) => certificate.state === 'proved');
  for (const each of proved) {
    const { state, reason } = await reproveFunction(each, options, stage.portsFor(options.url), new AbortController().signal);
    if (state !== 'proved') throw new Error(`${each.name} is not proved again: ${reason}`);
  }
  return proved.length;
}

async function measured<Result>(work: () => Promise<Result>) {
  const [startedMs, cpu] = [performance.now(), process.cpuUsage()];
  const result = await work();
  const { user, system } = process.cpuUsage(cpu);
  return { result, seconds: (performance.now() - startedMs) / 1_000, cpuSeconds: (user + system) / 1_000_000 };
}
