// What is known of a workflow by HTTP that people recorded in a browser: when it is tried beside, trusted, and no longer.
import type { Step } from '@weft/contract';

/** The candidate of one revision. */
export interface HttpCandidate {
  readonly steps: readonly Step[];
  readonly status: 'shadow' | 'promoted' | 'demoted' | 'none';
  /** Prints of the inputs with which it came to the same. */
  readonly agreed: readonly string[];
  /** Runs that it answered since it was last held against a browser. */
  readonly runsSince: number;
  /** Why it is where it is. */
  readonly reason: string;
}

/** What one run found out about it. */
export type CandidateVerdict =
  | { readonly kind: 'none'; readonly reason: string }
  | { readonly kind: 'agreed'; readonly steps: readonly Step[]; readonly inputs: string }
  | { readonly kind: 'differed'; readonly steps: readonly Step[]; readonly reason: string }
  | { readonly kind: 'used' };

/** Both numbers are those of the plan of this program (issue 11, lanes): two different inputs, and every twentieth run. */
export const CANDIDATE_NUMBERS = { inputsToAgree: 2, runsBetweenShadows: 20 } as const;

/** What is known after one more run. A revision that was demoted stays so. */
export function judgeCandidate(known: HttpCandidate | undefined, verdict: CandidateVerdict, hasInputs: boolean): HttpCandidate {
  if (known?.status === 'demoted') return known;
  const before = known ?? { steps: [], status: 'none', agreed: [], runsSince: 0, reason: '' };
  switch (verdict.kind) {
    case 'none':
      return { ...before, status: 'none', reason: verdict.reason };
    case 'used':
      return { ...before, runsSince: before.runsSince + 1 };
    case 'differed':
      return { ...before, steps: verdict.steps, status: 'demoted', reason: verdict.reason };
    case 'agreed': {
      const isNew = !hasInputs || !before.agreed.includes(verdict.inputs);
      const agreed = isNew ? [...before.agreed, verdict.inputs].slice(-CANDIDATE_NUMBERS.inputsToAgree) : before.agreed;
      const { inputsToAgree: wanted } = CANDIDATE_NUMBERS;
      const isTrusted = before.status === 'promoted' || agreed.length >= wanted;
      const reason = isTrusted
        ? `it came to the same as a browser in ${wanted} runs${hasInputs ? ' with different inputs' : ''}`
        : `it came to the same as a browser with ${agreed.length} of ${wanted} ${hasInputs ? 'different inputs' : 'runs'}`;
      return { steps: verdict.steps, status: isTrusted ? 'promoted' : 'shadow', agreed, runsSince: 0, reason };
    }
  }
}

/** True where the next run goes by it: every twentieth is held against a browser again. */
export function isTrusted(known: HttpCandidate | undefined): boolean {
  return known?.status === 'promoted' && known.runsSince < CANDIDATE_NUMBERS.runsBetweenShadows - 1;
}
