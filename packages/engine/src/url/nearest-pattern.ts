// Finds what somebody may have meant by a path pattern that let nothing in.
import { compileFilters, decideFilters } from './filters.ts';

/**
 * The pattern nearest to `pattern` that matches any of `urls`, nearest first: below it, beginning with it, ending with it, holding it;
 * undefined when none does, or when `pattern` matches by itself.
 */
export function nearestPattern(pattern: string, urls: readonly string[]): string | undefined {
  const matchesAny = (candidate: string): boolean => {
    try {
      const filters = compileFilters([candidate], []);
      return urls.some((url) => decideFilters(filters, url).allowed);
    } catch (error) {
      // What can't be compiled was never meant.
      if (error instanceof SyntaxError) return false;
      throw error;
    }
  };
  return matchesAny(pattern) ? undefined : candidatesFor(pattern).find(matchesAny);
}

function candidatesFor(pattern: string): readonly string[] {
  if (pattern.startsWith('regex:')) return [`regex:${pattern.slice('regex:'.length).replace(/^\^/, '').replace(/\$$/, '')}`];
  const stem = pattern.replace(/[*/]+$/, '');
  const bare = stem.replace(/^[*/]+/, '');
  return bare === '' ? [] : [`${stem}/**`, `${stem}**`, `**/${bare}`, `**/${bare}/**`, `**${bare}**`];
}
