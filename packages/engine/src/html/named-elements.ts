// Lists the few elements that many readers look for, in one walk over a page.
import type { AnyNode, Element } from 'domhandler';
import { isTag } from 'domhandler';
import type { PageTree } from './tree.ts';
import { ancestorNamed, nodeAfterWithTemplates } from './walk.ts';

const LISTED = ['script', 'meta', 'link', 'title', 'h1', 'time'] as const;
type ListedName = (typeof LISTED)[number];
type Lists = ReadonlyMap<string, Element[]>;

/** Trees never change, so a page is walked once, whoever asks. */
const known = new WeakMap<PageTree, Lists>();

/** The elements of this name in document order, what `<template>` holds left out. */
export function elementsNamed(tree: PageTree, name: ListedName): readonly Element[] {
  return listsOf(tree, name).filter((element) => !ancestorNamed(element, ['template']));
}

/** The scripts of a page in document order, with what `<template>` holds. */
export function scriptsOf(tree: PageTree): readonly Element[] {
  return listsOf(tree, 'script');
}

/** True when `top` is round `element`. */
export function isBelow(element: Element, top: Element): boolean {
  let node: AnyNode | null = element.parent;
  while (node && node !== top) node = node.parent;
  return node === top;
}

function listsOf(tree: PageTree, name: ListedName): readonly Element[] {
  let lists = known.get(tree);
  if (!lists) known.set(tree, (lists = listElements(tree)));
  return lists.get(name) as Element[];
}

function listElements({ root }: PageTree): Lists {
  const lists: Lists = new Map(LISTED.map((name) => [name, []]));
  for (let node: AnyNode | null = root.children[0] ?? null; node; node = nodeAfterWithTemplates(node, root))
    if (isTag(node)) lists.get(node.name)?.push(node);
  return lists;
}
