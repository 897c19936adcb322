// Proves one function: calls it as it will be published, keeps the answers, and lets the rules decide.
import type { NewWorkflow } from '@weft/contract';
import { callSteps } from '../asking/call-steps.ts';
import type { CallEnd, CalledPage } from '../asking/call-steps.ts';
import type { SiteAsking } from '../asking/site-asking.ts';
import { identifierOf } from '../draft.ts';
import type { DraftFunction } from '../draft.ts';
import type { Candidate, Parameter } from '../evidence/catalogue.ts';
import { inputNames } from '../functions/workflow.ts';
import type { Row } from '../../run/reading/rows.ts';
import { sha256 } from '../../sha256.ts';
import type { Certificate, Probe, ProbeRole } from './certificate.ts';
import { readingRequestOf } from './read-rows.ts';
import { decideProof } from './rules.ts';
import { factsOf, hashOfRows } from './verify.ts';

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

type Inputs = Readonly<Record<string, string | number>>;

/** One call that is to be made. */
interface Call {
  readonly role: ProbeRole;
  readonly inputs: Inputs;
  readonly word?: string;
}

/** Makes the calls of a proof one after the other, stopping at the first that tells that there is none. Throws PageError `aborted`. */
export async function proveFunction(provable: Provable, asking: SiteAsking, signal: AbortSignal): Promise<Proved> {
  const { draft, candidate, workflow } = provable;
  asking.allowSearch(candidate.way);
  const startedAtMs = asking.ports.clock.now();
  const proof = new Proof(provable, asking, signal);
  await proof.run();
  const { input, isWord } = proof;
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
    required: requiredFields(candidate),
    lane: candidate.lane,
    reading: candidate.reading,
    probes: proof.probes,
    workflowSha256: sha256(JSON.stringify(workflow)),
    startedAtMs,
    endedAtMs: asking.ports.clock.now(),
  } as const;
  return { certificate: { ...facts, ...decideProof(factsOf(facts, proof.rows)) }, sample: proof.rows.recorded ?? [] };
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
  readonly probes: Probe[] = [];
  readonly rows: Partial<Record<ProbeRole, readonly Row[]>> = {};
  /** The input that is varied; undefined for a function without one. */
  readonly input: Parameter | undefined;
  readonly isWord: boolean;
  private readonly provable: Provable;
  private readonly asking: SiteAsking;
  private readonly signal: AbortSignal;

  constructor(provable: Provable, asking: SiteAsking, signal: AbortSignal) {
    this.provable = provable;
    this.asking = asking;
    this.signal = signal;
    this.input = variedInput(provable);
    this.isWord = provable.candidate.kind === 'search' && this.input?.choices === undefined;
  }

  /** True where the words that it was called with stand in rows of the site. */
  isSeen(): boolean {
    const words = this.probes.filter(({ role }) => role === 'recorded' || role === 'second').map(({ word }) => word);
    const seen = new Set(this.input?.examples.filter(({ seenIn }) => seenIn === 'row').map(({ value }) => value));
    return words.length > 0 && words.every((word) => word !== undefined && seen.has(word));
  }

  async run(): Promise<void> {
    const { first, others } = this.examples();
    await this.call({ role: 'recorded', ...this.with(first) });
    if ((this.rows.recorded?.length ?? 0) === 0) return;
    await this.callSecond(others);
    await this.call({ role: 'repeat', ...this.with(first) });
    if (this.input && this.input.choices === undefined) await this.call({ role: 'negative', ...this.with(this.asking.ports.nonsense()) });
    await this.callPage(first);
  }

  /** With the first of the site's other values that has rows: not every word of a row is one that the site looks for. */
  private async callSecond(values: readonly string[]): Promise<void> {
    for (const value of values) {
      const before = this.probes.length;
      await this.call({ role: 'second', ...this.with(value) });
      if ((this.rows.second?.length ?? 0) > 0 || value === values.at(-1)) return;
      this.probes.length = before;
      delete this.rows.second;
    }
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

  private with(value: string | undefined): Omit<Call, 'role'> {
    const { draft, candidate } = this.provable;
    const byId = new Map(candidate.parameters.map((parameter) => [parameter.id, parameter]));
    const inputs: Record<string, string> = {};
    for (const { param_id: id, example_id: exampleId, name, required } of draft.inputs) {
      const parameter = byId.get(id);
      const own = parameter?.examples.find((example) => example.id === exampleId)?.value;
      if (id === this.input?.id && value !== undefined) inputs[name] = value;
      else if (required && own !== undefined) inputs[name] = own;
    }
    return { inputs, ...(this.isWord && value !== undefined ? { word: value } : {}) };
  }

  private async callPage(first: string | undefined): Promise<void> {
    const { candidate, draft } = this.provable;
    const { paging } = candidate;
    if (paging?.mode !== 'input') return;
    const parameter = candidate.parameters.find(({ id }) => id === paging.parameter);
    const name = inputNames(draft, candidate).get(paging.parameter);
    if (!parameter || name === undefined) return;
    const { inputs, ...rest } = this.with(first);
    await this.call({ role: 'page_2', ...rest, inputs: { ...inputs, [name]: Number(parameter.initial ?? 1) + (parameter.step ?? 1) } });
  }

  private async call(call: Call): Promise<void> {
    const { workflow, candidate } = this.provable;
    const end = await callSteps({ steps: workflow.steps, lane: candidate.lane }, call.inputs, this.asking, this.signal);
    const [page, next] = end.pages;
    await this.keep(call, page, end, end.pages.length <= 1);
    if (call.role === 'recorded' && candidate.paging && candidate.paging.mode !== 'input')
      await this.keep({ ...call, role: 'page_2' }, next, end, false);
  }

  /** Keeps the answer of one call, and its rows. `isWhole`: the run kept the rows of this page alone. */
  private async keep({ role, inputs, word }: Call, page: CalledPage | undefined, end: CallEnd, isWhole: boolean): Promise<void> {
    const told = { role, inputs, ...(word === undefined ? {} : { word }) };
    // To refuse what nobody can know is an answer without rows.
    const refused = page !== undefined && (page.status >= 400 || (role === 'negative' && end.failure !== undefined));
    if (!page || (end.failure && !refused)) {
      this.probes.push({ ...told, rows: 0, rowsSha256: hashOfRows([]), failure: end.failure?.message ?? 'No page came.' });
      return;
    }
    const rows = refused ? [] : await this.rowsOf(page);
    if (isWhole && end.rows.length !== rows.length && !refused) {
      const failure = `The run kept ${end.rows.length} rows, and its answer has ${rows.length}.`;
      this.probes.push({ ...told, rows: 0, rowsSha256: hashOfRows([]), failure });
      return;
    }
    const { body, url, status, contentType, lane, method, atMs } = page;
    const hash = sha256(body);
    await this.asking.ports.keepAnswer(hash, body);
    const answer = {
      method,
      url,
      status,
      ...(contentType === undefined ? {} : { contentType }),
      lane,
      atMs,
      bytes: body.length,
      sha256: hash,
    };
    const failure = end.failure ? { failure: end.failure.message } : {};
    this.probes.push({ ...told, answer, rows: rows.length, rowsSha256: hashOfRows(rows), ...failure });
    this.rows[role] = rows;
  }

  private async rowsOf(page: CalledPage): Promise<readonly Row[]> {
    const { reading } = this.provable.candidate;
    const { result } = await this.asking.ports.views.run('reading', readingRequestOf(reading, page), this.signal);
    return result.rows?.rows ?? [];
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
