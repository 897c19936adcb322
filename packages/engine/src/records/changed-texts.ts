// What a page says that another answer of its site does not: the texts that stand in both are frame. Pure.
import type { AnyNode, Element, ParentNode, Text } from 'domhandler';
import { isTag, isText } from 'domhandler';
import type { PageTree } from '../html/tree.ts';
import { isParent } from '../html/walk.ts';
import { isUnseen } from './survey/survey.ts';

/** How far a list is what has changed on its page, both 0 to 1. */
export interface ListChange {
  /** The share of what only this page says that the list holds, in characters. */
  readonly coverage: number;
  /** The share of what the list says that only this page says. */
  readonly purity: number;
}

/** The texts of a page, and which of them are its own. */
export interface ChangedTexts {
  /** Measures the list with these nodes. Coverage is 0 where nothing has changed. */
  measure(nodes: readonly (readonly Element[])[]): ListChange;
}

/** Holds each text of `page` against `other`, as often as it stands there: a second one that is alike is its own. */
export function readChangedTexts(page: PageTree, other: PageTree): ChangedTexts {
  const known = new Map<string, number>();
  for (const { data } of textsBelow(other.body)) known.set(keyOf(data), (known.get(keyOf(data)) ?? 0) + 1);
  const own = new Set<Text>();
  let total = 0;
  for (const text of textsBelow(page.body)) {
    const key = keyOf(text.data);
    const left = known.get(key) ?? 0;
    if (left > 0) {
      known.set(key, left - 1);
      continue;
    }
    own.add(text);
    total += key.length;
  }
  return {
    measure(nodes) {
      let inside = 0;
      let changed = 0;
      for (const text of nodes.flat().flatMap(textsBelow)) {
        const { length } = keyOf(text.data);
        inside += length;
        if (own.has(text)) changed += length;
      }
      return { coverage: changed / (total || 1), purity: changed / (inside || 1) };
    },
  };
}

function textsBelow(top: ParentNode): Text[] {
  const found: Text[] = [];
  const pending: AnyNode[] = [...top.children].toReversed();
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (isText(node)) {
      if (node.data.trim() !== '') found.push(node);
    } else if (isParent(node) && !(isTag(node) && isUnseen(node))) {
      for (let at = node.children.length - 1; at >= 0; at--) pending.push(node.children[at] as AnyNode);
    }
  }
  return found;
}

function keyOf(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().toLowerCase();
}
