// Who is who where several were known together: an element is one of them at most, so that what explains a rival better is not taken for the target.

/** Places that are looked at together; what is none of the likest decides nothing. */
export const TOGETHER_MAX = 12;

export const TUNE = { none: 0 };

/** The most that places are worth in all where each is given to one print at most and each print to one place; `gains` by place, then by print. */
export function bestTogether(gains: readonly (readonly number[])[]): number {
  const prints = gains[0]?.length ?? 0;
  // What is reached with each set of prints given away, place after place.
  let reached = new Float64Array(1 << prints).fill(Number.NEGATIVE_INFINITY);
  reached[0] = 0;
  for (const place of gains) {
    const next = reached.slice();
    for (const [print, gain] of place.entries()) {
      if (gain <= 0) continue;
      for (let given = 0; given < reached.length; given++) {
        const more = given | (1 << print);
        if (more !== given) next[more] = Math.max(next[more] as number, (reached[given] as number) + gain);
      }
    }
    reached = next;
  }
  return reached.reduce((most, sum) => Math.max(most, sum), 0);
}

/**
 * By how much everything together is likelier with the first place being the target than without; `odds` by place, each the log odds that it
 * is the target, then those that it is each rival.
 */
export function marginOf(odds: readonly (readonly number[])[]): number {
  const gains = odds.map((place) => place.map((each) => each - TUNE.none));
  const [first = [], ...others] = gains;
  const [own = 0, ...rivals] = first;
  const withIt = own + bestTogether(others.map(([, ...rest]) => rest));
  return withIt - bestTogether([[0, ...rivals], ...others]);
}
