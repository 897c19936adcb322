// Proves one function: calls it as it will be published, keeps the answers, and lets the rules decide.
import type { NewWorkflow } from '@weft/contract';
import type { SiteAsking } from '../asking/site-asking.ts';
import { identifierOf } from '../draft.ts';
import type { DraftFunction } from '../draft.ts';
import type { Candidate, Parameter } from '../evidence/catalogue.ts';
import { inputNames } from '../functions/workflow.ts';
import type { Row } from '../../run/reading/rows.ts';
import { sha256 } from '../../sha256.ts';
import { ProofCalls } from './calls.ts';
import type { Call } from './calls.ts';
import type { Certificate } from './certificate.ts';
import { PROOF_BOUNDS } from './generated/bounds.ts';
import { overlap, sameness, wordShare } from './measure.ts';
import { decideProof } from './rules.ts';
import { factsOf } from './verify.ts';

/** What is proved. */
export interface Provable {
  readonly draft: DraftFunction;
  readonly candidate: Candidate;
  readonly workflow: NewWorkflow;
}

/** A proof, and the rows of the recorded call, which show what the function gives. */
export interface Proved {
  readonly certificate: Certificate;
  readonly sample: readonly Row[];
}

/** A field is required of later rows that so many of the first ones had. */
const REQUIRED_MIN = 0.8;
const SECOND_TRIES = 3;

/** Makes the calls of a proof one after the other, stopping at the first that tells that there is none. Throws PageError `aborted`. */
export async function proveFunction(provable: Provable, asking: SiteAsking, signal: AbortSignal): Promise<Proved> {
  const { draft, candidate, workflow } = provable;
  asking.allowSearch(candidate.way);
  const startedAtMs = asking.ports.clock.now();
  const proof = new Proof(provable, asking, signal);
  await proof.run();
  const { input, isWord } = proof;
  const { probes, rows } = proof.calls;
  const facts = {
    version: 1,
    function: draft.name,
    candidate: candidate.id,
    kind: candidate.kind,
    hasInput: input !== undefined,
    isWord,
    hasChoices: input?.choices !== undefined,
    isSeen: proof.isSeen(),
    otherWords: isWord ? otherWords(input) : [],
    hasPages: candidate.paging !== undefined,
    ...pageRowsOf(candidate),
    ...(candidate.rows === undefined ? {} : { madeRows: candidate.rows }),
    required: requiredFields(candidate),
    lane: candidate.lane,
    reading: candidate.reading,
    probes,
    workflowSha256: sha256(JSON.stringify(workflow)),
    startedAtMs,
    endedAtMs: asking.ports.clock.now(),
  } as const;
  return { certificate: { ...facts, ...decideProof(factsOf(facts, rows)) }, sample: rows.recorded ?? [] };
}

/** Words that came from where those came from that the function was made with: what a site offers, or what its rows are called. */
function otherWords(input: Parameter | undefined): readonly string[] {
  const { examples = [] } = input ?? {};
  return examples.filter(({ seenIn }) => seenIn === examples[0]?.seenIn).map(({ value }) => value);
}

function pageRowsOf({ parameters }: Candidate): Pick<Certificate, 'pageRows'> {
  const { pageRows } = parameters.find(({ role }) => role === 'page' || role === 'offset') ?? {};
  return pageRows === undefined ? {} : { pageRows };
}

function requiredFields({ fields, reading }: Candidate): readonly string[] {
  const often = fields.filter(({ filled }) => filled >= REQUIRED_MIN);
  return often.map(({ id, name }) => (reading.from === 'html' ? identifierOf(name) : id.toLowerCase()));
}

/** The calls of one proof. */
class Proof {
  readonly calls: ProofCalls;
  /** The input that is varied; undefined for a function without one. */
  readonly input: Parameter | undefined;
  readonly isWord: boolean;
  private readonly provable: Provable;
  private readonly asking: SiteAsking;

  constructor(provable: Provable, asking: SiteAsking, signal: AbortSignal) {
    this.provable = provable;
    this.asking = asking;
    this.calls = new ProofCalls(provable, asking, signal);
    this.input = variedInput(provable);
    this.isWord = provable.candidate.kind === 'search' && this.input?.choices === undefined;
  }

  /** True where the words that it was called with stand in rows of the site. */
  isSeen(): boolean {
    const words = this.calls.probes.filter(({ role }) => role === 'recorded' || role === 'second').map(({ word }) => word);
    const seen = new Set(this.input?.examples.filter(({ seenIn }) => seenIn === 'row').map(({ value }) => value));
    return words.length > 0 && words.every((word) => word !== undefined && seen.has(word));
  }

