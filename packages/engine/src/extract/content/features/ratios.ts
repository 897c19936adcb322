// The two ways in which features bring sizes of very different pages to one scale.

/** The binary logarithm of one more than `value`, so that 0 stays 0. */
export const log = (value: number): number => Math.log2(1 + value);

/** `part` of `whole`; 0 where there is no whole. */
export const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
