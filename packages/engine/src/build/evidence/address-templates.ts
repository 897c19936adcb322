// Finds addresses of one kind among the links of a site: the same in all places but one.

/** Addresses that differ in one place. */
export interface AddressTemplate {
  /** With `{}` in that place. */
  readonly template: string;
  /** What the place is called: the segment before it, or the name of its parameter. */
  readonly name: string;
  /** Distinct, decoded, in the order found. */
  readonly values: readonly string[];
}

const VALUES_MIN = 3;
const VALUES_KEPT = 50;
const URLS_MAX = 5_000;

/** The templates that at least three addresses have, those with the most first. An address may follow several. */
export function findAddressTemplates(urls: readonly string[]): readonly AddressTemplate[] {
  const groups = new Map<string, { readonly name: string; readonly values: Set<string> }>();
  for (const url of [...new Set(urls)].slice(0, URLS_MAX)) {
    for (const { template, name, value } of placesOf(url)) {
      const group = groups.get(template) ?? { name, values: new Set<string>() };
      if (group.values.size < VALUES_KEPT) group.values.add(value);
      groups.set(template, group);
    }
  }
  return [...groups]
    .filter(([, { values }]) => values.size >= VALUES_MIN)
    .map(([template, { name, values }]) => ({ template, name, values: [...values] }))
    .toSorted((a, b) => b.values.length - a.values.length);
}

/** `template` with `value` in its place, encoded. */
export function fillTemplate(template: string, value: string): string {
  return template.replace('{}', encodeURIComponent(value));
}

function placesOf(url: string): readonly { readonly template: string; readonly name: string; readonly value: string }[] {
  const parsed = URL.parse(url);
  if (!parsed) return [];
  const segments = parsed.pathname.split('/');
  const ofPath = segments.flatMap((segment, place) => {
    const value = decoded(segment);
    if (value === undefined || value === '') return [];
    const path = segments.map((each, i) => (i === place ? '{}' : each)).join('/');
    return [{ template: `${parsed.origin}${path}${parsed.search}`, name: nameOf(segments.slice(0, place)), value }];
  });
  const ofQuery = [...parsed.searchParams].flatMap(([name, value]) => {
    if (value === '' || parsed.searchParams.getAll(name).length > 1) return [];
    const query = [...parsed.searchParams].map(
      ([key, each]) => `${encodeURIComponent(key)}=${key === name ? '{}' : encodeURIComponent(each)}`,
    );
    return [{ template: `${parsed.origin}${parsed.pathname}?${query.join('&')}`, name, value }];
  });
  return [...ofPath, ...ofQuery];
}

function nameOf(before: readonly string[]): string {
  const word = before.findLast((segment) => /[A-Za-z]{2,}/.test(segment)) ?? '';
  const plain = word.replaceAll(/[^A-Za-z]+/g, '_').replaceAll(/^_+|_+$/g, '');
  if (plain === '') return 'id';
  return /s$/i.test(plain) && plain.length > 3 && !/ss$/i.test(plain) ? plain.slice(0, -1) : plain;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
