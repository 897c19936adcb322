// Makes of a list that was marked, and of what was done around it, what reads it in each run: once it is there, and over its pages.
import type { Wrapper } from '../../records/wrapper.ts';
import type { Draft } from './fold-login.ts';

/** Behind these a page may still be on its way to what they lead to. */
const ACTS: ReadonlySet<Draft['type']> = new Set(['click', 'doubleClick', 'change', 'keyUp', 'hover', 'scroll']);

/** `steps` with `paginate` around each list behind which `nextLinks`, ids of clicks, lead to its next page. */
export function foldPages(steps: readonly Draft[], nextLinks: ReadonlySet<string>): readonly Draft[] {
  const folded: Draft[] = [];
  for (const step of steps) {
    const last = folded.at(-1);
    if (nextLinks.has(step.id) && last?.type === 'paginate') continue;
    if (nextLinks.has(step.id) && last?.type === 'extractList')
      folded.splice(-1, 1, { id: step.id, type: 'paginate', mode: 'next_link', body: [last] });
    else folded.push(step);
  }
  return folded;
}

/** `steps` with a wait in front of each list that an act leads to: a person sees when it is there. */
export function awaitLists(steps: readonly Draft[]): readonly Draft[] {
  return steps.flatMap((step, place) => {
    const before = steps[place - 1];
    const css = before && ACTS.has(before.type) ? itemsOf(step) : [];
    return css.length === 0 ? [step] : [{ id: `${step.id}_there`, type: 'waitForElement' as const, selectors: css }, step];
  });
}

function itemsOf({ type, wrapper, body }: Draft): readonly string[] {
  // As the recorder wrote them.
  if (type === 'paginate') return (body as readonly Draft[]).flatMap(itemsOf);
  return type === 'extractList' ? ((wrapper as Wrapper | undefined)?.selectors ?? []).map(({ css }) => css) : [];
}
