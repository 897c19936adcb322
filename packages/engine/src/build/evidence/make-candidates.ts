// Makes candidates of functions: of searches that were tried, and of lists that pages show.
import type { FieldType } from '../../records/list.ts';
import type { Lane } from '../../ports.ts';
import { freeName, identifierOf } from '../draft.ts';
import { functionName } from '../functions/workflow.ts';
import type { AskingWay, Candidate, CandidateField, EvidenceId, PagingWay, Parameter, Provenance, RowReading } from './catalogue.ts';
import { fillTemplate } from './address-templates.ts';
import type { AddressTemplate } from './address-templates.ts';
import type { Ids } from './ids.ts';
import type { Endpoint } from './endpoints.ts';
import { readNumbering } from './numbering.ts';
import type { FoundList, PageEvidence } from './read-evidence.ts';
import type { SearchTrial } from './try-search.ts';
import type { TypedSearch } from './typed-search.ts';
import { asksToSearch, compoundsOf, matchObjective, objectiveWords, wordsOf } from './words.ts';

/** What candidates are made with. */
export interface MakingContext {
  readonly ids: Ids;
  readonly objective: string;
  readonly names: Set<string>;
  readonly lane: Lane;
}

const SAMPLES = 3;
/** An endpoint stands for a listing that shows this share of its rows (research/workflow-peers.md 4). */
const SHOWN_MIN = 0.6;
const SHOWN_BONUS = 0.2;
const SAMPLE_CHARS = 200;
const FOLLOWED_PAGES_MAX = 5;
/** What a search counts more than a list, where the objective speaks of searching. */
const SEARCH_BONUS = 0.15;

/** The candidates of a search: one for each list of its answers. `apart` says what it sends by itself that another search of the same kind does not. */
export function candidatesOfSearch(
  trial: SearchTrial,
  apart: string,
  from: readonly EvidenceId[],
  provenance: Provenance,
  context: MakingContext,
): readonly Candidate[] {
  const { search, asked, input, page } = trial;
  const paging = pagingOf(asked.way, page, [input, ...asked.others], context.ids);
  const texts = [
    search.form.type,
    search.field.label ?? '',
    search.field.name,
    page.title,
    ...page.headings,
    ...search.form.fields.map(({ label = '' }) => label),
    pathWords(search.form.action),
    pathWords(search.pageUrl),
  ];
  return trial.lists.map((list) =>
    finish(
      {
        kind: 'search',
        title: `search ${subjectOf(context.objective, [page.title, pathWords(search.form.action)])} ${apart}`,
        description: `Rows of ${hostOf(page.url)} for ${input.label ?? input.name}${apart === '' ? '' : `, ${apart}`}.`,
        way: paging.way,
        paging: paging.paging,
        parameters: [input, ...asked.others, ...paging.parameters],
        list,
        texts,
      },
      from,
      provenance,
      context,
    ),
  );
}

/** The candidate of a list that a page shows; with `template`, of all pages of its kind. */
export function candidateOfList(
  page: PageEvidence,
  list: FoundList,
  template: AddressTemplate | undefined,
  from: readonly EvidenceId[],
  provenance: Provenance,
  context: MakingContext,
): Candidate {
  const { ids } = context;
  const input = template && templateParameter(template, page.url, ids);
  const way: AskingWay = { kind: 'address', url: template && input ? template.template.replace('{}', `{${input.id}}`) : page.url };
  const paging = pagingOf(way, page, input ? [input] : [], ids);
  const texts = [page.title, ...page.headings, pathWords(page.url), template?.name ?? ''];
  return finish(
    {
      kind: 'list',
      title: `list ${subjectOf(context.objective, [pathWords(page.url), page.title])}${template ? ` by ${template.name}` : ''}`,
      description: `Rows of ${page.title === '' ? hostOf(page.url) : page.title}.`,
      way: paging.way,
      paging: paging.paging,
      parameters: [...(input ? [input] : []), ...paging.parameters],
      list,
      texts,
    },
    from,
    provenance,
    context,
  );
}

/** The candidate of an endpoint, asked without a browser. */
export function candidateOfEndpoint(
  { request, list, way, parameters, input, paging }: Endpoint,
  shown: number,
  page: PageEvidence | undefined,
  from: readonly EvidenceId[],
  provenance: Provenance,
  context: MakingContext,
): Candidate {
  const texts = [page?.title ?? '', ...(page?.headings ?? []), pathWords(request.url), pathWords(request.pageUrl)];
  const candidate = finish(
    {
      kind: input ? 'search' : 'list',
      title: `${input ? 'search' : 'list'} ${subjectOf(context.objective, [pathWords(request.url), page?.title ?? ''])}`,
      description: `Rows that ${hostOf(request.pageUrl)} answers its own pages with${input ? ` for ${input.name}` : ''}.`,
      way,
      paging,
      parameters,
      list,
      texts,
    },
    from,
    { ...provenance, lane: 'browser' },
    { ...context, lane: 'http' },
  );
  // Rows that people see are what an objective is about; what else a page asks for may be anything.
  const bonus = candidate.match === 0 ? 0 : shown >= SHOWN_MIN ? SHOWN_BONUS : 0;
  return { ...candidate, match: Math.min(1, candidate.match + bonus) };
}