  async run(): Promise<void> {
    const { first, others } = this.examples();
    await this.calls.make({ role: 'recorded', ...this.with(first) });
    if ((this.calls.rows.recorded?.length ?? 0) === 0) return;
    await this.callSecond(others);
    const isRepeated = await this.callAgain(first);
    if (this.input && this.input.choices === undefined)
      await this.calls.make({ role: 'negative', ...this.with(this.asking.ports.nonsense()) });
    // What answers at random may repeat itself once by chance; what is kept is the answer that tells most against it.
    if (isRepeated) await this.callAgain(first);
    await this.callPage(first);
  }

  /**
   * With the first of the site's other values whose rows tell something, else with the one that has most: not every word of a row is one that
   * the site looks for, one row may be among those of the first word, and excerpts may leave out what was asked for.
   */
  private async callSecond(values: readonly string[]): Promise<void> {
    const ask = async (value: string) => {
      this.calls.forget('second');
      await this.calls.make({ role: 'second', ...this.with(value) });
      return this.calls.rows.second ?? [];
    };
    const counts: { readonly value: string; readonly count: number }[] = [];
    for (const value of values) {
      const rows = await ask(value);
      if (this.tells(rows, value)) return;
      counts.push({ value, count: rows.length });
    }
    const [most] = counts.toSorted((a, b) => b.count - a.count);
    if (most && most.value !== values.at(-1)) await ask(most.value);
  }

  /** The recorded call once more, in the place of one that was made before; true where it is answered with the same rows. */
  private async callAgain(first: string | undefined): Promise<boolean> {
    this.calls.forget('repeat');
    await this.calls.make({ role: 'repeat', ...this.with(first) });
    const { recorded = [], repeat = [] } = this.calls.rows;
    return sameness(recorded, repeat) >= PROOF_BOUNDS.repeatMin;
  }

  /** True for rows of which most speak of a word, and not all are rows of the first word as well. */
  private tells(rows: readonly Row[], value: string): boolean {
    if (!this.isWord || rows.length === 0) return rows.length > 0;
    const words = this.calls.probes.flatMap(({ word }) => word ?? []);
    const isNew = overlap(this.calls.rows.recorded ?? [], rows, words) <= PROOF_BOUNDS.secondOverlapMax;
    return isNew && wordShare(rows, value) >= PROOF_BOUNDS.wordShareMin;
  }

  /** The value that it was recorded with, and the others: first those that nothing was built from. */
  private examples(): { readonly first: string | undefined; readonly others: readonly string[] } {
    const { input, provable } = this;
    if (!input) return { first: undefined, others: [] };
    const asked = provable.draft.inputs.find(({ param_id: id }) => id === input.id);
    const first = input.examples.find(({ id }) => id === asked?.example_id) ?? input.examples[0];
    const others = input.examples.filter((example) => example !== first && example.value !== first?.value);
    // The first two were looked at when the function was made.
    const isFresh = (example: (typeof others)[number]) => input.examples.indexOf(example) >= 2;
    const values = others.filter(isFresh).slice(0, SECOND_TRIES - 1);
    const known = others.filter((example) => !isFresh(example)).slice(0, 1);
    return { first: first?.value, others: [...values, ...known].map(({ value }) => value) };
  }

  /** The places of one address belong together: those of a detail are those of one example. */
  private with(value: string | undefined): Omit<Call, 'role'> {
    const { draft, candidate } = this.provable;
    const byId = new Map(candidate.parameters.map((parameter) => [parameter.id, parameter]));
    const isDetail = candidate.kind === 'detail';
    const place = isDetail ? (this.input?.examples.findIndex((example) => example.value === value) ?? -1) : -1;
    const inputs: Record<string, string> = {};
    for (const { param_id: id, example_id: exampleId, name, required } of draft.inputs) {
      const parameter = byId.get(id);
      const own = parameter?.examples[place]?.value ?? parameter?.examples.find((example) => example.id === exampleId)?.value;
      if (id === this.input?.id && value !== undefined) inputs[name] = value;
      else if (required && own !== undefined) inputs[name] = own;
    }
    return { inputs, ...((this.isWord || isDetail) && value !== undefined ? { word: value } : {}) };
  }

  private async callPage(first: string | undefined): Promise<void> {
    const { candidate, draft } = this.provable;
    const { paging } = candidate;
    if (paging?.mode !== 'input') return;
    const parameter = candidate.parameters.find(({ id }) => id === paging.parameter);
    const name = inputNames(draft, candidate).get(paging.parameter);
    if (!parameter || name === undefined) return;
    const { inputs, ...rest } = this.with(first);
    await this.calls.make({
      role: 'page_2',
      ...rest,
      inputs: { ...inputs, [name]: Number(parameter.initial ?? 1) + (parameter.step ?? 1) },
    });
  }
}

/** The first required input, or the only one. */
function variedInput({ draft, candidate }: Provable): Parameter | undefined {
  const inputs = draft.inputs.flatMap(({ param_id: id, required }) => {
    const parameter = candidate.parameters.find((each) => each.id === id);
    return parameter ? [{ parameter, required }] : [];
  });
  return (inputs.find(({ required }) => required) ?? inputs[0])?.parameter;
}
