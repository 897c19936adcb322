// Learns what parameters are by their values: some name things, of which there are many, and some grow with every link that is followed.
import { couldBeAction, echoClassesOf, grownNames, placeOf } from '../../url/trap-class.ts';
import type { TrapClass } from '../../url/trap-class.ts';
import { queryPairs } from '../../url/query-pairs.ts';

/** A parameter with more values than a program shows its visitors actions names things: titles, words, files. */
const ACTIONS_MAX = 24;
const PARAMETERS_MAX = 1_000;

/** What was learnt, as JSON. */
export interface SavedKinds {
  readonly grown: readonly string[];
  readonly things: readonly string[];
}

/** Parameters by host, path and name. */
export class ParameterKinds {
  /** Those that were seen to grow. */
  private readonly grown: Set<string>;
  /** Values of those that could be actions. */
  private readonly values = new Map<string, Set<string>>();
  /** Those that had too many for that. */
  private readonly things: Set<string>;

  constructor(saved: SavedKinds = { grown: [], things: [] }) {
    this.grown = new Set(saved.grown);
    this.things = new Set(saved.things);
  }

  /** Whether the parameter at `place` names things. */
  readonly namesThings = (place: string): boolean => this.things.has(place);

  /** The classes of `url` by its parameters that were seen to grow. */
  echoesOf(url: URL): readonly TrapClass[] {
    if (this.grown.size === 0 || url.search.length < 2) return [];
    const names = [...new Set(queryPairs(url).map(({ name }) => name))];
    return names.filter((name) => this.grown.has(placeOf(url, name))).flatMap((name) => echoClassesOf(url, name, this.namesThings));
  }

  /** Notes the values that `url` has. */
  observeValues(url: URL): void {
    if (url.search.length < 2) return;
    for (const pair of queryPairs(url)) {
      const place = placeOf(url, pair.name);
      if (!couldBeAction(pair) || this.things.has(place)) continue;
      const values = this.values.get(place) ?? new Set();
      if (this.values.size < PARAMETERS_MAX) this.values.set(place, values.add(pair.value));
      if (values.size <= ACTIONS_MAX) continue;
      this.values.delete(place);
      if (this.things.size < PARAMETERS_MAX) this.things.add(place);
    }
  }

  /** Notes in which parameters of `url` its own links grow. */
  observeGrowth(url: URL, links: readonly string[]): void {
    if (url.search.length < 2 || this.grown.size >= PARAMETERS_MAX) return;
    for (const link of links) {
      const child = link.includes(`${url.pathname}?`) ? URL.parse(link) : null;
      for (const name of child ? grownNames(url, child) : []) this.grown.add(placeOf(url, name));
    }
  }

  toJSON(): SavedKinds {
    return { grown: [...this.grown], things: [...this.things] };
  }
}