/** The candidate of a search in a browser: by its address where that shows the word, else typed into its control each time. */
export function candidateOfTyped(
  { page, control, words, first, sentTo }: TypedSearch,
  list: FoundList,
  from: readonly EvidenceId[],
  provenance: Provenance,
  context: MakingContext,
): Candidate {
  const { ids } = context;
  const [word = ''] = words;
  const input: Parameter = {
    id: ids.next('P'),
    name: control.name === '' ? 'query' : control.name,
    ...(control.label === '' ? {} : { label: control.label }),
    role: 'input',
    type: 'string',
    required: true,
    examples: words.map((value) => ({ id: ids.next('X'), value, seenIn: 'row' })),
  };
  const address = first.page.url.split(encodeURIComponent(word));
  const isInAddress = address.length === 2 && first.page.url !== page.url;
  const way: AskingWay = isInAddress
    ? { kind: 'address', url: address.join(`{${input.id}}`) }
    : { kind: 'control', pageUrl: page.url, selector: control.selector, parameter: input.id, ...(sentTo === undefined ? {} : { sentTo }) };
  return finish(
    {
      kind: 'search',
      title: `search ${subjectOf(context.objective, [page.title])}`,
      description: `Rows of ${hostOf(page.url)} for ${control.label === '' ? 'a word' : control.label}.`,
      way,
      paging: undefined,
      parameters: [input],
      list,
      texts: [page.title, ...page.headings, control.label, control.name, pathWords(page.url)],
    },
    from,
    provenance,
    context,
  );
}

function templateParameter({ template, name, values }: AddressTemplate, url: string, ids: Ids): Parameter {
  const own = values.filter((value) => fillTemplate(template, value) === url);
  const ordered = [...own, ...values.filter((value) => !own.includes(value))].slice(0, 8);
  return {
    id: ids.next('P'),
    name: identifierOf(name),
    role: 'input',
    type: 'string',
    required: true,
    examples: ordered.map((value) => ({ id: ids.next('X'), value, seenIn: 'address' })),
  };
}

/** What a candidate is before it has its ids. */
export interface CandidateParts {
  readonly kind: Candidate['kind'];
  readonly title: string;
  readonly description: string;
  readonly way: AskingWay;
  readonly paging: PagingWay | undefined;
  readonly parameters: readonly Parameter[];
  readonly list: FoundList;
  /** What the site says about it. */
  readonly texts: readonly string[];
}

/** The candidate, with its name and how it fits the objective. */
export function finish(parts: CandidateParts, from: readonly EvidenceId[], provenance: Provenance, context: MakingContext): Candidate {
  const { ids, names, objective, lane } = context;
  const { kind, way, paging, parameters, description } = parts;
  const list = withoutLabels(parts.list);
  const name = freeName(functionName(parts.title), names);
  names.add(name);
  const fields = fieldsOf(list, ids);
  const said = matchObjective(objective, [...parts.texts, ...fields.map((field) => field.name)]);
  const shown = matchObjective(objective, [...parts.texts, ...fields.map((field) => field.name), ...list.texts.slice(0, 20)]);
  const match =
    said === 0 && shown === 0 ? 0 : Math.min(1, (said * 3 + shown) / 4 + (kind === 'search' && asksToSearch(objective) ? SEARCH_BONUS : 0));
  return {
    id: ids.next('C'),
    kind,
    name,
    description: description.slice(0, 160),
    from,
    provenance,
    lane,
    way,
    reading: readingOf(list, fields),
    parameters,
    fields,
    ...(paging ? { paging } : {}),
    samples: list.texts.slice(0, SAMPLES).map((text) => text.slice(0, SAMPLE_CHARS)),
    rows: list.count,
    match: Math.round(match * 1000) / 1000,
  };
}

/** Without fields that say their own name in every row: a button, or what stands before a value. */
function withoutLabels(list: FoundList): FoundList {
  const isLabel = (name: string) =>
    list.rows.every((row) => typeof row[name] === 'string' && identifierOf(row[name]) === identifierOf(name));
  const places = list.fields.flatMap(({ name }, place) => (list.rows.length > 1 && isLabel(name) ? [] : [place]));
  const kept = <Thing>(things: readonly Thing[]) => things.filter((_, place) => places.includes(place));
  if (places.length === list.fields.length || places.length === 0) return list;
  const { wrapper } = list;
  return { ...list, fields: kept(list.fields), ...(wrapper ? { wrapper: { ...wrapper, fields: kept(wrapper.fields) } } : {}) };
}

