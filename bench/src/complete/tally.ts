// Sums what one extractor kept and lost over pages.
import type { Coverage } from './coverage.ts';
import { UNIT_KINDS } from './truth.ts';

/** One number of a tally, as a row of the table shows it. */
export interface Figure {
  readonly label: string;
  readonly value: number;
  readonly unit: string;
  readonly target: string;
}

/** Sums of coverages. */
export class Tally {
  private readonly all = new Map<string, number>();
  private readonly lost = new Map<string, number>();
  private chromeWords = 0;
  private outputWords = 0;

  add({ units, chromeWords, outputWords }: Coverage): void {
    for (const kind of UNIT_KINDS) {
      this.all.set(kind, (this.all.get(kind) ?? 0) + units[kind].all);
      this.lost.set(kind, (this.lost.get(kind) ?? 0) + units[kind].lost);
    }
    this.chromeWords += chromeWords;
    this.outputWords += outputWords;
  }

  /** The same figures in the same order for every tally. */
  figures(): readonly Figure[] {
    const kinds = UNIT_KINDS.map((kind) => {
      const all = this.all.get(kind) ?? 0;
      const lost = this.lost.get(kind) ?? 0;
      return { label: `${kind}s lost, ${lost} of ${all}`, value: (1000 * lost) / (all || 1), unit: 'per 1,000', target: '<= 1' };
    });
    const chrome = (100 * this.chromeWords) / (this.outputWords || 1);
    return [
      ...kinds,
      { label: `chrome, ${this.chromeWords} of ${this.outputWords} words`, value: chrome, unit: 'per 100', target: '<= 1' },
    ];
  }
}
