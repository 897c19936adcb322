// The draft of an API: which candidates become functions, and what is called what. Made of ids that were found, so that it can invent nothing.
import type { Candidate, Catalogue, EvidenceId } from './evidence/catalogue.ts';

/** Who filled the draft in. */
export type DraftSource = 'mechanical' | 'model' | 'picked';

/** One function of a draft. All ids are of the candidate's own parts. */
export interface DraftFunction {
  readonly candidate_id: EvidenceId;
  /** `^[a-z][a-z0-9_]{2,40}$`, unique in the draft. */
  readonly name: string;
  /** At most DESCRIPTION_MAX characters. */
  readonly description: string;
  readonly inputs: readonly DraftInput[];
  readonly fields: readonly DraftField[];
}

/** An input: a parameter with the role `input`, and the example it is tried with. */
export interface DraftInput {
  readonly param_id: EvidenceId;
  readonly name: string;
  readonly required: boolean;
  readonly example_id: EvidenceId;
}

/** A field that is kept, and what it is called. */
export interface DraftField {
  readonly field_id: EvidenceId;
  readonly name: string;
}

/** A draft that holds only what the catalogue has. */
export interface Draft {
  readonly functions: readonly DraftFunction[];
  /** True where whoever filled it in says that nothing fits the objective; it has no functions then. */
  readonly none_match: boolean;
}

/** What became of a draft that came from outside. */
export interface AcceptedDraft {
  readonly draft: Draft;
  /** What was left out of it, and why: a sentence each, at most DROPPED_MAX. */
  readonly dropped: readonly string[];
  /** How many things were left out. */
  readonly droppedCount: number;
}

/** A draft has at most so many functions. */
export const FUNCTIONS_MAX = 8;
/** Whoever drafts is shown so many candidates at most. */
export const CANDIDATES_SHOWN_MAX = 40;
const DESCRIPTION_MAX = 160;
const DROPPED_MAX = 50;
const INPUTS_MAX = 12;
const FIELDS_MAX = 60;
/** What a function is called. */
export const FUNCTION_NAME = /^[a-z][a-z0-9_]{2,40}$/;
/** What an input or a field is called. */
export const MEMBER_NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** The candidates that a draft may hold: the best ones, in the order of the catalogue. */
export function draftable(catalogue: Catalogue): readonly Candidate[] {
  return catalogue.candidates.slice(0, CANDIDATES_SHOWN_MAX);
}

/** The JSON Schema of a draft of `catalogue`. Each candidate is a branch of its own with its ids as enumerations: no free address, selector, parameter or value fits. */
export function draftSchema(catalogue: Catalogue): Readonly<Record<string, unknown>> {
  const branches = draftable(catalogue).map(functionSchema);
  return {
    type: 'object',
    additionalProperties: false,
    required: ['functions', 'none_match'],
    properties: {
      functions: { type: 'array', maxItems: FUNCTIONS_MAX, items: branches.length === 0 ? false : { anyOf: branches } },
      none_match: { type: 'boolean' },
    },
  };
}

function functionSchema({ id, parameters, fields }: Candidate): Readonly<Record<string, unknown>> {
  const inputs = parameters.filter(({ role }) => role === 'input');
  return {
    type: 'object',
    additionalProperties: false,
    required: ['candidate_id', 'name', 'description', 'inputs', 'fields'],
    properties: {
      candidate_id: { const: id },
      name: { type: 'string', pattern: FUNCTION_NAME.source },
      description: { type: 'string', maxLength: DESCRIPTION_MAX },
      inputs: {
        type: 'array',
        maxItems: inputs.length,
        items: inputs.length === 0 ? false : { anyOf: inputs.map(inputSchema) },
      },
      fields: { type: 'array', maxItems: fields.length, items: fields.length === 0 ? false : fieldSchema(fields.map((field) => field.id)) },
    },
  };
}

function inputSchema({ id, examples }: Candidate['parameters'][number]): Readonly<Record<string, unknown>> {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['param_id', 'name', 'required', 'example_id'],
    properties: {
      param_id: { const: id },
      name: { type: 'string', pattern: MEMBER_NAME.source },
      required: { type: 'boolean' },
      example_id: { enum: examples.map((example) => example.id) },
    },
  };
}

function fieldSchema(ids: readonly EvidenceId[]): Readonly<Record<string, unknown>> {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['field_id', 'name'],
    properties: { field_id: { enum: ids }, name: { type: 'string', pattern: MEMBER_NAME.source } },
  };
}

/**
 * What of `given`, which anybody may have written, is a draft of `catalogue`. Unknown ids and names that break their pattern are left out and
 * said; a function that is named twice counts once; what a function does not say (inputs, fields) is as its candidate has it. Undefined where
 * it is no draft at all, with the reason in `dropped`.
 */
