// What a real application says of the API that a person would want of it: the wish in words, where they would begin, and what it should answer by the application's own JSON or database.
import type { Place, Software } from './app.ts';

/** What an application knows of one thing, by name; dates as ISO 8601. */
export type Facts = Readonly<Record<string, string | number | null>>;

/** One API that somebody would ask for. */
export interface ApiGoal {
  readonly kind: 'search' | 'list' | 'detail';
  /** Absolute address at which they begin. */
  readonly url: string;
  /** As they would write it. */
  readonly objective: string;
  /** The facts that the objective names. */
  readonly wanted: readonly string[];
  /** The facts by which a thing is told from all others. */
  readonly keys: readonly string[];
  /** All that is to be answered: for a search to `input`, for a detail the one thing whose key or address `input` is, for a list all. */
  truth(input: string): Promise<readonly Facts[]>;
}

/** Where an application runs. */
export interface ApiPlace {
  readonly place: Place;
  readonly origin: string;
}

/** One real application that an API is made of. */
export interface ApiApp {
  readonly software: Software;
  /** True where its own robots.txt refuses what is wanted: who runs it may have it read all the same. */
  readonly ignoresRobots?: boolean;
  goals(at: ApiPlace): readonly ApiGoal[];
}

/** What `url` answers as JSON. Throws unless that is a success. */
export async function askJson(url: string): Promise<unknown> {
  const response = await fetch(url, { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return await response.json();
}

/** The member at `path` of `value`, names and places separated by dots; undefined where there is none. */
export function memberOf(value: unknown, path: string): unknown {
  let at: unknown = value;
  for (const name of path.split('.'))
    at = typeof at === 'object' && at !== null ? (at as Readonly<Record<string, unknown>>)[name] : undefined;
  return at;
}

/** The facts of `value`, a plain text or number each, by the paths of its members; what is not there is null. */
export function factsOf(value: unknown, paths: Readonly<Record<string, string>>): Facts {
  return Object.fromEntries(
    Object.entries(paths).map(([name, path]) => {
      const found = memberOf(value, path);
      return [name, typeof found === 'string' || typeof found === 'number' ? found : null];
    }),
  );
}
