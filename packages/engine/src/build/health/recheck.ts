// Proves a built function again by the inputs of its certificate, and says whether it still does what was proved.
import { isUnreached } from '../../monitor/network.ts';
import type { Unreached } from '../../monitor/network.ts';
import type { CallEnd } from '../asking/call-steps.ts';
import { SiteAsking } from '../asking/site-asking.ts';
import type { BuiltFunction } from '../functions/built-function.ts';
import type { BuildOptions } from '../options.ts';
import type { BuildPorts } from '../ports.ts';
import { ProofCalls } from '../proof/calls.ts';
import type { Call } from '../proof/calls.ts';
import type { Certificate, Probe, ProbeRole } from '../proof/certificate.ts';
import { decideProof, rowsMinOf } from '../proof/rules.ts';
import type { ProofFacts } from '../proof/rules.ts';
import { factsOf } from '../proof/verify.ts';
import { changeOf } from './change.ts';
import type { Broken, HealthChange } from './change.ts';
import { goneFields } from './gone-fields.ts';
import { PRICE, requestsMaxOf } from './price.ts';

/** What came of proving a function again. */
export interface Recheck {
  readonly function: string;
  /** What is not as it was proved; absent where it still holds. */
  readonly change?: HealthChange;
  /** Why its site could not be reached; absent where it was. `change` says so as well. */
  readonly unreached?: Unreached;
  /** True where its budget ended first: nothing is known then. */
  readonly isCut: boolean;
  /** Answers that the site was asked for. */
  readonly requests: number;
}

/** Words beside those of the certificate that are tried where a site has nothing more for them. */
const OTHER_WORDS_MAX = 2;
/**
 * Calls `built` as its certificate says that it was called. Texts, numbers, the order and the number of rows may be others than they were:
 * what is compared are these answers with each other, and their fields with those that were required. Throws PageError `aborted`.
 */
export async function recheckFunction(
  built: BuiltFunction,
  options: BuildOptions,
  ports: BuildPorts,
  signal: AbortSignal,
): Promise<Recheck> {
  const price = PRICE[built.candidate.lane];
  // Answers of a recheck are compared and not kept: the certificate stays that of the build.
  const asking = new SiteAsking(options, { ...ports, keepAnswer: async () => undefined }, { requestsMax: requestsMaxOf(built), price });
  const again = new ProofAgain(built, new ProofCalls(built, asking, signal));
  await again.run();
  const broken = asking.isSpent ? undefined : again.broken();
  const change = await changeOf(broken, { built, calls: again.calls, views: ports.views }, signal);
  const unreached = broken?.kind === 'call' ? unreachedBy(again.calls.ends[broken.role]) : undefined;
  return {
    function: built.name,
    ...(change ? { change } : {}),
    ...(unreached === undefined ? {} : { unreached }),
    isCut: asking.isSpent,
    requests: asking.requests,
  };
}

/** Why a call that no page answered did not come to its site. */
function unreachedBy(end: CallEnd | undefined): Unreached | undefined {
  const code = end?.pages.length === 0 ? end.failure?.code : undefined;
  return isUnreached(code) ? code : undefined;
}

class ProofAgain {
  readonly calls: ProofCalls;
  private readonly built: BuiltFunction;
  private readonly certificate: Certificate;

  constructor(built: BuiltFunction, calls: ProofCalls) {
    this.built = built;
    this.calls = calls;
    this.certificate = built.certificate;
  }

  /** The calls of the certificate, in its order; nothing more once the first has shown nothing. */
  async run(): Promise<void> {
    const spare = this.spareCalls();
    if (!(await this.makeOneOf('recorded', this.storedCalls('recorded', 'second'), spare))) return;
    const asked = this.calls.probes.find(({ role }) => role === 'recorded');
    const others = this.storedCalls('second', 'recorded').filter(({ inputs }) => !isSame(inputs, asked?.inputs));
    if (this.probe('second')) await this.makeOneOf('second', others, spare);
    if (asked && this.probe('repeat')) await this.calls.make({ ...callOf(asked), role: 'repeat' });
    for (const role of ['negative', 'page_2'] as const) {
      const stored = this.probe(role);
      // Pages that the function goes to by itself came with the recorded call.
      if (stored && !this.calls.probes.some((probe) => probe.role === role)) await this.calls.make({ ...callOf(stored), role });
    }
  }

