// The text of a page once, with where in it each element begins and ends: finding words costs one search, not one for each element.
import type { AnyNode, Element, ParentNode } from 'domhandler';
import { isTag } from 'domhandler';
import { TextBuilder, isBreaking, isSilent } from './text.ts';

/** Where in the text of a page an element begins and ends. */
export interface TextSpan {
  readonly element: Element;
  /** Offsets into the text, white space at the ends included. */
  readonly start: number;
  readonly end: number;
}

/** The text of a page with the spans of its elements. */
export interface SpannedText {
  /** White space collapsed, blocks kept apart by a space. */
  readonly text: string;
  /** In document order. */
  readonly spans: readonly TextSpan[];
}

/** Reads all shown text below `top`, each piece through `fold` (lower case, for example) so that offsets stay right. */
export function readSpans(top: ParentNode, fold: (piece: string) => string): SpannedText {
  const shown = new TextBuilder();
  const spans: { element: Element; start: number; end: number }[] = [];
  const pending: (AnyNode | (() => void))[] = [...top.children].reverse();
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (typeof next === 'function') next();
    else if (next.type === 'text') shown.add(fold(next.data.replace(/\s+/g, ' ')));
    else if (isTag(next) && !isSilent(next)) {
      const element = next;
      if (isBreaking(element)) shown.separate(' ');
      const span = { element, start: shown.length, end: 0 };
      spans.push(span);
      pending.push(() => {
        span.end = shown.length;
        if (isBreaking(element)) shown.separate(' ');
      });
      for (let i = element.children.length - 1; i >= 0; i--) pending.push(element.children[i] as AnyNode);
    }
  }
  return { text: shown.toString(), spans };
}

/** The innermost elements that hold an occurrence of `words`, in document order. */
export function findInnermost({ text, spans }: SpannedText, words: string): readonly Element[] {
  const found: Element[] = [];
  const ends = new Map<AnyNode, number>(spans.map(({ element, end }) => [element, end]));
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
    const element = innermostAround(spans, ends, at, at + words.length);
    if (element && found.at(-1) !== element) found.push(element);
  }
  return found;
}

/** The last element that begins at or before `start` and ends at or after `end`. */
function innermostAround(spans: readonly TextSpan[], ends: ReadonlyMap<AnyNode, number>, start: number, end: number): Element | undefined {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.start ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  // The last one to begin may end too soon; what holds the words is then above it.
  let at: AnyNode | null = spans[low - 1]?.element ?? null;
  while (at && !(isTag(at) && (ends.get(at) ?? 0) >= end)) at = at.parent;
  return at && isTag(at) ? at : undefined;
}
