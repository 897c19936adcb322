// Writes other selectors for a node that was found once, so that it can be found again after the page has changed.
import type { AnyNode, Element } from 'domhandler';
import { isTag } from 'domhandler';
import type { PageTree } from '../tree.ts';
import { nameOf, readNameIndex, roleOf } from './accessible.ts';
import { escapeIdentifier, quoteString } from './css-path.ts';
import { matchCss } from './css.ts';
import { isStableName, isStableValue } from './stable.ts';
import { attribute, tokensOf } from '../walk.ts';
import { findByLabel, findByRole, labelWords, namedBy } from './words.ts';

/** No more than this many are written, each of another kind. */
export const ALTERNATES_MAX = 4;

/** Attributes that exist for tests and data, the most deliberate first. */
const DELIBERATE = [
  'data-testid',
  'data-test-id',
  'data-test',
  'data-qa',
  'data-cy',
  'data-automation-id',
  'data-hook',
  'data-role',
  'itemprop',
  'property',
  'name',
];
const NAME_CHARACTERS_MAX = 80;
const ANCESTORS_MAX = 8;

/**
 * Up to four selectors that each resolve to exactly `node` on this page: by a test id or data attribute, by role and name, by the
 * label beside it, by stable class names. Empty for a node that is no element, or that nothing stable tells apart.
 */
export function generateAlternates(tree: PageTree, node: AnyNode): readonly string[] {
  if (!isTag(node)) return [];
  const written = [byAttribute, byRole, byLabel, byClasses].flatMap((write) => write(node, tree) ?? []);
  return [...new Set(written)].slice(0, ALTERNATES_MAX);
}

function isOnly(found: readonly Element[], node: Element): boolean {
  return found.length === 1 && found[0] === node;
}

function byAttribute(node: Element, tree: PageTree): string | undefined {
  return (
    attributeParts(node).find((part) => isOnly(matchCss(part, tree), node)) ??
    underAncestor(node, attributeParts(node), tree, attributeParts)
  );
}

/** `[data-testid="price"]` and others, from the most deliberate to any `data-` attribute with a stable value. */
function attributeParts(element: Element): readonly string[] {
  const others = Object.keys(element.attribs).filter(
    (name) => /^data-[a-z-]+$/.test(name) && !DELIBERATE.includes(name) && !name.startsWith('data-v-'),
  );
  return [...DELIBERATE, ...others].flatMap((name) => {
    const value = attribute(element, name);
    return value !== undefined && isStableValue(value) ? [`[${name}=${quoteString(value)}]`] : [];
  });
}

function byRole(node: Element, tree: PageTree): string | undefined {
  const role = roleOf(node);
  const name = role === undefined ? '' : nameOf(node, readNameIndex(tree));
  if (role === undefined || !/^[a-z]+$/.test(role) || name === '' || name.length > NAME_CHARACTERS_MAX) return undefined;
  const found = findByRole({ role, name: { words: name, exact: true }, level: undefined }, tree);
  return isOnly(found, node) ? `role/${role}[name=${quoteWords(name)}]` : undefined;
}

function byLabel(node: Element, tree: PageTree): string | undefined {
  const label = labelOf(node, tree);
  if (label === '' || label.length > NAME_CHARACTERS_MAX || !/\p{L}/u.test(label)) return undefined;
  return isOnly(findByLabel({ words: label, exact: true }, tree), node) ? `label/${quoteWords(label)}` : undefined;
}

/** The words that label a control, or that stand before an element and name it; empty where there are none. */
export function labelOf(node: Element, tree: PageTree): string {
  if (/^(?:input|select|textarea)$/.test(node.name)) return nameOf(node, readNameIndex(tree)).replace(/[\s:：*]+$/, '');
  for (let before = node.prev; before; before = before.prev) {
    if (isTag(before)) return namedBy(before) === node ? labelWords(before) : '';
  }
  return '';
}

function quoteWords(words: string): string {
  return `"${words.replace(/["\\]/g, '\\$&')}"`;
}

function byClasses(node: Element, tree: PageTree): string | undefined {
  const parts = classParts(node);
  return parts.find((part) => isOnly(matchCss(part, tree), node)) ?? underAncestor(node, parts, tree, classParts);
}

/** `#id`, `.class`, `name.class`, `name.class.class`, and the bare name last: from short to long, stable names only. */
function classParts(element: Element): readonly string[] {
  const name = escapeIdentifier(element.name);
  const id = attribute(element, 'id');
  const classes = tokensOf(element, 'class')
    .filter(isStableName)
    .slice(0, 4)
    .map((token) => `.${escapeIdentifier(token)}`);
  const pairs = classes.flatMap((first, i) => classes.slice(i + 1).map((second) => `${name}${first}${second}`));
  const byId = id !== undefined && isStableName(id) ? [`#${escapeIdentifier(id)}`] : [];
  return [...byId, ...classes, ...classes.map((token) => `${name}${token}`), ...pairs, name];
}

/** The shortest `ancestor part` that is unique: the nearest ancestors are tried first. */
function underAncestor(
  node: Element,
  parts: readonly string[],
  tree: PageTree,
  partsOf: (ancestor: Element) => readonly string[],
): string | undefined {
  let depth = 0;
  for (let at = node.parent; at && isTag(at) && at.name !== 'body' && depth < ANCESTORS_MAX; at = at.parent, depth++) {
    const anchors = partsOf(at)
      .filter((part) => part !== at.name)
      .slice(0, 3);
    const found = anchors.flatMap((anchor) => parts.map((part) => `${anchor} ${part}`)).find((css) => isOnly(matchCss(css, tree), node));
    if (found !== undefined) return found;
  }
  return undefined;
}
