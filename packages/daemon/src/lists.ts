// Headers of a list that was cut (D6).
import { LIMITS } from '@weft/contract';

/** `X-Total-Count`, and `Link: rel="next"` while more follow. `query` is the list's own, so that filters stay. */
export function listHeaders(
  path: string,
  query: Readonly<Record<string, string | number | boolean | undefined>>,
  count: number,
  total: number,
): Readonly<Record<string, string>> {
  const offset = Number(query['offset'] ?? 0);
  if (offset + count >= total) return { 'x-total-count': String(total) };
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries({ limit: LIMITS.listLimitDefault, ...query, offset: offset + count }))
    if (value !== undefined) next.set(name, String(value));
  return { 'x-total-count': String(total), link: `<${path}?${next}>; rel="next"` };
}
