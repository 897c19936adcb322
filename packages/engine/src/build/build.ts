// A site-to-API build: walks the ladder, drafts from what each rung found, proves, and stops at the rung that proves its objective.
import { PageError } from '../errors.ts';
import { SiteAsking } from './asking/site-asking.ts';
import type { Candidate, Catalogue } from './evidence/catalogue.ts';
import { mergeCatalogues, idsIn } from './evidence/merge.ts';
import { Ids } from './evidence/ids.ts';
import { asksToSearch } from './evidence/words.ts';
import { acceptDraft } from './draft.ts';
import type { Draft, DraftSource } from './draft.ts';
import { buildFunction } from './functions/build-function.ts';
import type { BuiltFunction } from './functions/built-function.ts';
import { openApiOf } from './functions/openapi.ts';
import type { Certificate } from './proof/certificate.ts';
import { proveFunction } from './proof/prove.ts';
import { endRung, isEnded, newestRung, startRung } from './ladder.ts';
import type { Ladder, Rung, RungEnd } from './ladder.ts';
import { matching, mechanicalDraft } from './mechanical-draft.ts';
import type { BuildOptions } from './options.ts';
import type { BuildPorts } from './ports.ts';
import type { RungFinding } from './rung.ts';
import { climbRendered } from './rungs/rendered-rung.ts';
import { climbStatic } from './rungs/static-rung.ts';
import type { RungContext } from './rungs/static-rung.ts';

/** What a build came to. */
export interface BuildResult {
  readonly ladder: Ladder;
  /** Of all rungs. */
  readonly catalogue: Catalogue;
  readonly draft: Draft;
  readonly draftSource: DraftSource;
  /** What the supervising call took; absent where none was made. */
  readonly supervised?: SupervisedCost;
  /** Proved, unproved and failed ones. */
  readonly functions: readonly BuiltFunction[];
  /** Candidates that became no function, and why. */
  readonly unused: readonly { readonly id: string; readonly reason: string }[];
  /** OpenAPI 3.1 of the proved functions, without `servers`; each operation has `x-proof`. Absent where none is proved. */
  readonly openapi?: Readonly<Record<string, unknown>>;
}

/** What the supervising call took, and what was made of it. */
export interface SupervisedCost {
  readonly wasUsed: boolean;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly dropped: number;
  readonly reason?: string;
}

/** A build as it stands, for whoever keeps it: after each rung, and at the end. */
export interface BuildKeeping {
  /** Begins with a ladder of one queued rung, or goes on with the newest rung of one that was kept. */
  readonly ladder: Ladder;
  /** What came of the rungs before; absent at the beginning. */
  readonly before?: Omit<BuildResult, 'ladder'> | undefined;
  /** Called when a rung begins and when it has ended, before the next one begins; what it keeps survives. */
  readonly keep: (result: BuildResult) => Promise<void>;
}

/**
 * Builds: each rung finds, drafts and proves, until one has proved what the objective asks for. A build that fails is a result. Throws PageError
 * `aborted` where `signal` stops it; what was kept can be gone on with.
 */
export async function runBuild(options: BuildOptions, ports: BuildPorts, keeping: BuildKeeping, signal: AbortSignal): Promise<BuildResult> {
  const build = new Build(options, ports, keeping, signal);
  while (!isEnded(build.result.ladder)) await build.climb();
  return build.result;
}

/** What came of a draft that a person or a client filled in. */
export interface PickedResult {
  /** With the functions of the draft behind those that were there, proved or not; a build that had failed is proved where one of them is. */
  readonly result: BuildResult;
  /** What of the draft was left out, and why. */
  readonly dropped: readonly string[];
}

/**
 * Proves what somebody picks out of what a build found: `given` is a draft of its catalogue (`draftSchema`), and not to be trusted. A function
 * of the same name or candidate is replaced. Throws PageError `aborted`.
 */