export function acceptDraft(
  given: unknown,
  catalogue: Catalogue,
): AcceptedDraft | { readonly draft: undefined; readonly dropped: readonly string[]; readonly droppedCount: number } {
  const notes = new Notes();
  if (!isMembers(given) || !Array.isArray(given['functions'])) {
    notes.add('A draft is an object with "functions", a list; this is none.');
    return { draft: undefined, ...notes.taken() };
  }
  const known = new Map(draftable(catalogue).map((candidate) => [candidate.id, candidate]));
  const names = new Set<string>();
  const taken = new Set<EvidenceId>();
  const functions: DraftFunction[] = [];
  for (const [at, each] of (given['functions'] as readonly unknown[]).entries()) {
    if (functions.length >= FUNCTIONS_MAX) {
      notes.add(`Functions beyond the first ${FUNCTIONS_MAX} are left out.`);
      break;
    }
    const candidate = isMembers(each) && typeof each['candidate_id'] === 'string' ? known.get(each['candidate_id']) : undefined;
    if (!isMembers(each) || !candidate) notes.add(`Function ${at + 1} names no candidate that was found.`);
    else if (taken.has(candidate.id)) notes.add(`Function ${at + 1} is ${candidate.id} once more.`);
    else if (each['keep'] !== false) {
      taken.add(candidate.id);
      functions.push(functionOf(each, candidate, names, notes));
    }
  }
  const noneMatch = given['none_match'] === true;
  if (noneMatch && functions.length > 0) notes.add('It says that nothing matches, so its functions are left out.');
  return { draft: { functions: noneMatch ? [] : functions, none_match: noneMatch }, ...notes.taken() };
}

type Members = Readonly<Record<string, unknown>>;

function functionOf(given: Members, candidate: Candidate, names: Set<string>, notes: Notes): DraftFunction {
  const wanted = given['name'];
  const isName = typeof wanted === 'string' && FUNCTION_NAME.test(wanted) && !names.has(wanted);
  if (!isName) notes.add(`The name of ${candidate.id} is none, or taken; ${candidate.name} stays.`);
  const name = freeName(isName ? wanted : candidate.name, names);
  names.add(name);
  const text = given['description'];
  return {
    candidate_id: candidate.id,
    name,
    description: typeof text === 'string' && text.trim() !== '' ? oneLine(text).slice(0, DESCRIPTION_MAX) : candidate.description,
    inputs: inputsOf(given['inputs'], candidate, notes),
    fields: fieldsOf(given['fields'], candidate, notes),
  };
}

/** Every required input of the candidate, and those others that are asked for. */
function inputsOf(given: unknown, candidate: Candidate, notes: Notes): readonly DraftInput[] {
  const parameters = candidate.parameters.filter(({ role }) => role === 'input').slice(0, INPUTS_MAX);
  const told = new Map<string, Members>();
  for (const each of listOf(given)) {
    const id = isMembers(each) ? each['param_id'] : undefined;
    if (isMembers(each) && typeof id === 'string' && parameters.some((parameter) => parameter.id === id)) {
      if (!told.has(id)) told.set(id, each);
    } else notes.add(`An input of ${candidate.id} is no parameter of it.`);
  }
  const names = new Set<string>();
  return parameters
    .filter(({ id, required }) => required || given === undefined || told.has(id))
    .flatMap((parameter) => {
      const wish = told.get(parameter.id);
      const example = parameter.examples.find(({ id }) => id === wish?.['example_id']) ?? parameter.examples[0];
      if (!example) return [];
      if (wish && example.id !== wish['example_id']) notes.add(`The example of ${parameter.id} is none of those that were found.`);
      const name = memberName(wish?.['name'], parameter.name, names);
      return [{ param_id: parameter.id, name, required: parameter.required || wish?.['required'] === true, example_id: example.id }];
    });
}

function fieldsOf(given: unknown, candidate: Candidate, notes: Notes): readonly DraftField[] {
  const fields = candidate.fields.slice(0, FIELDS_MAX);
  const names = new Set<string>();
  const told: DraftField[] = [];
  for (const each of listOf(given)) {
    const field = isMembers(each) ? fields.find(({ id }) => id === each['field_id']) : undefined;
    if (!isMembers(each) || !field) notes.add(`A field of ${candidate.id} is none that was found.`);
    else if (!told.some(({ field_id: id }) => id === field.id))
      told.push({ field_id: field.id, name: memberName(each['name'], field.name, names) });
  }
  if (told.length > 0) return told;
  return fields.map(({ id, name }) => ({ field_id: id, name: memberName(name, name, names) }));
}

/** `wish` where it is a name, else what `fallback` gives; made unique among `names`. */
function memberName(wish: unknown, fallback: string, names: Set<string>): string {
  const name = freeName(typeof wish === 'string' && MEMBER_NAME.test(wish) ? wish : identifierOf(fallback), names);
  names.add(name);
  return name;
}

/** `text` as a name of an input or a field. */
export function identifierOf(text: string): string {
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[_0-9]+|_+$/g, '')
    .slice(0, 40);
  return plain === '' ? 'value' : plain;
}

/** `name`, with a number behind it where it is taken. */
export function freeName(name: string, names: ReadonlySet<string>): string {
  if (!names.has(name)) return name;
  for (let n = 2; ; n++) if (!names.has(`${name.slice(0, 37)}_${n}`)) return `${name.slice(0, 37)}_${n}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, FIELDS_MAX) : [];
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is left out, counted and, up to a bound, said. */
class Notes {
  private readonly said: string[] = [];
  private count = 0;

  add(sentence: string): void {
    this.count += 1;
    if (this.said.length < DROPPED_MAX) this.said.push(sentence);
  }

  taken(): { readonly dropped: readonly string[]; readonly droppedCount: number } {
    return { dropped: this.said, droppedCount: this.count };
  }
}
