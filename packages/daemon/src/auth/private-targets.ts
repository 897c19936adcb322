// Which private addresses a caller may reach (D31).
import { targetsNamedBy } from '@weft/engine';
import { isAdmin } from '@weft/serve';
import type { Actor } from '@weft/serve';

/** The private addresses that `url` opens, as `host:port`: its own, where who gave it may name one; what was saved was given by such a one. */
export function privateTargetsOf(url: string, by: Actor | 'saved'): readonly string[] {
  return by === 'saved' || isAdmin(by) ? targetsNamedBy(url) : [];
}

/** The private addresses that stand in the texts of `value`, however deep: those whose host is written there, and not filled in. */
export function targetsInTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return targetsIn(value);
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(targetsInTexts);
}

function targetsIn(text: string): readonly string[] {
  const host = /^(https?:\/\/[^/?#{}\s]+)(?=[/?#]|$)/.exec(text)?.[1];
  const url = host === undefined ? null : URL.parse(host);
  return url ? targetsNamedBy(url.href) : [];
}