export async function buildPicked(
  options: BuildOptions,
  ports: BuildPorts,
  before: BuildResult,
  given: unknown,
  signal: AbortSignal,
): Promise<PickedResult> {
  const { draft, dropped } = acceptDraft(given, before.catalogue);
  if (!draft) return { result: before, dropped };
  const taken = new Set(draft.functions.flatMap(({ candidate_id: id, name }) => [id, name]));
  const kept = before.functions.filter(({ name, candidate }) => !taken.has(name) && !taken.has(candidate.id));
  const build = new Build(
    options,
    ports,
    { ladder: before.ladder, before: { ...before, functions: kept }, keep: async () => undefined },
    signal,
  );
  await build.pick(draft);
  const { ladder, functions } = build.result;
  return { result: { ...build.result, ladder: provedBy(functions, ladder) }, dropped };
}

function provedBy(functions: readonly BuiltFunction[], ladder: Ladder): Ladder {
  const { measured: _, ...newest } = newestRung(ladder);
  const isProved = functions.some(({ certificate }) => certificate.state === 'proved');
  return isProved && newest.status === 'failed' ? [...ladder.slice(0, -1), { ...newest, status: 'proved' }] : ladder;
}

/** Proves a function again, as it was built. What differs from its certificate is for its owner to judge. Throws PageError `aborted`. */
export async function reproveFunction(
  { draft, candidate, workflow }: BuiltFunction,
  options: BuildOptions,
  ports: BuildPorts,
  signal: AbortSignal,
): Promise<Certificate> {
  const asking = new SiteAsking(options, ports, { requestsMax: options.limits.proofCallsMax, price: PROOF_PRICE });
  return (await proveFunction({ draft, candidate, workflow }, asking, signal)).certificate;
}

/** What a draft says, and who says so. */
interface Drafted {
  readonly draft: Draft;
  readonly source: DraftSource;
}

const PROOF_PRICE = 1;
/** What is of another kind than what was proved is about something else where it fits the objective less than this share of it. */
const FIT_SHARE_MIN = 0.6;
const NO_MODEL = 'no model is named: name one for the AI rung (docs/models.md), or pick from what was found';

class Build {
  result: BuildResult;
  private readonly options: BuildOptions;
  private readonly ports: BuildPorts;
  private readonly keep: BuildKeeping['keep'];
  private readonly signal: AbortSignal;
  private proofCalls = 0;

  constructor(options: BuildOptions, ports: BuildPorts, { ladder, before, keep }: BuildKeeping, signal: AbortSignal) {
    this.options = options;
    this.ports = ports;
    this.keep = keep;
    this.signal = signal;
    this.result = { ...(before ?? emptyResult()), ladder };
  }

  /** Climbs the newest rung and ends it. */
  async climb(): Promise<void> {
    await this.change({ ladder: startRung(this.result.ladder) });
    const { buildId, rung } = newestRung(this.result.ladder);
    await this.ports.tell({ type: 'rung', buildId, rung, status: 'running' });
    const finding = await this.find(rung, buildId);
    const end =
      typeof finding === 'string'
        ? ({ kind: 'failed', measured: finding, aiSupervise: false } as const)
        : await this.conclude(finding, rung, buildId);
    await this.change({ ladder: endRung(this.result.ladder, end, this.ports.newBuildId) });
    const { status, fallbackReason } = this.result.ladder.find((each) => each.buildId === buildId) ?? newestRung(this.result.ladder);
    await this.ports.tell({ type: 'rung', buildId, rung, status, ...(fallbackReason === undefined ? {} : { reason: fallbackReason }) });
  }

  /** Proves a draft that somebody picked; the newest rung says by whose rules. */
  async pick(draft: Draft): Promise<void> {
    const { buildId, rung } = newestRung(this.result.ladder);
    const functions = await this.prove({ draft, source: 'picked' }, this.result.catalogue, rung, buildId);
    this.finish(draft, 'picked', functions);
  }

