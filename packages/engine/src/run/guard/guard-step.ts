// What of a step its guard looks at: the element before an act, the page that it lands on, the answer that it got.
import type { Step } from '@weft/contract';
import { PageError } from '../../errors.ts';
import { baselineOf } from '../repair/propose.ts';
import type { StepWork } from '../step-work.ts';

/** Looks at the element that a step is about to act on. Throws GuardFault before anything is done to it. */
export async function guardAct(step: Step, work: StepWork): Promise<void> {
  const { guards } = work.state;
  if (!guards.isOn(step) || !isAct(step) || step.selectors === undefined) return;
  const { selectors, frame, target } = step;
  const { print } = await (await work.session()).find(work.element({ selectors, frame, target }), work.bounds);
  const lost = frame === undefined && target === undefined ? guards.lostNameOf(step, print) : undefined;
  guards.element(step, print, lost !== undefined && (await isOnPage(lost, work)) ? lost : undefined);
  guards.noteTarget(step.id, guards.targetOf(step.id) ?? (await baselineOf(step, await work.room.driver(), work.state, work.bounds)));
}

/** Whether an element of the page is called so. */
async function isOnPage(name: string, work: StepWork): Promise<boolean> {
  try {
    const { values = [] } = await work.read({ kind: 'values', of: { selectors: [`aria/${name}`] } });
    return values.length > 0;
  } catch (error) {
    // A name that reads as something else than a name.
    if (error instanceof PageError && error.code === 'selector') return false;
    throw error;
  }
}

/** Looks at where a step has led to, and at what it was answered. Throws GuardFault. */
export async function guardResult(step: Step, out: unknown, work: StepWork): Promise<void> {
  const { guards } = work.state;
  if (!guards.isOn(step)) return;
  if (step.type === 'navigate' || step.type === 'form') {
    const { page } = await work.read({ kind: 'print' });
    guards.page(step, page, work.url ?? '');
  }
  if (step.type === 'request') guards.values(step, (out as { readonly json: unknown }).json);
}

type Act = Extract<Step, { readonly type: 'click' | 'doubleClick' | 'hover' | 'change' | 'upload' | 'download' }>;

const ACTS: ReadonlySet<string> = new Set(['click', 'doubleClick', 'hover', 'change', 'upload', 'download'] satisfies Act['type'][]);

function isAct(step: Step): step is Act {
  return ACTS.has(step.type);
}
