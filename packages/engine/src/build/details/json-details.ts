// Finds requests whose answer is one record in JSON, asked for by a value that the rows of a list have.
import { fieldsOfObjects, itemsOfObjects } from '../../records/json-fields.ts';
import type { CapturedRequest } from '../../run/session.ts';
import { isMembers } from '../../run/value.ts';
import { freeName, identifierOf } from '../draft.ts';
import type { Candidate, Parameter, Provenance } from '../evidence/catalogue.ts';
import type { Endpoint } from '../evidence/endpoints.ts';
import { memberStep } from '../evidence/json-lists.ts';
import type { MakingContext } from '../evidence/make-candidates.ts';
import { functionName } from '../functions/workflow.ts';
import { matchOf, singular, thingFrom } from './thing.ts';

/** Requests for one kind of record. */
export interface JsonDetail {
  /** One for each record that was seen. */
  readonly requests: readonly CapturedRequest[];
  /** With `{}` where the key stands. */
  readonly template: string;
  /** The segment before the key. */
  readonly before: string;
  /** Keys that were seen asked for, and others that rows have. */
  readonly seen: readonly string[];
  readonly others: readonly string[];
}

const OTHERS_MIN = 2;
const EXAMPLES_MAX = 8;
const MEMBERS_MIN = 2;

/** The kinds of records among `requests` whose keys rows of `endpoints` have, those that were asked for most first. */
export function findJsonDetails(requests: readonly CapturedRequest[], endpoints: readonly Endpoint[]): readonly JsonDetail[] {
  const columns = endpoints.flatMap(({ list }) => list.fields.map(({ name }) => list.rows.flatMap((row) => row[name] ?? []).map(String)));
  const kinds = new Map<string, JsonDetail>();
  for (const request of requests) {
    if (request.method !== 'GET' || request.status !== 200 || !isRecord(request.json)) continue;
    const place = keyOf(request.url);
    const column = place && columns.find((values) => values.includes(place.key));
    if (!place || !column) continue;
    const { key, template, before } = place;
    const known = kinds.get(template);
    if (known?.seen.includes(key)) continue;
    const seen = [...(known?.seen ?? []), key];
    const others = [...new Set(column)].filter((value) => !seen.includes(value));
    kinds.set(template, { requests: [...(known?.requests ?? []), request], template, before, seen, others });
  }
  return [...kinds.values()].filter(({ others }) => others.length >= OTHERS_MIN).toSorted((a, b) => b.seen.length - a.seen.length);
}

/** The candidate of one kind of records. */
export function candidateOfJsonDetail(
  { requests, template, before, seen, others }: JsonDetail,
  from: readonly string[],
  provenance: Provenance,
  { ids, names, objective }: MakingContext,
): Candidate {
  const objects = requests.map(({ json }) => json).filter(isMembers);
  const specs = fieldsOfObjects(objects, undefined, true);
  const items = itemsOfObjects(objects, specs);
  const fields = specs.map(({ name, type, many, filled }) => {
    const samples = items.flatMap((item) => item.fields[name] ?? []).map(({ raw }) => raw.slice(0, 80));
    return { id: ids.next('V'), name: identifierOf(name), type, many, filled, samples: samples.slice(0, 3) };
  });
  // Keys that no page asked for are what a proof asks with first.
  const [first = '', ...rest] = others;
  const values = [first, seen[0] ?? '', ...rest, ...seen.slice(1)].slice(0, EXAMPLES_MAX);
  const parameter: Parameter = {
    id: ids.next('P'),
    name: identifierOf(singular(before) || 'key'),
    role: 'input',
    type: 'string',
    required: true,
    examples: values.map((value) => ({ id: ids.next('X'), value, seenIn: 'request' })),
  };
  const name = freeName(functionName(`get ${thingFrom(singular(before), objective)}`), names);
  names.add(name);
  const paths = specs.map(({ path }, place) => [fields[place]?.id ?? '', `$${path.split('.').map(memberStep).join('')}`] as const);
  return {
    id: ids.next('C'),
    kind: 'detail',
    name,
    description: `One record of ${URL.parse(template)?.host ?? 'the site'} by ${parameter.name}.`,
    from,
    provenance,
    lane: 'http',
    way: { kind: 'address', url: template.replace('{}', `{${parameter.id}}`) },
    reading: { from: 'json', path: '$', fields: Object.fromEntries(paths) },
    parameters: [parameter],
    fields,
    samples: items.slice(0, 3).map(({ text }) => text.slice(0, 200)),
    match: matchOf(objective, [template, ...fields.map((field) => field.name), ...items.slice(0, 3).map(({ text }) => text)]),
  };
}

/** An object that says something of itself: of a list, or of a list in an envelope, the rows do. */
function isRecord(json: unknown): boolean {
  if (!isMembers(json)) return false;
  const scalars = (value: unknown): number =>
    isMembers(value) ? Object.values(value).filter((each) => typeof each === 'string' || typeof each === 'number').length : 0;
  return scalars(json) >= MEMBERS_MIN || Object.values(json).some((each) => scalars(each) >= MEMBERS_MIN);
}

/** The last segment of the path, where nothing else is asked with. */
function keyOf(url: string): { readonly key: string; readonly template: string; readonly before: string } | undefined {
  const parsed = URL.parse(url);
  if (!parsed) return undefined;
  const segments = parsed.pathname.split('/');
  const last = segments.pop() ?? '';
  if (last === '') return undefined;
  return {
    key: decodeURIComponent(last),
    template: `${parsed.origin}${segments.join('/')}/{}${parsed.search}`,
    before: segments.at(-1) ?? '',
  };
}