  /** Keeps what has changed; what a build that was stopped came to meanwhile counts no more. */
  private async change(part: Partial<BuildResult>): Promise<void> {
    if (this.signal.aborted) throw new PageError('aborted', 'The build was stopped.');
    this.result = { ...this.result, ...part };
    await this.keep(this.result);
  }

  /** What the rung brings; a sentence where it can't begin. */
  private async find(rung: Rung, buildId: string): Promise<RungFinding | string> {
    const { options, ports, signal } = this;
    const { catalogue } = this.result;
    const names = new Set(catalogue.candidates.map(({ name }) => name));
    const context: RungContext = { buildId, ids: new Ids(idsIn(catalogue)), names };
    if (rung === 'static') return await climbStatic(options, ports, context, signal);
    if (rung === 'rendered') return await climbRendered(options, ports, context, signal);
    if (!ports.sweep) return [`The AI rung did not begin: ${NO_MODEL}.`, ...wallBefore(this.result.ladder)].join(' ');
    return await ports.sweep({ buildId, options, ports, catalogue }, signal);
  }

  private async conclude(finding: RungFinding, rung: Rung, buildId: string): Promise<RungEnd> {
    const { objective, isDiscovery } = this.options;
    const catalogue = mergeCatalogues(this.result.catalogue, finding.catalogue);
    await this.ports.tell({ type: 'found', buildId, candidates: finding.catalogue.candidates.length });
    this.result = { ...this.result, catalogue };
    const own = finding.catalogue.candidates;
    const fitting = matching(finding.catalogue, objective);
    if (own.length === 0 || (fitting.length === 0 && rung !== 'ai')) return handOver(finding, own, fitting, [], false);
    if (isDiscovery) {
      const isRanked = await this.rank(catalogue, rung);
      return { kind: 'found', aiSupervise: isRanked, ...endedEarly(finding) };
    }
    const drafted = await this.draftOf(finding.catalogue, rung);
    const { draft, source } = drafted;
    const functions = await this.prove(drafted, finding.catalogue, rung, buildId);
    const isSupervised = source === 'model';
    const proved = functions.filter(({ certificate }) => certificate.state === 'proved');
    this.finish(draft, source, functions);
    if (proved.length > 0) return { kind: 'proved', aiSupervise: isSupervised, ...endedEarly(finding) };
    return handOver(finding, own, fitting, functions, isSupervised);
  }

  /** The model's draft where it may be asked for and gives one; the mechanical one in every other case. */
  private async draftOf(catalogue: Catalogue, rung: Rung): Promise<Drafted> {
    const mechanical: Drafted = { draft: mechanicalDraft(catalogue, this.options.objective), source: 'mechanical' };
    const accepted = await this.supervise(catalogue, rung, 'draft');
    return accepted ? { draft: accepted, source: 'model' } : mechanical;
  }

  /** Names and order of a discovery, from a model; false where none was used. */
  private async rank(catalogue: Catalogue, rung: Rung): Promise<boolean> {
    const accepted = await this.supervise(catalogue, rung, 'rank');
    if (!accepted) return false;
    const places = new Map(accepted.functions.map((each, place) => [each.candidate_id, { place, ...each }]));
    const place = ({ id }: Candidate) => places.get(id)?.place ?? places.size;
    const named = catalogue.candidates.map((candidate) => ({ ...candidate, ...namesOf(places.get(candidate.id)) }));
    this.result = { ...this.result, catalogue: { ...catalogue, candidates: named.toSorted((a, b) => place(a) - place(b)) } };
    return true;
  }

