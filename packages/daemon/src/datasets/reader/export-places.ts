// Places for exports: one that nobody reads makes room for one that waits.
import { createSlots } from '@weft/engine/io';

export interface ExportPlaces {
  /** Waits for a place; the answer gives it back. Rejects when `signal` aborts. */
  take(signal: AbortSignal): Promise<() => void>;
  /** Says that an export stands still. It is ended as soon as another one waits, the one that stands longest first; the answer takes this back. */
  offer(end: () => Promise<void>): () => void;
}

/** `count` free places. */
export function createExportPlaces(count: number): ExportPlaces {
  const slots = createSlots(count);
  const standing = new Set<() => Promise<void>>();
  /** Who has a place, and who waits for one. */
  let asked = 0;
  let ending = 0;
  const makeRoom = () => {
    for (const end of standing) {
      if (asked - count <= ending) return;
      standing.delete(end);
      ending++;
      void end().finally(() => ending--);
    }
  };
  return {
    async take(signal) {
      asked++;
      makeRoom();
      try {
        const giveBack = await slots.take(signal);
        return () => {
          asked--;
          giveBack();
        };
      } catch (error) {
        asked--;
        throw error;
      }
    },
    offer(end) {
      standing.add(end);
      makeRoom();
      return () => void standing.delete(end);
    },
  };
}
