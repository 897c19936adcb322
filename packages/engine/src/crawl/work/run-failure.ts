// Names the failure of a run by what went wrong with its page (D19): the one table, for page errors and for reasons of the ledger.
import type { RunFailure } from '@weft/contract';
import { isPageErrorCode } from '../../errors.ts';
import type { PageError } from '../../errors.ts';

/** What goes by another name in a failure. */
const RENAMED: Readonly<Record<string, RunFailure['code']>> = {
  aborted: 'interrupted',
  cancelled: 'interrupted',
  content_type: 'unsupported_type',
  no_answer: 'internal',
};

/** The failure of a run that ended with `error`. */
export function failureOfPage({ code, message }: PageError): RunFailure {
  return { code: failureCode(code), message };
}

/** The code of a failure for `reason`, the code of a page error or a reason of the ledger; what else keeps a page out is a rule that the caller gave. */
export function failureCode(reason: string): RunFailure['code'] {
  const renamed = RENAMED[reason];
  if (renamed !== undefined) return renamed;
  return isPageErrorCode(reason) && reason !== 'aborted' ? reason : 'input';
}
