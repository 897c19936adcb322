// Gives the pieces of a catalogue their ids: a letter for the kind, and a number.
import type { EvidenceId } from './catalogue.ts';

/** What kinds of ids there are; what each letter stands for is said at `EvidenceId`. */
export type IdLetter = 'F' | 'R' | 'L' | 'E' | 'D' | 'J' | 'N' | 'T' | 'C' | 'P' | 'V' | 'X';

/** Ids of one build; they go on over its rungs. */
export class Ids {
  private readonly counts = new Map<IdLetter, number>();

  /** `used` are ids that were given before. */
  constructor(used: Iterable<EvidenceId> = []) {
    for (const id of used) {
      const letter = id[0] as IdLetter;
      this.counts.set(letter, Math.max(this.counts.get(letter) ?? 0, Number(id.slice(1))));
    }
  }

  next(letter: IdLetter): EvidenceId {
    const count = (this.counts.get(letter) ?? 0) + 1;
    this.counts.set(letter, count);
    return `${letter}${count}`;
  }
}
