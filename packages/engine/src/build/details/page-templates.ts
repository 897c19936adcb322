// Finds, among the addresses that the rows of a list lead to, those of one template: the same but for one place, or a few.
import { freeName, identifierOf } from '../draft.ts';
import { singular } from './thing.ts';

/** Addresses of one template. */
export interface PageTemplate {
  /** With `{0}`, `{1}`, ... in the places where they differ. */
  readonly template: string;
  /** What each place is called, the one with the most values first. */
  readonly places: readonly TemplatePlace[];
  /** Distinct, as they were found. */
  readonly urls: readonly string[];
}

/** A place of a template, and what each address has there, in the order of the addresses; decoded. */
export interface TemplatePlace {
  readonly place: number;
  readonly name: string;
  readonly values: readonly string[];
}

const PLACES_MAX = 3;
const URLS_KEPT = 50;

interface Taken {
  readonly url: string;
  readonly parts: readonly Part[];
}

/** A segment of a path, or one pair of a query or of a route behind `#`. */
interface Part {
  readonly kind: 'segment' | 'pair';
  /** Of a pair its name. */
  readonly name: string;
  readonly value: string;
}

/** The templates of `urls`, those with the most addresses first; one of fewer than `urlsMin` is none. */
export function findPageTemplates(urls: readonly string[], urlsMin: number): readonly PageTemplate[] {
  const taken = [...new Set(urls)].flatMap((url) => {
    const parts = partsOf(url);
    return parts ? [{ url, parts }] : [];
  });
  const groups = Map.groupBy(taken, ({ url, parts }) => shapeOf(url, parts));
  return [...groups.values()]
    .flatMap((group) => (group.length < urlsMin ? [] : (templateOf(group) ?? [])))
    .toSorted((a, b) => b.urls.length - a.urls.length);
}

function partsOf(url: string): readonly Part[] | undefined {
  const parsed = URL.parse(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return undefined;
  try {
    const segments = parsed.pathname
      .split('/')
      .slice(1)
      .map((value) => ({ kind: 'segment' as const, name: '', value: decodeURIComponent(value) }));
    const pairs = [...parsed.searchParams].map(([name, value]) => ({ kind: 'pair' as const, name, value }));
    return [...segments, ...pairs];
  } catch {
    return undefined;
  }
}

/** Addresses of one shape have as many segments, the first the same where there are several, and the same names in their queries. */
function shapeOf(url: string, parts: readonly Part[]): string {
  const { origin = '', hash = '' } = URL.parse(url) ?? {};
  const segments = parts.filter(({ kind }) => kind === 'segment');
  const [first] = segments;
  const head = segments.length > 1 && /[A-Za-z]/.test(first?.value ?? '') ? first?.value : '';
  const names = parts.filter(({ kind }) => kind === 'pair').map(({ name }) => name);
  return [origin, head, segments.length, names.join('&'), hash].join(' ');
}

function templateOf(group: readonly Taken[]): PageTemplate | undefined {
  const kept = group.slice(0, URLS_KEPT);
  const [first] = kept;
  if (!first) return undefined;
  const columns = first.parts.map((_, at) => kept.map(({ parts }) => parts[at]?.value ?? ''));
  const varying = columns.flatMap((values, at) => (new Set(values).size > 1 ? [{ at, values }] : []));
  const isWhole = varying.some(({ values }) => new Set(values).size === kept.length);
  if (
    varying.length === 0 ||
    varying.length > PLACES_MAX ||
    (varying.length > 1 && !isWhole && new Set(kept.map(({ url }) => url)).size < kept.length)
  )
    return undefined;
  if (varying.some(({ values }) => values.includes(''))) return undefined;
  const names = new Set<string>();
  const places = varying.map(({ at, values }, place) => {
    const name = freeName(placeName(first.parts, at, values), names);
    names.add(name);
    return { place, name, values };
  });
  const numbers = new Map(varying.map(({ at }, place) => [at, place]));
  return {
    template: write(first, numbers),
    places: places.toSorted((a, b) => new Set(b.values).size - new Set(a.values).size || b.place - a.place),
    urls: kept.map(({ url }) => url),
  };
}

function write({ url, parts }: Taken, numbers: ReadonlyMap<number, number>): string {
  const { origin, hash } = new URL(url);
  const written = parts.map((part, at) => ({ ...part, text: numbers.has(at) ? `{${numbers.get(at)}}` : encodeURIComponent(part.value) }));
  const path = written.filter(({ kind }) => kind === 'segment').map(({ text }) => text);
  const query = written.filter(({ kind }) => kind === 'pair').map(({ name, text }) => `${encodeURIComponent(name)}=${text}`);
  return `${origin}/${path.join('/')}${query.length > 0 ? `?${query.join('&')}` : ''}${hash}`;
}

/** A parameter has its name; a segment that of the one before it, or what its values look like. */
function placeName(parts: readonly Part[], at: number, values: readonly string[]): string {
  const part = parts[at];
  if (part?.kind === 'pair') return identifierOf(part.name);
  if (values.every((value) => /^(?:19|20)\d\d$/.test(value))) return 'year';
  const before = parts[at - 1]?.value ?? '';
  if (/^(?:19|20)\d\d$/.test(before) && values.every((value) => /^(?:0?[1-9]|1[0-2])$/.test(value))) return 'month';
  if (/[A-Za-z]{3,}/.test(before)) return identifierOf(singular(before));
  return values.every((value) => /^\d+$/.test(value)) ? 'id' : 'slug';
}
