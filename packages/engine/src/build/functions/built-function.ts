// A function that a build has made: a workflow with inputs, and what was proved of it.
import type { NewWorkflow } from '@weft/contract';
import type { Row } from '../../run/reading/rows.ts';
import type { DraftFunction } from '../draft.ts';
import type { Candidate } from '../evidence/catalogue.ts';
import type { Certificate } from '../proof/certificate.ts';

/** One function of a build. */
export interface BuiltFunction {
  readonly name: string;
  readonly description: string;
  readonly draft: DraftFunction;
  readonly candidate: Candidate;
  /** In the workflow language; its `inputs` is the JSON Schema of what a call takes. */
  readonly workflow: NewWorkflow;
  /** JSON Schema of one row of its `data`. */
  readonly rowSchema: Readonly<Record<string, unknown>>;
  /** Its first rows, at most five. */
  readonly sample: readonly Row[];
  readonly certificate: Certificate;
}
