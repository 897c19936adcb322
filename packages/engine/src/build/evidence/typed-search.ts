// A search whose words were typed into a page.
import type { AnsweredWord } from './changing-lists.ts';
import type { PageEvidence, SearchControl } from './read-evidence.ts';

/** Two words typed into one control. */
export interface TypedSearch {
  readonly page: PageEvidence;
  readonly control: SearchControl;
  /** Those that were typed first, then others of the site. */
  readonly words: readonly string[];
  readonly first: AnsweredWord;
  readonly second: AnsweredWord;
}
