// Writes what a draft says of a candidate as a workflow: how it asks, how it reads, which inputs it takes.
import type { Fields, NewWorkflow, Selectors, Step } from '@weft/contract';
import type { JsonValue } from '../../html/loose-json.ts';
import { literalTemplate } from '../../run/exchange/untrusted.ts';
import { isMembers, membersFrom } from '../../run/value.ts';
import { identifierOf } from '../draft.ts';
import type { DraftFunction } from '../draft.ts';
import type { AskingWay, Candidate, EvidenceId, PagingWay, Parameter, RowReading } from '../evidence/catalogue.ts';
import { itemPathOf } from './item-path.ts';

/** The step whose rows are the function's. */
export const ROWS_STEP = 'rows';
/** A page that a script fills is given so long to show its rows. */
const SHOWN_MS = 4_000;

/** An input of a function as its JSON Schema has it. */
type InputSchema = Readonly<Record<string, unknown>>;

/** The workflow of `draft`, a function of `candidate`. Its inputs are those of the draft, and the page where the caller counts pages. */
export function workflowOf(draft: DraftFunction, candidate: Candidate): NewWorkflow {
  const names = inputNames(draft, candidate);
  const fill = new Filling(candidate.parameters, names);
  const steps = [...askingSteps(candidate.way, candidate, fill), ...readingSteps(draft, candidate)];
  const inputs = inputsSchema(draft, candidate, names);
  return {
    name: draft.name,
    format: 1,
    ...(inputs ? { inputs } : {}),
    lane: candidate.lane,
    steps: paged(steps, candidate.paging),
  };
}

/** The names under which a caller gives each parameter; those that nobody gives are not in it. */
export function inputNames({ inputs }: DraftFunction, { parameters }: Candidate): ReadonlyMap<EvidenceId, string> {
  const names = new Map(inputs.map(({ param_id: id, name }) => [id, name]));
  const taken = new Set(names.values());
  for (const { id, role } of parameters) {
    if (role !== 'page' && role !== 'offset') continue;
    names.set(id, taken.has(role) ? `${role}_number` : role);
  }
  return names;
}

function inputsSchema(draft: DraftFunction, candidate: Candidate, names: ReadonlyMap<EvidenceId, string>): InputSchema | undefined {
  if (names.size === 0) return undefined;
  const required = draft.inputs.filter((input) => input.required).map(({ name }) => name);
  const byId = new Map(candidate.parameters.map((parameter) => [parameter.id, parameter]));
  const properties = [...names].map(([id, name]) => [name, inputSchema(byId.get(id))] as const);
  return { type: 'object', additionalProperties: false, required, properties: membersFrom(properties) };
}

function inputSchema(parameter: Parameter | undefined): InputSchema {
  if (!parameter) return { type: 'string' };
  const { role, label, choices, examples, initial, step = 1 } = parameter;
  // A form may begin with nothing, and offer it: "- all -".
  const mayBeEmpty = initial === '' || choices?.some(({ value }) => value === '') === true;
  if (role === 'page') return { type: 'integer', minimum: Number(initial ?? 1), default: Number(initial ?? 1), description: 'Which page.' };
  if (role === 'offset')
    return { type: 'integer', minimum: 0, default: Number(initial ?? 0), description: `How many rows to pass over; a page has ${step}.` };
  return {
    type: 'string',
    ...(mayBeEmpty ? {} : { minLength: 1 }),
    maxLength: 500,
    ...(label === undefined ? {} : { description: label }),
    ...(choices ? { enum: choices.map(({ value }) => value) } : {}),
    ...(initial === undefined ? {} : { default: initial }),
    examples: examples.slice(0, 5).map(({ value }) => value),
  };
}

/** The steps that ask in `way` with these values, by the ids of parameters, and no more: what a search is tried with. */
export function askingStepsOf(
  way: AskingWay,
  parameters: readonly Parameter[],
  values: Readonly<Record<EvidenceId, string>>,
): { readonly steps: readonly Step[]; readonly inputs: Readonly<Record<string, string>> } {
  const given = Object.entries(values).map(([id, value]) => [id, id.toLowerCase(), value] as const);
  const fill = new Filling(parameters, new Map(given.map(([id, name]) => [id, name])));
  return { steps: askingSteps(way, undefined, fill), inputs: membersFrom(given.map(([, name, value]) => [name, value] as const)) };
}

