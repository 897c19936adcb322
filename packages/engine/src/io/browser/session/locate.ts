// Finds the element of a step in the tabs of a session, again and again until it is there, and acts on it once.
import type { Element } from 'domhandler';
import type { Frame } from 'playwright-core';
import { PageError } from '../../../errors.ts';
import { readNameIndex } from '../../../html/selectors/accessible.ts';
import { parseElementPath } from '../../../html/selectors/elements.ts';
import type { ElementPath } from '../../../html/selectors/elements.ts';
import { printOf } from '../../../html/selectors/print.ts';
import type { ElementTarget, FoundElement } from '../../../run/session.ts';
import type { Budget } from '../deadline.ts';
import { isStepTimeout, StepTimeout } from '../deadline.ts';
import { findLive, isShown } from '../live/find.ts';
import type { CopyAge, LiveElement } from '../live/find.ts';
import { LiveNode, NodeGone } from '../live/node.ts';
import { untilAnswered } from '../live/until.ts';
import type { SessionTab, SessionTabs } from './tabs.ts';

/** What one alternative of a target finds at one moment; never empty. */
export interface Located {
  readonly state: SessionTab;
  readonly alternative: number;
  /** In document order. */
  readonly elements: readonly LiveElement[];
}

/** Kept back of an act's time, so that what is in its way is told before the time is over. */
const TELL_MS = 100;

/** The paths of a target, read. Throws PageError `selector`. */
export function readPaths({ selectors }: ElementTarget): readonly ElementPath[] {
  if (selectors.length === 0) throw new PageError('selector', 'The step names no selector.');
  return selectors.map(parseElementPath);
}

/** What the first alternative that finds anything finds now; undefined when none does. */
export async function locate(
  tabs: SessionTabs,
  target: ElementTarget,
  paths: readonly ElementPath[],
  budget: Budget,
  age: CopyAge,
): Promise<Located | undefined> {
  const state = await tabs.named(target.target);
  const frame = state && frameAt(state.tab.mainFrame(), target.frame ?? []);
  if (!state || !frame) return undefined;
  for (const [alternative, path] of paths.entries()) {
    const elements = await findLive(frame, path, budget.leftMs(), age === 'fresh' && alternative > 0 ? 'same' : age);
    if (elements.length > 0) return { state, alternative, elements };
  }
  return undefined;
}

/** The frame at these indices; undefined while there is none. */
export function frameAt(main: Frame, indices: readonly number[]): Frame | undefined {
  return indices.reduce<Frame | undefined>((frame, index) => frame?.childFrames()[index], main);
}

/**
 * Does `act` on the element that `target` means as soon as it is there, and shown unless `isHiddenEnough`. An element that leaves the page
 * before it was acted on is looked for again. Throws PageError `selector`, and `timeout` where it is there but can't be acted on.
 */
export async function actOn(
  tabs: SessionTabs,
  target: ElementTarget,
  budget: Budget,
  isHiddenEnough: boolean,
  act: (node: LiveNode, print: FoundElement['print'], timeoutMs: number, state: SessionTab) => Promise<void>,
): Promise<FoundElement> {
  const paths = readPaths(target);
  let seen: Located | undefined;
  return await untilAnswered(
    budget,
    async (tries) => {
      seen = (await locate(tabs, target, paths, budget, tries === 0 ? 'any' : 'fresh')) ?? seen;
      const located = seen;
      const chosen = located?.elements.find(isShown) ?? (isHiddenEnough ? located?.elements[0] : undefined);
      if (!located || !chosen) return undefined;
      const node = new LiveNode(chosen);
      const found = foundIn(located, chosen);
      try {
        await act(node, found.print, Math.max(budget.leftMs() - TELL_MS, 1), located.state);
        return found;
      } catch (error) {
        if (error instanceof NodeGone) return undefined;
        // A pop-up that closes on a click takes its answer with it.
        if (located.state.tab.isClosed()) return found;
        throw isStepTimeout(error) && !(error instanceof StepTimeout) ? notReady(target, found) : error;
      } finally {
        node.dispose();
      }
    },
    () => (seen ? notReady(target, foundIn(seen, seen.elements[0])) : notFound(target)),
  );
}

/** What is told of an element that was found. */
export function foundIn({ alternative, elements }: Located, chosen: LiveElement | undefined): FoundElement {
  return { alternative, count: elements.length, print: chosen ? printOfLive(chosen) : { tag: '' } };
}

function printOfLive({ copy, element }: { readonly copy: LiveElement['copy']; readonly element: Element }): FoundElement['print'] {
  return printOf(element, readNameIndex(copy.tree));
}

/** The PageError for an element that is not there. */
export function notFound(target: ElementTarget): PageError {
  return new PageError(
    'selector',
    `${namesOf(target)} did not appear on the page in time. Check the selector, or give the step more time.`,
  );
}

function notReady(target: ElementTarget, { count, print }: FoundElement): PageError {
  const many = count > 1 ? ` (the first shown of ${count})` : '';
  return new PageError(
    'timeout',
    `${namesOf(target)} finds <${print.tag}>${many}, which was not shown, still, enabled and free of what covers it in time.`,
    { next: 'drop' },
  );
}

/** The target's selectors as they were written, cut. */
export function namesOf({ selectors }: ElementTarget): string {
  const names = selectors.map((each) => (typeof each === 'string' ? each : each.join(' ▸ ')));
  const text = names.map((name) => `"${name.slice(0, 120)}"`).slice(0, 3);
  return text.join(' or ') + (names.length > 3 ? ' or others' : '');
}
