// Reads the parameters of a query, as the programs behind it do.

/** One parameter as it is written, escapes and all; a name without `=` has an empty value. */
export interface QueryPair {
  readonly name: string;
  readonly value: string;
  /** Name and value as they stand in the query. */
  readonly text: string;
}

/** The parameters of `url` in their order; `;` separates as `&` does (HTML 4.01, B.2.2: gitweb, forums and CGI scripts write it). */
export function queryPairs({ search }: Pick<URL, 'search'>): readonly QueryPair[] {
  if (search.length < 2) return [];
  return search
    .slice(1)
    .split(/[&;]/)
    .filter((text) => text !== '')
    .map((text) => {
      const mark = text.indexOf('=');
      return mark < 0 ? { name: text, value: '', text } : { name: text.slice(0, mark), value: text.slice(mark + 1), text };
    });
}