/** Puts parameters where a way has their places. */
class Filling {
  private readonly parameters: ReadonlyMap<EvidenceId, Parameter>;
  private readonly names: ReadonlyMap<EvidenceId, string>;

  constructor(parameters: readonly Parameter[], names: ReadonlyMap<EvidenceId, string>) {
    this.parameters = new Map(parameters.map((parameter) => [parameter.id, parameter]));
    this.names = names;
  }

  /** `text`, in which `{P1}` stands for a parameter and `{P1+20}` for what is 20 more, as a template. */
  template(text: string): string {
    return text
      .split(/(\{P\d+(?:\+\d+)?\})/)
      .map((part) => {
        const [, id, more = '0'] = /^\{(P\d+)(?:\+(\d+))?\}$/.exec(part) ?? [];
        return id === undefined ? literalTemplate(part) : this.place(id, Number(more));
      })
      .join('');
  }

  json(value: JsonValue): unknown {
    if (typeof value === 'string') return this.template(value);
    if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => this.json(item));
    return isMembers(value)
      ? membersFrom(Object.entries(value).map(([name, item]) => [name, this.json(item as JsonValue)] as const))
      : value;
  }

  all(values: Readonly<Record<string, string>>): Record<string, string> {
    return membersFrom(Object.entries(values).map(([name, text]) => [name, this.template(text)] as const));
  }

  private place(id: EvidenceId, more: number): string {
    const parameter = this.parameters.get(id);
    const name = this.names.get(id);
    if (parameter?.role === 'token') return `{{steps.token.out.value}}`;
    if (name === undefined)
      return literalTemplate(more === 0 ? (parameter?.initial ?? '') : String(Number(parameter?.initial ?? 0) + more));
    const { initial } = parameter ?? {};
    const filters = [...(initial === undefined ? [] : [`default: ${quoted(initial)}`]), ...(more === 0 ? [] : [`plus: ${more}`])];
    return `{{${[`inputs.${name}`, ...filters].join(' | ')}}}`;
  }
}

function quoted(text: string): string {
  if (/^\d{1,15}$/.test(text)) return text;
  return text.includes('"') ? `'${text.replaceAll("'", '')}'` : `"${text}"`;
}

function askingSteps(way: AskingWay, candidate: Candidate | undefined, fill: Filling): readonly Step[] {
  switch (way.kind) {
    case 'address':
      return way.headers
        ? [{ id: 'ask', type: 'request', url: fill.template(way.url), headers: fill.all(way.headers) }]
        : [{ id: 'open', type: 'navigate', url: fill.template(way.url) }, ...shownSteps(candidate)];
    case 'form':
      return [
        {
          id: 'send',
          type: 'form',
          url: fill.template(way.pageUrl),
          selectors: [way.selector],
          fields: fill.all(way.controls),
        },
        ...shownSteps(candidate),
      ];
    case 'control':
      return [
        { id: 'open', type: 'navigate', url: fill.template(way.pageUrl), wait_until: 'networkidle' },
        { id: 'type', type: 'change', selectors: [way.selector], value: fill.template(`{${way.parameter}}`) },
        { id: 'press', type: 'keyDown', key: 'Enter' },
        { id: 'release', type: 'keyUp', key: 'Enter' },
        ...shownSteps(candidate),
      ];
    case 'request':
      return requestSteps(way, fill);
  }
}

function requestSteps(way: Extract<AskingWay, { kind: 'request' }>, fill: Filling): readonly Step[] {
  const { tokenFrom, headers, json, form, method } = way;
  const token: readonly Step[] = tokenFrom
    ? [
        { id: 'open', type: 'navigate', url: fill.template(tokenFrom.pageUrl) },
        { id: 'token', type: 'extract', fields: { value: { selectors: [tokenFrom.selector], attr: tokenFrom.attr, required: true } } },
      ]
    : [];
  return [
    ...token,
    {
      id: 'ask',
      type: 'request',
      ...(method === 'GET' ? {} : { method }),
      url: fill.template(way.url),
      ...(headers ? { headers: fill.all(headers) } : {}),
      ...(json === undefined ? {} : { json: fill.json(json) }),
      ...(form === undefined ? {} : { form: fill.all(form) }),
    },
  ];
}

