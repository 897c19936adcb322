// What a crawl has learnt about a site, in a form that survives the process.
import { TrapMemory } from './trap-memory.ts';
import { TwinMemory } from './twin-memory.ts';

/** What was learnt about the hosts of one crawl. */
export interface CrawlMemory {
  readonly twins: TwinMemory;
  readonly traps: TrapMemory;
}

/** The memory in `saved`, or an empty one; a text that can't be read is as good as none, since everything in it can be learnt again. */
export function restoreMemory(saved: string | undefined): CrawlMemory {
  if (saved !== undefined) {
    try {
      const { twins, traps } = JSON.parse(saved) as { twins: ReturnType<TwinMemory['toJSON']>; traps: ReturnType<TrapMemory['toJSON']> };
      return { twins: new TwinMemory(twins), traps: new TrapMemory(traps) };
    } catch {
      // Written by another version.
    }
  }
  return { twins: new TwinMemory(), traps: new TrapMemory() };
}

/** The memory as text. */
export function saveMemory(memory: CrawlMemory): string {
  return JSON.stringify(memory);
}
