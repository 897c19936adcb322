// A step as it would find its element now.
import type { Step } from '@weft/contract';

/** Another way for a step to find its element. */
export interface StepRepair {
  readonly stepId: string;
  /** The step as it would be. */
  readonly step: Step;
  /** How sure it is, from 0 to 1, and what speaks for it. */
  readonly score: number;
  readonly evidence: readonly string[];
}
