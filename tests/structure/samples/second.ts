/** A docstring of a function that is passed on under another name. */
export function shown(): void {}

export const hidden = 2;
