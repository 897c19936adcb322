// Runs CSS selectors on the tree, as a browser would.
import { compile, selectAll } from 'css-select';
import type { AnyNode, Element } from 'domhandler';
import type { PageTree } from '../tree.ts';
import { requireAtMost, requireNesting, selectorError } from './caps.ts';

const LIST_MAX = 200;
const STEPS_MAX = 100;
const NESTING_MAX = 6;
/** Each `:has()` looks through a subtree for every element, and they multiply. */
const HAS_MAX = 3;

/** Throws PageError `selector` unless `expression` is CSS that is bounded and known. */
export function checkCss(expression: string): void {
  requireNesting(expression, NESTING_MAX);
  requireAtMost(expression, /,/g, LIST_MAX - 1, 'commas');
  requireAtMost(expression, /[\s>+~]+/g, STEPS_MAX, 'combinators');
  requireAtMost(expression, /:has\(/gi, HAS_MAX, ':has() conditions');
  try {
    compile<AnyNode, Element>(expression);
  } catch (cause) {
    throw selectorError(expression, `is not valid CSS: ${sentenceOf(cause)}`, cause);
  }
}

function sentenceOf(cause: unknown): string {
  // css-what quotes what is left of the expression, which is nothing at its end.
  const message = (cause instanceof Error ? cause.message : String(cause)).replace(/found $/, 'found its end');
  return message.endsWith('.') ? message : `${message}.`;
}

/** The elements that a checked selector matches, in document order. */
export function matchCss(expression: string, tree: PageTree): readonly Element[] {
  return selectAll<AnyNode, Element>(expression, tree.root, { xmlMode: tree.isXml === true });
}