/** In a browser, rows may come behind their page; a page without any is read once they had their time. */
function shownSteps(candidate: Candidate | undefined): readonly Step[] {
  if (!candidate) return [];
  const { lane, reading } = candidate;
  if (lane !== 'browser') return [];
  const selectors =
    reading.from === 'html' ? reading.wrapper.selectors.map(({ css }) => css) : reading.from === 'page' ? shownFirst(reading) : [];
  if (selectors.length === 0) return [];
  return [{ id: 'shown', type: 'waitForElement', selectors, timeout: SHOWN_MS, on_error: 'continue' }];
}

function readingSteps(draft: DraftFunction, candidate: Candidate): readonly Step[] {
  const { reading } = candidate;
  const names = new Map(draft.fields.map(({ field_id: id, name }) => [id, name]));
  if (reading.from === 'html') return [{ id: ROWS_STEP, type: 'extractList', min: 0, wrapper: wrapperOf(reading, candidate, names) }];
  if (reading.from === 'page') return [{ id: ROWS_STEP, type: 'extract', fields: pageFields(reading, names) }];
  const paths = [...names].map(([id, name]) => [name, reading.fields[id] ?? ''] as const).filter(([, path]) => path !== '');
  if (asksByRequest(candidate.way)) return emitSteps(reading.path, paths);
  const fields = membersFrom(paths.map(([name, path]) => [name, { path }] as const));
  return [{ id: ROWS_STEP, type: 'extractList', from: reading.from, min: 0, path: reading.path, fields }];
}

/** What of a page has to be there before it is read. */
function shownFirst({ fields }: Extract<RowReading, { from: 'page' }>): Selectors {
  return Object.values(fields).find(({ required }) => required)?.selectors ?? [];
}

/** At least one field is required: a page without it is none of the kind. */
function pageFields({ fields }: Extract<RowReading, { from: 'page' }>, names: ReadonlyMap<EvidenceId, string>): Fields {
  const kept = [...names].flatMap(([id, name]) => (fields[id] ? [{ name, rule: fields[id] }] : []));
  const isTold = kept.some(({ rule }) => rule.required === true);
  return membersFrom(kept.map(({ name, rule }, place) => [name, isTold || place > 0 ? rule : { ...rule, required: true }] as const));
}

/** True where the answer is that of a `request` step, which is no page that a list step could read. */
export function asksByRequest(way: AskingWay): boolean {
  return way.kind === 'request' || (way.kind === 'address' && way.headers !== undefined);
}

function wrapperOf(reading: Extract<RowReading, { from: 'html' }>, { fields }: Candidate, names: ReadonlyMap<EvidenceId, string>) {
  const kept = reading.wrapper.fields.flatMap(({ label, ...field }, place) => {
    const name = names.get(fields[place]?.id ?? '');
    return name === undefined ? [] : [{ ...field, name, ...(label === undefined ? {} : { label }) }];
  });
  const { version, selectors, template, run, lines } = reading.wrapper;
  return {
    version,
    selectors: selectors.map((each) => ({ ...each })),
    template: { ...template, classes: [...template.classes], paths: [...template.paths], tags: [...template.tags] },
    run: [...run],
    lines,
    fields: kept,
  };
}

function emitSteps(path: string, paths: readonly (readonly [name: string, path: string])[]): readonly Step[] {
  const [list = '', item = ''] = path.split('[*]');
  const rows = membersFrom(paths.map(([name, inner]) => [name, `{{item${itemPathOf(`$${item}${inner.slice(1)}`)}}}`] as const));
  return [
    {
      id: 'each',
      type: 'forEach',
      items: `{{steps.ask.out.json${itemPathOf(list)}}}`,
      body: [{ id: ROWS_STEP, type: 'emit', rows }],
    },
  ];
}

/** Where a function goes on by itself, its last steps are executed on each page. */
function paged(steps: readonly Step[], paging: PagingWay | undefined): Step[] {
  const last = steps.at(-1);
  if (!paging || paging.mode === 'input' || last?.type !== 'extractList') return [...steps];
  const { pagesMax } = paging;
  const way =
    paging.mode === 'next_link' ? {} : paging.mode === 'cursor' ? { param: paging.param, path: paging.path } : { path: paging.path };
  const step: Step = { id: 'pages', type: 'paginate', mode: paging.mode, ...way, stop: { max_pages: pagesMax }, body: [last] };
  return [...steps.slice(0, -1), step];
}

/** A name for what `text` says, as names of functions are. */
export function functionName(text: string): string {
  const name = identifierOf(text);
  return name.length >= 3 ? name : `get_${name}`;
}
