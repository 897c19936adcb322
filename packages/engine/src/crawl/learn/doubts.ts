// Has addresses of a class that is in doubt asked for one after the other: what the first shows may spare the others.
import type { CrawlMemory } from './crawl-memory.ts';
import type { LeasedUrl } from '../frontier-store.ts';

/** The classes in doubt of what is under way. */
export class Doubts {
  private readonly memory: Pick<CrawlMemory, 'twins' | 'traps' | 'parameters' | 'files' | 'barren'>;
  private readonly underWay = new Set<string>();

  constructor(memory: Pick<CrawlMemory, 'twins' | 'traps' | 'parameters' | 'files' | 'barren'>) {
    this.memory = memory;
  }

  /** Whether an address of one of its classes is under way: its end says more of `leased` than asking for it now. */
  holds(leased: LeasedUrl): boolean {
    return this.underWay.size > 0 && this.classesOf(leased).some((each) => this.underWay.has(each));
  }

  /** Notes that `leased` is under way; the function that comes back ends that. */
  enter(leased: LeasedUrl): () => void {
    const classes = this.classesOf(leased);
    for (const each of classes) this.underWay.add(each);
    return () => {
      for (const each of classes) this.underWay.delete(each);
    };
  }

  private classesOf({ url, twin, source }: LeasedUrl): readonly string[] {
    if (source === 'seed') return [];
    const { twins, traps, parameters, files, barren } = this.memory;
    const file = files.findDoubt(url);
    const kinds = twin && twins.findDoubt(url, twin.url);
    return [
      ...[kinds, file].filter((each) => each !== undefined),
      ...traps.findDoubts(url),
      ...parameters.findDoubts(url),
      ...barren.findDoubts(url),
    ];
  }
}
