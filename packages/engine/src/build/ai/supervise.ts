// The supervising call: one question to a model, which may choose among what was found and name it, and nothing else. Specification, "Build option rules".
import type { Model, ModelQuestion } from '../../model/model.ts';
import { estimateTokens, ModelError } from '../../model/model.ts';
import { asData, DATA_RULE, plainLine } from '../../model/untrusted.ts';
import { toWireSchema } from '../../model/wire-schema.ts';
import { draftable, draftSchema, FUNCTION_NAME, FUNCTIONS_MAX } from '../draft.ts';
import type { Candidate, Catalogue, Parameter } from '../evidence/catalogue.ts';
import type { BuildPorts, SuperviseRequest } from '../ports.ts';

/** What the call stands on. */
export interface SupervisePorts {
  readonly model: Model;
  /** Takes values in use out of a text (D34). */
  readonly mask: (text: string) => string;
  /** A word that nobody can foresee, another one at each call. */
  readonly nonce: () => string;
}

const TIMEOUT_MS = 90_000;
const OUTPUT_TOKENS_MAX = 4_000;
const OBJECTIVE_CHARS = 500;
const TEXT_CHARS = 160;
const SAMPLE_CHARS = 120;
const SAMPLES_SHOWN = 3;
const FIELDS_SHOWN = 30;
const EXAMPLES_SHOWN = 8;
const EXAMPLE_CHARS = 60;

const SYSTEM = {
  draft: `You turn what was found on a web site into functions of an API, for the objective that is given. Each candidate of the list is a way to ask the site for rows. Choose those that serve the objective, at most ${FUNCTIONS_MAX}, the best first. Give each a name in snake_case that says what it returns, a description in one sentence, its inputs with a name and an example each, and its fields with a name each: leave out fields that are of no use to the objective. Only ids of the same candidate belong to it. If nothing serves the objective, answer no functions and set none_match.`,
  rank: `You order what was found on a web site by how useful it is for the objective, or in general where none is given, and name each in snake_case for what it returns. The best comes first, at most ${FUNCTIONS_MAX}. If nothing is useful, answer no functions and set none_match.`,
} as const;

/** The call, as a build asks for it. It ends in a draft that is still to be held against the catalogue, or in the reason why there is none. */
export function createSupervise(ports: SupervisePorts): NonNullable<BuildPorts['supervise']> {
  return async (request, signal) => {
    const fitted = fitQuestion(request, ports);
    if (!fitted) return { tokensIn: 0, tokensOut: 0, reason: 'Nothing was found that could be shown to the model within its tokens.' };
    const { question, reason } = fitted;
    try {
      const { value, spent } = await ports.model.ask(question, signal);
      return { draft: value, tokensIn: spent.inputTokens, tokensOut: spent.outputTokens, ...(reason === undefined ? {} : { reason }) };
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      const { inputTokens: tokensIn, outputTokens: tokensOut } = error.spent;
      return { tokensIn, tokensOut, reason: error.message };
    }
  };
}

/** The question with as many candidates as its tokens allow, best first; undefined where not even one is left. */
function fitQuestion(
  request: SuperviseRequest,
  ports: SupervisePorts,
): { readonly question: ModelQuestion; readonly reason?: string } | undefined {
  const all = draftable(request.catalogue).length;
  const nonce = ports.nonce();
  for (let shown = all; shown > 0; shown = Math.floor(shown * 0.75)) {
    const question = questionOf(
      request,
      { ...request.catalogue, candidates: request.catalogue.candidates.slice(0, shown).map(inShort) },
      ports.mask,
      nonce,
    );
    const tokens = estimateTokens(question.system + question.text + JSON.stringify(question.schema));
    if (tokens > ports.model.bounds.inputTokensMax || !isUsable(question.schema)) continue;
    return { question, ...(shown < all ? { reason: `${all - shown} of ${all} candidates did not fit into the question.` } : {}) };
  }
  return undefined;
}

/** What the checker of answers takes: see packages/engine/src/schema/limits.ts. */
function isUsable(schema: object): boolean {
  return JSON.stringify(schema).length <= SCHEMA_CHARS_MAX;
}

const SCHEMA_CHARS_MAX = 90_000;

