// How two clusters lie in each other, so that a record is reported whole and once.
import type { Cluster } from './clusters.ts';
import type { Block } from '../survey/survey.ts';

/** The preorder span of an item. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The spans of the items of `cluster`, in document order. */
export function spansOf(cluster: Cluster): Span[] {
  return cluster.items.map((blocks) => ({ start: (blocks[0] as Block).start, end: (blocks.at(-1) as Block).end }));
}

/** True when every span of `inner` lies in a span of `outer`, at most one in each. Both in document order, without overlaps. */
export function holdsOneEach(outer: readonly Span[], inner: readonly Span[]): boolean {
  if (outer.length < inner.length) return false;
  let at = 0;
  for (const span of inner) {
    while (at < outer.length && (outer[at] as Span).end < span.start) at++;
    const around = outer[at];
    if (!around || around.start > span.start || around.end < span.end) return false;
    at++;
  }
  return true;
}
