// A line comment is no docstring.
export const bare = 1;

/** A docstring. */
export interface Documented {
  readonly name: string;
}