function questionOf(
  { url, objective, task }: SuperviseRequest,
  catalogue: Catalogue,
  mask: (text: string) => string,
  nonce: string,
): ModelQuestion {
  const clean = (text: string, charsMax: number) => plainLine(mask(text), charsMax);
  const data = {
    site: clean(siteOf(url), TEXT_CHARS),
    candidates: catalogue.candidates.map((candidate) => (task === 'draft' ? shownWhole(candidate, clean) : shownBriefly(candidate, clean))),
  };
  const wish = clean(objective, OBJECTIVE_CHARS);
  return {
    name: task === 'draft' ? 'draft' : 'ranking',
    system: `${SYSTEM[task]}\n\n${DATA_RULE}`,
    text: `Objective: ${wish === '' ? '(none)' : JSON.stringify(wish)}\n\n${asData(data, nonce)}`,
    schema: toWireSchema(task === 'draft' ? draftSchema(catalogue) : rankingSchema(catalogue)),
    accepts: ANY_DRAFT,
    bounds: { timeoutMs: TIMEOUT_MS, outputTokensMax: OUTPUT_TOKENS_MAX },
  };
}

/** A draft is held against the catalogue id by id: one name that breaks its pattern costs that name, and not the whole draft. */
const ANY_DRAFT = {
  type: 'object',
  required: ['functions'],
  properties: { functions: { type: 'array', items: { type: 'object' } } },
} as const;

/** Order and names alone: a draft without inputs and fields. */
function rankingSchema({ candidates }: Catalogue): Readonly<Record<string, unknown>> {
  const item = {
    type: 'object',
    additionalProperties: false,
    required: ['candidate_id', 'name'],
    properties: {
      candidate_id: { enum: candidates.map(({ id }) => id) },
      name: { type: 'string', pattern: FUNCTION_NAME.source },
    },
  };
  return {
    type: 'object',
    additionalProperties: false,
    required: ['functions', 'none_match'],
    properties: { functions: { type: 'array', maxItems: FUNCTIONS_MAX, items: item }, none_match: { type: 'boolean' } },
  };
}

/** A candidate with no more parts than are shown of it. */
function inShort(candidate: Candidate): Candidate {
  const parameters = candidate.parameters.map((parameter) => ({ ...parameter, examples: parameter.examples.slice(0, EXAMPLES_SHOWN) }));
  return { ...candidate, parameters, fields: candidate.fields.slice(0, FIELDS_SHOWN) };
}

type Clean = (text: string, charsMax: number) => string;

function shownBriefly({ id, kind, name, description, way, fields, samples }: Candidate, clean: Clean): object {
  return {
    id,
    kind,
    name: clean(name, TEXT_CHARS),
    description: clean(description, TEXT_CHARS),
    at: clean(placeOf(way), TEXT_CHARS),
    fields: fields.map((field) => clean(field.name, TEXT_CHARS)),
    samples: samples.slice(0, SAMPLES_SHOWN).map((sample) => clean(sample, SAMPLE_CHARS)),
  };
}

function shownWhole(candidate: Candidate, clean: Clean): object {
  return {
    ...shownBriefly(candidate, clean),
    inputs: candidate.parameters.filter(({ role }) => role === 'input').map((parameter) => shownInput(parameter, clean)),
    fields: candidate.fields.map(({ id, name, type, samples }) => ({
      id,
      name: clean(name, TEXT_CHARS),
      type,
      sample: clean(samples[0] ?? '', EXAMPLE_CHARS),
    })),
  };
}

/** Tokens and constants are sent by the function without anybody's help, so their values are in no question. */
function shownInput({ id, name, label = '', required, examples }: Parameter, clean: Clean): object {
  return {
    id,
    name: clean(name, TEXT_CHARS),
    label: clean(label, TEXT_CHARS),
    required,
    examples: examples.map((example) => ({ id: example.id, value: clean(example.value, EXAMPLE_CHARS) })),
  };
}

/** Where a candidate asks: path and names of the query, whose values may be anybody's. */
function placeOf(way: Candidate['way']): string {
  const url = URL.parse('url' in way ? way.url : way.pageUrl);
  if (!url) return '';
  const names = [...new Set(url.searchParams.keys())];
  return decodeSafely(url.pathname) + (names.length > 0 ? `?${names.join('&')}` : '');
}

function siteOf(url: string): string {
  return URL.parse(url)?.host ?? '';
}

function decodeSafely(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
