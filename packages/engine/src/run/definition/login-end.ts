// Where the login of a workflow ends: at the step that shows whether it has worked.
import type { Step } from '@weft/contract';
import { bodiesOf } from '../state.ts';

/** The steps of a login. */
export interface LoginEnd {
  /** Those of the workflow down to the one that holds the end. */
  readonly steps: readonly Step[];
  /** The id of the step that shows whether the login has worked. */
  readonly until: string;
}

/** Steps that fail where a page is another than the one that was meant. */
const PROOFS: ReadonlySet<Step['type']> = new Set(['assert', 'waitForElement', 'waitForExpression', 'login']);
/** A value of the persona in a template. */
const PERSONA = /\{\{\s*persona\./;

/**
 * The end of the last login in `steps`: a `login` is its own, and behind steps that send what the persona holds it is the next one that
 * checks a page, in the same list or in one around it. Undefined where nothing logs in, or nothing shows whether that has worked.
 */
export function loginEndOf(steps: readonly Step[]): LoginEnd | undefined {
  const place = steps.findLastIndex(sends);
  const step = steps[place];
  if (!step) return undefined;
  if (step.type === 'login') return { steps: steps.slice(0, place + 1), until: step.id };
  const inner = bodiesOf(step)
    .toReversed()
    .map(loginEndOf)
    .find((end) => end !== undefined);
  if (inner) return { steps: steps.slice(0, place + 1), until: inner.until };
  const behind = steps.slice(place + 1).findIndex(proves);
  const proof = steps[place + 1 + behind];
  return behind < 0 || !proof ? undefined : { steps: steps.slice(0, place + 2 + behind), until: proof.id };
}

function sends(step: Step): boolean {
  const bodies = bodiesOf(step);
  if (bodies.length > 0) return bodies.flat().some(sends);
  return step.type === 'login' || step.type === 'otp' || PERSONA.test(JSON.stringify(step));
}

function proves(step: Step): boolean {
  return PROOFS.has(step.type) || ('asserted_events' in step && (step.asserted_events ?? []).length > 0);
}
