// A search whose words were typed into a page.
import type { SearchAnswers } from './changing-lists.ts';
import type { PageEvidence, SearchControl } from './read-evidence.ts';

/** Two words typed into one control. */
export interface TypedSearch extends SearchAnswers {
  readonly page: PageEvidence;
  readonly control: SearchControl;
  /** The address that the control's form is sent to by POST; undefined for any other. */
  readonly sentTo: string | undefined;
  /** Those that were typed first, then others of the site. */
  readonly words: readonly string[];
}
