// A rival from its published description: Scrapling's adaptive relocation (its documentation, "How adaptive scraping works"), written anew.
// A candidate scores the plain mean of how like tag, text, attributes, path, parent and siblings are; the best from 40 in 100 on is taken.
import type { Element } from 'domhandler';
import { isTag } from 'domhandler';
import { textOf } from '../../../packages/engine/src/html/selectors/text.ts';
import type { PageTree } from '../../../packages/engine/src/html/tree.ts';
import { elementsBelow, parentOf } from '../../../packages/engine/src/html/walk.ts';

const ACCEPTED_FROM = 0.4;
const TEXT_CHARACTERS_MAX = 300;

/** What it keeps of an element. */
export interface RivalPrint {
  readonly tag: string;
  readonly words: readonly string[];
  readonly attributes: readonly string[];
  readonly path: readonly string[];
  readonly parent: readonly string[];
  readonly siblings: readonly string[];
}

export function rivalPrint(element: Element): RivalPrint {
  const parent = parentOf(element);
  const path: string[] = [];
  for (let at = parent; at; at = parentOf(at)) path.unshift(at.name);
  return {
    tag: element.name,
    words: textOf(element, TEXT_CHARACTERS_MAX).split(/\s+/),
    attributes: attributesOf(element),
    path,
    parent: parent ? [parent.name, ...attributesOf(parent)] : [],
    siblings: (parent?.children ?? [])
      .filter((child): child is Element => isTag(child) && child !== element)
      .map(({ name }) => name)
      .slice(0, 50),
  };
}

/** The element that it takes for the one of `print`; undefined where none is like enough. Without `hasText` own texts are left out. */
export function rivalFind(print: RivalPrint, tree: PageTree, hasText: boolean): Element | undefined {
  let best: Element | undefined;
  let most = 0;
  for (const element of elementsBelow(tree.body)) {
    const score = scoreOf(print, rivalPrint(element), hasText);
    if (score > most) [most, best] = [score, element];
  }
  return most >= ACCEPTED_FROM ? best : undefined;
}

function scoreOf(a: RivalPrint, b: RivalPrint, hasText: boolean): number {
  const parts = [
    a.tag === b.tag ? 1 : 0,
    ...(hasText ? [ratio(a.words, b.words)] : []),
    ...(a.attributes.length > 0 ? [ratio(a.attributes, b.attributes)] : []),
    ratio(a.path, b.path),
    ratio(a.parent, b.parent),
    ...(a.siblings.length > 0 ? [ratio(a.siblings, b.siblings)] : []),
  ];
  return parts.reduce((sum, part) => sum + part, 0) / parts.length;
}

function attributesOf({ attribs }: Element): readonly string[] {
  return Object.entries(attribs).map(([name, value]) => `${name}=${value}`);
}

/** Twice what both have in the same order, against the length of both, as difflib has it. */
function ratio(a: readonly string[], b: readonly string[]): number {
  if (a.length + b.length === 0) return 1;
  let last = Array.from({ length: b.length + 1 }, () => 0);
  for (const item of a) {
    const next = [0];
    for (let i = 0; i < b.length; i++)
      next.push(item === b[i] ? (last[i] as number) + 1 : Math.max(last[i + 1] as number, next[i] as number));
    last = next;
  }
  return (2 * (last.at(-1) as number)) / (a.length + b.length);
}