  /** The one call of a build; undefined where it may not be made, was made before, or gave nothing that could be used. */
  private async supervise(catalogue: Catalogue, rung: Rung, task: 'draft' | 'rank'): Promise<Draft | undefined> {
    const { url, objective, aiSupervise } = this.options;
    const { supervise } = this.ports;
    if (!supervise || !aiSupervise || rung === 'ai' || this.result.supervised) return undefined;
    // Kept before it is made: a build that is gone on with makes no second one.
    await this.change({ supervised: { wasUsed: false, tokensIn: 0, tokensOut: 0, dropped: 0, reason: 'It was interrupted.' } });
    const { draft: given, tokensIn, tokensOut, reason } = await supervise({ url, objective, catalogue, task }, this.signal);
    const accepted = given === undefined ? undefined : acceptDraft(given, catalogue);
    const draft = accepted?.draft;
    const isUsable = draft !== undefined && draft.functions.length > 0;
    const why =
      reason ??
      (isUsable ? undefined : draft?.none_match === true ? 'It says that nothing matches.' : (accepted?.dropped[0] ?? 'It gave no draft.'));
    const cost = {
      wasUsed: isUsable,
      tokensIn,
      tokensOut,
      dropped: accepted?.droppedCount ?? 0,
      ...(why === undefined ? {} : { reason: why }),
    };
    await this.change({ supervised: cost });
    return isUsable ? draft : undefined;
  }

  private async prove({ draft, source }: Drafted, catalogue: Catalogue, rung: Rung, buildId: string): Promise<readonly BuiltFunction[]> {
    const { options, ports, signal } = this;
    const left = options.limits.proofCallsMax - this.proofCalls;
    const asking = new SiteAsking({ ...options, respectRobots: options.respectRobots && rung !== 'ai' }, ports, {
      requestsMax: left,
      price: PROOF_PRICE,
    });
    const candidates = new Map(catalogue.candidates.map((candidate) => [candidate.id, candidate]));
    const built: BuiltFunction[] = [];
    for (const each of draft.functions) {
      const candidate = candidates.get(each.candidate_id);
      if (!candidate) continue;
      const isOver = asking.isOver() || asking.isSpent;
      const needless = isOver
        ? `It was not proved: the proofs of its rung ended because ${asking.stopped ?? 'they were stopped'}.`
        : source === 'mechanical' && needlessFor(candidate, built, options.objective);
      const made = needless || (await buildFunction(each, candidate, asking, signal));
      if (typeof made === 'string') {
        this.leaveOut(candidate.id, made);
        continue;
      }
      built.push(made);
      const { state, reason } = made.certificate;
      await ports.tell({ type: 'proof', buildId, function: made.name, state, reason });
    }
    this.proofCalls += asking.requests;
    return built;
  }

  private leaveOut(id: string, reason: string): void {
    this.result = { ...this.result, unused: [...this.result.unused, { id, reason }] };
  }

  private finish(draft: Draft, draftSource: DraftSource, made: readonly BuiltFunction[]): void {
    const functions = [...this.result.functions, ...made];
    const used = new Map(functions.map(({ candidate, certificate }) => [candidate.id, certificate]));
    const known = new Set([...used.keys(), ...this.result.unused.map(({ id }) => id)]);
    const rest = this.result.catalogue.candidates.filter(({ id }) => !known.has(id));
    const failed = functions.filter(({ certificate }) => certificate.state !== 'proved');
    const proved = functions.filter(({ certificate }) => certificate.state === 'proved');
    const unused = [
      ...this.result.unused,
      ...failed
        .filter(({ candidate }) => !this.result.unused.some(({ id }) => id === candidate.id))
        .map(({ candidate, certificate }) => ({ id: candidate.id, reason: certificate.reason })),
      ...rest.map(({ id, match }) => ({
        id,
        reason: match === 0 ? 'Nothing about it is in the objective.' : 'Others fit the objective better.',
      })),
    ];
    const { url, objective } = this.options;
    const words = { title: `${URL.parse(url)?.host ?? url}`, description: objective, version: '1' };
    this.result = {
      ...this.result,
      draft,
      draftSource,
      functions,
      unused,
      ...(proved.length > 0 ? { openapi: openApiOf(proved, words) } : {}),
    };
  }
}

