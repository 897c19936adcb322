// Takes out of a page what is subtracted, before anything else is read of it. All of it is found before the first is taken out, so no place shifts.
import type { AnyNode, Element, ParentNode } from 'domhandler';
import type { JsonValue } from '../../html/loose-json.ts';
import { findJsonPlaces } from '../../html/selectors/json.ts';
import { selectorError } from '../../html/selectors/caps.ts';
import { findNodes } from '../../html/selectors/resolve.ts';
import { parseSelector } from '../../html/selectors/selector.ts';
import type { Selector } from '../../html/selectors/selector.ts';
import type { WatchedPage } from './watched-page.ts';

/** Where in a JSON value something is: members and numbers of list items from its top. */
type JsonPlace = readonly (string | number)[];

/**
 * Takes out what `selectors` point at; answers how many elements and JSON values that were, none of them within another. Throws PageError
 * `selector`, also for an expression: what of a text counts is the matter of `ignore`.
 */
export function subtract(selectors: readonly string[], page: WatchedPage): number {
  const found = new Set<AnyNode>();
  const places: JsonPlace[] = [];
  for (const selector of selectors.map(parseSelector)) {
    if (selector.kind === 'regex') throw selectorError(selector.text, 'points at text; to leave text out write it under `ignore`.');
    if (selector.kind === 'jsonpath') places.push(...placesOf(selector, page));
    else if (page.json === undefined) for (const node of findNodes(selector, page.tree)) found.add(node);
  }
  const nodes = outermost(found);
  takeOut(nodes, page);
  // What was found on the page as it was.
  if (nodes.size > 0) page.tree.findings.clear();
  if (page.json !== undefined && places.length > 0) page.json = withoutPlaces(page.json, places);
  return nodes.size + places.length;
}

function placesOf({ expression }: Selector, { json }: WatchedPage): readonly JsonPlace[] {
  return json === undefined ? [] : findJsonPlaces(expression, json);
}

function outermost(nodes: ReadonlySet<AnyNode>): ReadonlySet<AnyNode> {
  const isInside = (node: AnyNode): boolean => {
    for (let at: AnyNode | null = node.parent; at; at = at.parent) if (nodes.has(at)) return true;
    return false;
  };
  return new Set([...nodes].filter((node) => !isInside(node)));
}

/** Once for each parent: a page may hold a hundred thousand of them side by side. Body and head stay and are emptied. */
function takeOut(nodes: ReadonlySet<AnyNode>, { tree }: WatchedPage): void {
  if (nodes.size === 0) return;
  const framework = new Set<AnyNode>([tree.html, tree.head, tree.body]);
  for (const parent of new Set([...nodes].flatMap((node) => (framework.has(node) ? [node as Element] : (node.parent ?? [])))))
    keepChildren(
      parent,
      framework.has(parent) && nodes.has(parent) ? [] : parent.children.filter((child) => !nodes.has(child) || framework.has(child)),
    );
}

function keepChildren(parent: ParentNode, kept: readonly AnyNode[]): void {
  // What is left was among the children of this parent.
  parent.children = [...kept] as typeof parent.children;
  kept.forEach((child, place) => {
    child.prev = (kept[place - 1] ?? null) as typeof child.prev;
    child.next = (kept[place + 1] ?? null) as typeof child.next;
  });
}

/** A copy without what stands at `places`; null where that is all of it. */
function withoutPlaces(value: JsonValue, places: readonly JsonPlace[]): JsonValue {
  const gone = new Places(places);
  return gone.isEnd ? null : copyWithout(value, gone);
}

/** Places as the tree of their steps. */
class Places {
  readonly isEnd: boolean;
  private readonly below = new Map<string | number, JsonPlace[]>();

  constructor(places: readonly JsonPlace[]) {
    this.isEnd = places.some((place) => place.length === 0);
    for (const [step, ...rest] of places) {
      if (step === undefined) continue;
      const known = this.below.get(step);
      if (known) known.push(rest);
      else this.below.set(step, [rest]);
    }
  }

  at(step: string | number): Places | undefined {
    const places = this.below.get(step);
    return places && new Places(places);
  }
}

/** Recursion is bounded by the depth that JSONPath looks to. */
function copyWithout(value: JsonValue, gone: Places | undefined): JsonValue {
  if (!gone || typeof value !== 'object' || value === null) return value;
  const kept = (step: string | number, member: JsonValue): readonly JsonValue[] => {
    const below = gone.at(step);
    return below?.isEnd === true ? [] : [copyWithout(member, below)];
  };
  if (Array.isArray(value))
    return value.flatMap((item: JsonValue, place) => kept(place, item).map((one) => [one])).map(([one]) => one as JsonValue);
  return Object.fromEntries(Object.entries(value).flatMap(([name, member]) => kept(name, member).map((one) => [name, one])));
}
