// Makes a loop over pages of a list that was marked and the clicks on the way to its next page.
import type { StepOf } from '@weft/contract';
import type { Draft } from './fold-login.ts';

/** `steps` with `paginate` around each list behind which `nextLinks`, ids of clicks, lead to its next page. */
export function foldPages(steps: readonly Draft[], nextLinks: ReadonlySet<string>): readonly Draft[] {
  const folded: Draft[] = [];
  for (const step of steps) {
    const last = folded.at(-1);
    if (nextLinks.has(step.id) && last?.type === 'paginate') continue;
    if (nextLinks.has(step.id) && last?.type === 'extractList')
      folded.splice(-1, 1, { id: step.id, type: 'paginate', mode: 'next_link', body: [last] } satisfies Draft & {
        mode: StepOf<'paginate'>['mode'];
      });
    else folded.push(step);
  }
  return folded;
}