  /** The first thing that is not as it was proved; undefined where all is. */
  broken(): Broken | undefined {
    const { calls, certificate } = this;
    for (const { role, failure, answer } of calls.probes) {
      const before = this.probe(role);
      // A page behind the last may be refused, and so may a word that nobody knows.
      if (role === 'negative' || role === 'page_2' || before?.failure !== undefined) continue;
      if (failure !== undefined || (answer && answer.status >= 400)) return { kind: 'call', role };
    }
    const { recorded } = calls.rows;
    if (!recorded || recorded.length < rowsMinOf(certificate)) return { kind: 'rows' };
    const gone = goneFields(certificate.required, [recorded, calls.rows.second ?? []].flat());
    if (gone.length > 0) return { kind: 'fields', fields: gone };
    const { state, reason, rules } = decideProof(this.facts());
    if (state !== 'failed') return undefined;
    return { kind: 'rule', rule: rules.find(({ verdict }) => verdict === 'broken')?.rule ?? '', reason };
  }

  private facts(): ProofFacts {
    const { probes, rows } = this.calls;
    const facts = factsOf({ ...this.certificate, probes }, rows);
    // That a list now ends with its first page is no change of the site: rows come and go.
    const { page_2: page2, ...others } = rows;
    return page2?.length === 0 ? { ...facts, hasPages: false, rows: others } : facts;
  }

  private async makeOneOf(role: 'recorded' | 'second', stored: readonly Call[], spare: readonly Call[]): Promise<boolean> {
    for (const call of [...stored, ...spare.filter((one) => !stored.some((other) => isSame(one.inputs, other.inputs)))]) {
      await this.calls.make({ ...call, role });
      const rows = this.calls.rows[role];
      if (!rows || rows.length >= rowsMinOf(this.certificate)) return rows !== undefined;
      if (!this.certificate.hasInput) return false;
      this.calls.forget(role);
      if (role === 'recorded' && this.built.candidate.paging?.mode !== 'input') this.calls.forget('page_2');
    }
    // What the site has nothing for any more: the first call says how that looks.
    if (role === 'recorded' && stored[0]) await this.calls.make({ ...stored[0], role });
    return false;
  }

  private storedCalls(...roles: readonly ProbeRole[]): readonly Call[] {
    return roles.flatMap((role) => {
      const probe = this.probe(role);
      return probe ? [callOf(probe)] : [];
    });
  }

  /** The recorded call with other words of the site. */
  private spareCalls(): readonly Call[] {
    const recorded = this.probe('recorded');
    const name = recorded && this.variedName(recorded);
    if (!recorded || name === undefined) return [];
    const tried = new Set(this.certificate.probes.map(({ inputs }) => inputs[name]));
    const values = this.certificate.otherWords.filter((value) => !tried.has(value)).slice(0, OTHER_WORDS_MAX);
    return values.map((value) => ({ role: 'recorded', inputs: { ...recorded.inputs, [name]: value }, word: value }));
  }

  /** The input that the certificate varies: what differs between the recorded and the second call. */
  private variedName({ inputs }: Probe): string | undefined {
    const second = this.probe('second')?.inputs ?? {};
    return Object.keys(inputs).find((name) => inputs[name] !== second[name]);
  }

  private probe(role: ProbeRole): Probe | undefined {
    return this.certificate.probes.find((probe) => probe.role === role);
  }
}

function callOf({ role, inputs, word }: Probe): Call {
  return { role, inputs, ...(word === undefined ? {} : { word }) };
}

function isSame(one: Probe['inputs'], other: Probe['inputs'] | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
