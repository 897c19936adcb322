// What a crawl has learnt about a site, in a form that survives the process.
import { BarrenViews } from './barren-views.ts';
import { FileMemory } from './file-memory.ts';
import { ParameterMemory } from './parameter-memory.ts';
import type { SavedParameters } from './parameter-memory.ts';
import { ReachMemory } from '../hosts/reach-memory.ts';
import { TextSources } from './text-sources.ts';
import type { SavedTexts } from './text-sources.ts';
import { TrapMemory } from './trap-memory.ts';
import { TwinMemory } from './twin-memory.ts';

/** What was learnt about the hosts of one crawl. */
export interface CrawlMemory {
  readonly twins: TwinMemory;
  readonly traps: TrapMemory;
  readonly files: FileMemory;
  readonly parameters: ParameterMemory;
  readonly texts: TextSources;
  readonly barren: BarrenViews;
  readonly reach: ReachMemory;
  /** Where seeds answered, when that is elsewhere: the crawl belongs there too. */
  readonly movedTo: string[];
  /** Whether the sitemaps were read to their end. */
  isFed: boolean;
}

interface SavedMemory {
  readonly twins: ReturnType<TwinMemory['toJSON']>;
  readonly traps: ReturnType<TrapMemory['toJSON']>;
  readonly files: ReturnType<FileMemory['toJSON']>;
  readonly parameters: SavedParameters;
  readonly texts: SavedTexts;
  readonly barren: ReturnType<BarrenViews['toJSON']>;
  readonly reach: ReturnType<ReachMemory['toJSON']>;
  readonly movedTo: readonly string[];
  readonly isFed?: boolean;
}

/** The memory in `saved`, or an empty one; a text that can't be read is as good as none, since everything in it can be learnt again. */
export function restoreMemory(saved: string | undefined): CrawlMemory {
  if (saved !== undefined) {
    try {
      const { twins, traps, files, parameters, texts, barren, reach, movedTo, isFed = false } = JSON.parse(saved) as SavedMemory;
      return {
        twins: new TwinMemory(twins),
        traps: new TrapMemory(traps),
        files: new FileMemory(files),
        parameters: new ParameterMemory(parameters),
        texts: new TextSources(texts),
        barren: new BarrenViews(barren),
        reach: new ReachMemory(reach),
        movedTo: [...movedTo],
        isFed,
      };
    } catch {
      // Written by another version.
    }
  }
  return {
    twins: new TwinMemory(),
    traps: new TrapMemory(),
    files: new FileMemory(),
    parameters: new ParameterMemory(),
    texts: new TextSources(),
    barren: new BarrenViews(),
    reach: new ReachMemory(),
    movedTo: [],
    isFed: false,
  };
}

/** The memory as text. */
export function saveMemory(memory: CrawlMemory): string {
  return JSON.stringify(memory);
}
