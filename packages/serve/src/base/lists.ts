// Headers of a list that was cut (D6).
import { LIMITS } from '@weft/contract';

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** `X-Total-Count`, and `Link: rel="next"` while more follow. `query` is the list's own, so that filters stay. */
export function listHeaders(path: string, query: Query, count: number, total: number): Readonly<Record<string, string>> {
  const offset = Number(query['offset'] ?? 0);
  const next = offset + count < total ? nextLink(path, { limit: LIMITS.listLimitDefault, ...query, offset: offset + count }) : {};
  return { 'x-total-count': String(total), ...next };
}

/** `Link: rel="next"` of a list that goes on at `cursor`; nothing at its end. */
export function cursorHeaders(path: string, query: Query, cursor: string | undefined): Readonly<Record<string, string>> {
  return cursor === undefined ? {} : nextLink(path, { ...query, cursor });
}

function nextLink(path: string, query: Query): { readonly link: string } {
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) next.set(name, String(value));
  return { link: `<${path}?${next}>; rel="next"` };
}