function fieldsOf({ fields, rows }: FoundList, ids: Ids): readonly CandidateField[] {
  const names = new Set<string>();
  return fields.map(({ name: given, type, many, filled }) => {
    const name = freeName(identifierOf(given), names);
    names.add(name);
    const samples = rows.slice(0, SAMPLES).flatMap((row) => sampleOf(row[given]));
    return { id: ids.next('V'), name, type: type satisfies FieldType, many, filled, samples };
  });
}

function sampleOf(value: unknown): readonly string[] {
  if (value === null || value === undefined) return [];
  return [(typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 80)];
}

function readingOf(list: FoundList, fields: readonly CandidateField[]): RowReading {
  if (list.place)
    return {
      from: list.place.from,
      path: list.place.path,
      fields: Object.fromEntries(fields.map(({ id }, place) => [id, list.fields[place]?.path ?? '$'])),
    };
  if (!list.wrapper) throw new Error('A list is in the markup or in data.');
  return {
    from: 'html',
    wrapper: {
      ...list.wrapper,
      fields: list.wrapper.fields.map((field, place) => ({ ...field, name: fields[place]?.name ?? field.name })),
    },
  };
}

interface Paged {
  readonly way: AskingWay;
  readonly paging: PagingWay | undefined;
  readonly parameters: readonly Parameter[];
}

/** How the list of `page`, which was asked for in `way`, goes on: by a number in the address where its addresses show one, else by its links. */
function pagingOf(way: AskingWay, page: PageEvidence, inputs: readonly Parameter[], ids: Ids): Paged {
  const { onward } = page;
  if (onward === undefined) return { way, paging: undefined, parameters: [] };
  const followed: Paged = { way, paging: { mode: 'next_link', pagesMax: FOLLOWED_PAGES_MAX }, parameters: [] };
  const numbering = way.kind === 'address' ? readNumbering(page.url, onward) : undefined;
  if (!numbering || way.kind !== 'address') return followed;
  const id = ids.next('P');
  const url = withNumber(way.url, numbering.template, numbering.name, `{${id}}`, inputs);
  if (url === undefined) return followed;
  const parameter: Parameter = {
    id,
    name: numbering.name,
    role: numbering.role,
    type: 'integer',
    required: false,
    initial: String(numbering.initial),
    step: numbering.step,
    examples: [],
  };
  return { way: { ...way, url }, paging: { mode: 'input', parameter: id }, parameters: [parameter] };
}

/** The address of `way` with a place for the page; undefined where the next page is asked for in another way than the first. */
function withNumber(url: string, template: string, name: string, place: string, inputs: readonly Parameter[]): string | undefined {
  const [path = '', query = ''] = url.split('?', 2);
  const [counted = '', countedQuery = ''] = template.split('?', 2);
  if (counted.includes('{}')) {
    // An input in the path as well: the places can't be told apart by their text.
    if (path.includes('{P')) return path.endsWith('/') || counted.endsWith('/') ? appended(path, counted, place, query) : undefined;
    return `${counted.replace('{}', place)}${query === '' ? '' : `?${query}`}`;
  }
  const own = new Map(query === '' ? [] : query.split('&').map((pair) => [pair.split('=', 1)[0] ?? '', pair]));
  const further = countedQuery.split('&').map((pair) => pair.split('=', 1)[0] ?? '');
  const known = new Set([...own.keys(), encodeURIComponent(name), ...inputs.map((input) => encodeURIComponent(input.name))]);
  if (further.some((each) => !known.has(each) && !known.has(encodeURIComponent(decodeURIComponent(each))))) return undefined;
  own.set(encodeURIComponent(name), `${encodeURIComponent(name)}=${place}`);
  return `${path}?${[...own.values()].join('&')}`;
}

/** `/tag/{P1}/` with what the next page has behind it: `page/{P2}/`. */
function appended(path: string, counted: string, place: string, query: string): string | undefined {
  const behind = /\/([^/{}]*\/)?\{\}\/?$/.exec(counted)?.[0];
  if (behind === undefined) return undefined;
  return `${path.replace(/\/$/, '')}${behind.replace('{}', place)}${query === '' ? '' : `?${query}`}`;
}

/** What a function is about: the word of the objective that the site has, else that of its address, else of its title. */
function subjectOf(objective: string, texts: readonly string[]): string {
  const wanted = objectiveWords(objective);
  const said = new Set(texts.flatMap(compoundsOf));
  const shared = wanted.find((word) => said.has(word));
  const own = texts.flatMap((text) =>
    wordsOf(text).filter((word) => /^[a-z]{3,}$/.test(word) && !/^(?:search|index|html?|php|home|page|doku|list)$/.test(word)),
  );
  return shared ?? wanted[0] ?? own[0] ?? 'rows';
}

function pathWords(url: string): string {
  const { pathname = '' } = URL.parse(url) ?? {};
  return pathname.replaceAll(/\.[a-z]{2,5}$/gi, '').replaceAll(/[^A-Za-z]+/g, ' ');
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}
