// One line that says how far something is: written over on a terminal and never wider than it, now and then a line of its own elsewhere.

/** Where it goes: standard error. */
export interface StatusStream {
  readonly isTTY?: boolean;
  /** Of a terminal. */
  readonly columns?: number;
  write(text: string): unknown;
}

export interface StatusLine {
  /** It is a terminal's, where what is shown goes away again. */
  readonly isLive: boolean;
  /** Shows `parts`, the most important first; at `atMs` by any clock that goes on. */
  show(parts: readonly string[], atMs: number): void;
  /** Takes the line off a terminal. */
  end(): void;
}

/** Elsewhere than on a terminal a line appears so often at most. */
const PLAIN_EVERY_MS = 10_000;
/** Of a terminal that does not say. */
const COLUMNS = 80;
const LEAD = 'weft: ';
const CLEAR = '\r\u001B[K';

export function createStatusLine(stream: StatusStream): StatusLine {
  let plainMs = Number.NEGATIVE_INFINITY;
  let isOpen = false;
  return {
    isLive: stream.isTTY === true,
    show(parts, atMs) {
      if (stream.isTTY) {
        // The last column stays free: terminals differ in what they do once it is written.
        stream.write(`${CLEAR}${fitted(parts, (stream.columns || COLUMNS) - 1)}`);
        isOpen = true;
      } else if (atMs - plainMs >= PLAIN_EVERY_MS) {
        stream.write(`${LEAD}${parts.join(', ')}\n`);
        plainMs = atMs;
      }
    },
    end() {
      if (isOpen) stream.write(CLEAR);
      isOpen = false;
    },
  };
}

/** Says nothing, for `--quiet`. */
export const SILENT: StatusLine = { isLive: false, show: () => undefined, end: () => undefined };

/** As many of `parts` as fit into `columns`; the first is cut where not even that does. */
export function fitted(parts: readonly string[], columns: number): string {
  for (let count = parts.length; count > 1; count--) {
    const line = `${LEAD}${parts.slice(0, count).join(', ')}`;
    if (line.length <= columns) return line;
  }
  return `${LEAD}${parts[0] ?? ''}`.slice(0, columns);
}
