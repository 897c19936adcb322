// How large the parts are in which long answers go out, so that readers who take nothing hold little.

/** Shared by all answers that go out in parts: each of them has at most one part in memory. */
export interface PartSize {
  /** Bytes of the next part: the more answers are under way, the fewer. */
  bytes(): number;
  /** Counts an answer, until the returned function is called once. */
  begin(): () => void;
}

/** Reading a part of a large record costs as if the whole were read, so that one reader gets large parts. */
const PART_BYTES_MAX = 1_048_576;
/** What a connection's buffers hold anyway. */
const PART_BYTES_MIN = 65_536;

/** Parts that add up to `heldBytesMax`, as far as none is smaller than 64 KB. */
export function createPartSize(heldBytesMax: number): PartSize {
  let answers = 0;
  return {
    bytes: () => Math.min(PART_BYTES_MAX, Math.max(PART_BYTES_MIN, Math.floor(heldBytesMax / Math.max(1, answers)))),
    begin() {
      answers++;
      return () => void answers--;
    },
  };
}
