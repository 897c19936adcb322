// The agent's operation tables: what all groups add to them.
import { GROUPS } from './generated/groups.ts';
import type { Group } from './group.ts';

type Both<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void ? All : never;
type Part<One extends Group, Name extends keyof Group> = One extends { readonly [N in Name]: infer Added } ? Added : never;
type Joined<Name extends keyof Group> = Both<Part<(typeof GROUPS)[number], Name>>;

/** The agent's operations under /v1, by group and verb. */
export const DAEMON_TABLE = join('specified');
/** The type that handlers and clients of the agent derive from. */
export type DaemonTable = typeof DAEMON_TABLE;
/** The agent's operations under /x, by group and verb. */
export const EXTRA_TABLE = join('extra');
/** The type that handlers and clients of the second table derive from. */
export type ExtraTable = typeof EXTRA_TABLE;
/** What each group is, in a sentence. */
export const ABOUT_GROUPS: Readonly<Record<string, string>> = join('about');

/** What the groups have under `name`. Throws for a name that two of them add: a programming error. */
function join<Name extends keyof Group>(name: Name): Joined<Name> {
  const entries = GROUPS.flatMap((group: Group) => Object.entries<unknown>(group[name] ?? {}));
  const joined = Object.fromEntries(entries);
  if (Object.keys(joined).length < entries.length) throw new Error(`Two groups add the same name to "${name}".`);
  // Each entry is one group's own, so all of them together have the type that is made of all.
  return joined as Joined<Name>;
}