/** Why it is not proved where others were. */
function needlessFor(candidate: Candidate, built: readonly BuiltFunction[], objective: string): string | undefined {
  if (isFarBehind(candidate, built, objective)) return 'Others fit the objective better.';
  const twin = built.find((other) => isProvedTwin(other, candidate));
  return twin && `${twin.name} is made of the same and is proved.`;
}

/**
 * Where the objective has what it asks for, what of the same kind fits it less, or of another far less, is something else. A search that is asked
 * for is not made needless by a list.
 */
function isFarBehind({ match, kind }: Candidate, built: readonly BuiltFunction[], objective: string): boolean {
  const isWanted = kind === 'search' && asksToSearch(objective);
  const proved = built.filter(({ certificate, candidate }) => certificate.state === 'proved' && !(isWanted && candidate.kind !== kind));
  return proved.some(({ candidate }) => match < candidate.match * (kind === candidate.kind ? 1 : FIT_SHARE_MIN));
}

/** Made of the same piece of evidence in the first place: the same form, the same search, the same request. */
function isProvedTwin({ candidate, certificate }: BuiltFunction, { from, kind, provenance, lane }: Candidate): boolean {
  if (certificate.state !== 'proved' || candidate.kind !== kind) return false;
  // What a page shows is what its scripts have asked for.
  const isShownTwin = candidate.lane !== lane && candidate.provenance.url === provenance.url;
  return candidate.from[0] === from[0] || isShownTwin;
}

/** What stood in front of the site, which no model would get past either. */
function wallBefore(ladder: Ladder): readonly string[] {
  const walls = ladder.filter(({ fallbackReason }) => fallbackReason === 'no_page_fetched').flatMap(({ measured }) => measured ?? []);
  return [...new Set(walls)].slice(-2);
}

function namesOf(named: { readonly name: string; readonly description: string } | undefined) {
  return named ? { name: named.name, description: named.description } : {};
}

/** What of a limit is said of a rung that came to something. */
function endedEarly({ stopped }: RungFinding): { readonly measured?: string } {
  return stopped === undefined ? {} : { measured: `It ended before it had looked at everything, because ${stopped}.` };
}

/** Why a rung hands over, in the order in which the reasons are decided, with what was measured. */
function handOver(
  { counts, isRefused, robotsRule, failure, stopped }: RungFinding,
  own: readonly Candidate[],
  fitting: readonly Candidate[],
  functions: readonly BuiltFunction[],
  aiSupervise: boolean,
): RungEnd {
  const base = { kind: 'handed_over', aiSupervise } as const;
  if (isRefused)
    return {
      ...base,
      reason: 'robots_refused',
      measured: `robots.txt refuses the target${robotsRule === undefined ? '' : `: ${robotsRule}`}.`,
    };
  const asked = `${counts.pages} pages of ${counts.requests} requests`;
  if (counts.pages === 0)
    return { ...base, reason: 'no_page_fetched', measured: `${asked} could be read${failure === undefined ? '' : `: ${failure}`}` };
  const shells = counts.shells > 0 ? `, ${counts.shells} of them to be filled by scripts` : '';
  const end = stopped === undefined ? '' : `; it ended because ${stopped}`;
  if (own.length > 0 && fitting.length === 0)
    return {
      ...base,
      reason: 'nothing_matched_objective',
      measured: `${asked}${shells}, ${own.length} candidates; none has a word of the objective${end}.`,
    };
  const broken = functions.map(({ name, certificate }) => `${name}: ${certificate.reason}`).join(' ');
  return {
    ...base,
    reason: 'no_structured_list',
    measured: `${asked}${shells}, ${own.length} candidates, 0 proved${end}. ${broken}`.trim().slice(0, 1_000),
  };
}

function emptyResult(): Omit<BuildResult, 'ladder'> {
  return {
    catalogue: mergeCatalogues(),
    draft: { functions: [], none_match: false },
    draftSource: 'mechanical',
    functions: [],
    unused: [],
  };
}
