// What can go wrong with a run beside its pages, named for what its failure says.
import type { RunFailure } from '@weft/contract';
import { PageError } from '../errors.ts';
import { TemplateError } from './template/parse.ts';

/** An expected end of a step. `message` is a public sentence. */
export class RunFault extends Error {
  readonly code: RunFailure['code'];

  constructor(code: RunFailure['code'], message: string) {
    super(message);
    this.name = 'RunFault';
    this.code = code;
  }
}

/** A step of the HTTP lane can't do what it should there; a browser could. */
export class LaneFault extends Error {
  readonly reason: LaneReason;

  constructor(reason: LaneReason, message: string) {
    super(message);
    this.name = 'LaneFault';
    this.reason = reason;
  }
}

/** Why a run leaves the HTTP lane. */
export type LaneReason = 'js_shell' | 'challenge' | 'login_lost' | 'assert_failed' | 'shape_changed' | 'scripted_form';

const FAILURE_OF_LANE = {
  js_shell: 'browser',
  challenge: 'captcha',
  login_lost: 'blocked',
  assert_failed: 'assert',
  shape_changed: 'assert',
  scripted_form: 'browser',
} as const;

/** What a failure says of an error; undefined for one that nobody expected. */
export function failureOfError(error: unknown): RunFailure | undefined {
  if (error instanceof PageError) return { code: error.code === 'aborted' ? 'interrupted' : error.code, message: error.message };
  if (error instanceof RunFault) return { code: error.code, message: error.message };
  if (error instanceof LaneFault) return { code: FAILURE_OF_LANE[error.reason], message: error.message };
  return error instanceof TemplateError ? { code: 'input', message: `A template ${error.message}.` } : undefined;
}
