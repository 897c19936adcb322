// Tries the searches of a rung, and says of each that gives nothing, or is not tried, why.
import type { SiteAsking } from '../asking/site-asking.ts';
import type { Ids } from './ids.ts';
import type { SearchForm } from './search-forms.ts';
import { trySearch } from './try-search.ts';
import type { SearchTrial } from './try-search.ts';

/** Searches that a rung tries. */
const SEARCHES_MAX = 3;

/** Says why a form became no search. */
type SayUnused = (form: SearchForm['form'], pageUrl: string, reason: string) => void;

/** What the first of `searches` are answered with, each tried by itself; the others are told of. Throws PageError `aborted`. */
export async function trySearches(
  searches: readonly SearchForm[],
  known: Parameters<typeof trySearch>[1],
  asking: SiteAsking,
  ids: Ids,
  sayUnused: SayUnused,
  signal: AbortSignal,
): Promise<readonly SearchTrial[]> {
  const trials: SearchTrial[] = [];
  for (const search of searches.slice(0, SEARCHES_MAX)) {
    const end = await trySearch(search, known, asking, ids, signal);
    if ('trial' in end) trials.push(end.trial);
    else sayUnused(search.form, search.pageUrl, end.reason);
  }
  for (const { form, pageUrl } of searches.slice(SEARCHES_MAX))
    sayUnused(form, pageUrl, `It was not tried: ${SEARCHES_MAX} others came first.`);
  return trials;
}
