// Which private addresses a caller may reach (D31).
import { targetsNamedBy } from '@weft/engine';
import { isAdmin } from '@weft/serve';
import type { Actor } from '@weft/serve';

/** The private addresses that `url` opens, as `host:port`: its own, where who gave it may name one; what was saved was given by such a one. */
export function privateTargetsOf(url: string, by: Actor | 'saved'): readonly string[] {
  return by === 'saved' || isAdmin(by) ? targetsNamedBy(url) : [];
}
