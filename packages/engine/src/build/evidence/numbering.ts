// Reads from two addresses that follow each other how their pages are counted.

/** A counted place of an address: where it is, where it begins, and what a page adds. */
export interface Numbering {
  readonly role: 'page' | 'offset';
  /** The name of the parameter; of a part of a path, the part before it. */
  readonly name: string;
  readonly initial: number;
  readonly step: number;
  /** The address with `{}` in that place. */
  readonly template: string;
}

const STEP_MAX = 500;

/** How `next` counts on from `url`; undefined where they differ in more than one number. */
export function readNumbering(url: string, next: string): Numbering | undefined {
  const [from, to] = [URL.parse(url), URL.parse(next)];
  if (!from || !to || from.origin !== to.origin) return undefined;
  return from.pathname === to.pathname ? ofQuery(from, to) : ofPath(from, to);
}

function ofQuery(from: URL, to: URL): Numbering | undefined {
  const names = new Set([...from.searchParams.keys(), ...to.searchParams.keys()]);
  const differing = [...names].filter((name) => from.searchParams.get(name) !== to.searchParams.get(name));
  const [name] = differing.filter((each) => isNumber(to.searchParams.get(each)));
  // What the first page says and the second does not (a button's name) may stay away.
  const isOneNumber = differing.every((each) => each === name || to.searchParams.get(each) === null || to.searchParams.get(each) === '');
  if (name === undefined || !isOneNumber) return undefined;
  const counted = countOn(from.searchParams.get(name), Number(to.searchParams.get(name)));
  if (!counted) return undefined;
  const template = new URL(to);
  template.searchParams.set(name, PLACE);
  return { ...counted, name, template: template.href.replaceAll(PLACE, '{}') };
}

function ofPath(from: URL, to: URL): Numbering | undefined {
  if (from.search !== to.search) return undefined;
  const before = from.pathname.split('/');
  const after = to.pathname.split('/');
  const place = after.findIndex((segment, i) => segment !== before[i]);
  const same = before.length === after.length && after.every((segment, i) => i === place || segment === before[i]);
  if (same) return segmentCount(from, after, place, before[place] ?? '');
  return addedSegments(from, before, after);
}

/** `/page-1.html` to `/page-2.html`. */
function segmentCount(from: URL, after: readonly string[], place: number, segment: string): Numbering | undefined {
  const [, head = '', number, tail = ''] = /^(.*?)(\d+)([^\d]*)$/.exec(after[place] ?? '') ?? [];
  if (number === undefined) return undefined;
  const known = segment.startsWith(head) && segment.endsWith(tail) ? segment.slice(head.length, segment.length - tail.length) : '';
  const counted = isNumber(known) ? countOn(known, Number(number)) : undefined;
  if (!counted) return undefined;
  const name = head.replaceAll(/[^A-Za-z]+/g, '') || after[place - 1] || 'page';
  const path = after.map((each, i) => (i === place ? `${head}{}${tail}` : each)).join('/');
  return { ...counted, name, template: `${from.origin}${path}${from.search}` };
}

/** `/blog/` to `/blog/page/2/`. */
function addedSegments(from: URL, before: readonly string[], after: readonly string[]): Numbering | undefined {
  const stem = before.at(-1) === '' ? before.slice(0, -1) : before;
  const isAdded = stem.every((segment, i) => after[i] === segment);
  const added = after.slice(stem.length).filter((segment) => segment !== '');
  const number = added.at(-1);
  if (!isAdded || added.length === 0 || added.length > 2 || !isNumber(number)) return undefined;
  const counted = countOn(null, Number(number));
  if (!counted) return undefined;
  const place = after.lastIndexOf(number);
  const path = after.map((each, i) => (i === place ? '{}' : each)).join('/');
  return { ...counted, name: added.length === 2 ? (added[0] ?? 'page') : 'page', template: `${from.origin}${path}${from.search}` };
}

const PLACE = 'weft-page-number';

/** What counting from `known`, where it is said, to `next` means. */
function countOn(known: string | null, next: number): Pick<Numbering, 'role' | 'initial' | 'step'> | undefined {
  if (isNumber(known)) {
    const step = next - Number(known);
    if (step < 1 || step > STEP_MAX) return undefined;
    return step === 1 ? { role: 'page', initial: Number(known), step } : { role: 'offset', initial: Number(known), step };
  }
  if (next === 2 || next === 1) return { role: 'page', initial: next - 1, step: 1 };
  return next >= 3 && next <= STEP_MAX ? { role: 'offset', initial: 0, step: next } : undefined;
}

function isNumber(text: string | null | undefined): text is string {
  return text !== null && text !== undefined && /^\d{1,7}$/.test(text);
}
