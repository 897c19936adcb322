// How much of their answers readers may keep waiting in memory, all of them together.

/** A budget that answers share while they are sent piece by piece. */
export interface HeldBytes {
  /**
   * Makes a piece as soon as there is room for more, first come, first served, and counts it; undefined, which counts nothing, is the end.
   * The budget may be passed by one piece: how large it is shows once it is made. Rejects with what `make` throws, and when `signal` aborts.
   */
  next(make: () => string | undefined, signal: AbortSignal): Promise<string | undefined>;
  /** Takes a piece that went out, or never will, off the count. */
  letGo(piece: string): void;
}

/** A budget of `bytesMax`. */
export function createHeldBytes(bytesMax: number): HeldBytes {
  const waiting: (() => void)[] = [];
  let held = 0;
  const hasRoom = () => held < bytesMax;
  const counted = (piece: string | undefined) => {
    if (piece !== undefined) held += Buffer.byteLength(piece);
    return piece;
  };
  return {
    next(make, signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error);
        const enter = () => {
          signal.removeEventListener('abort', leave);
          try {
            resolve(counted(make()));
          } catch (error) {
            reject(error as Error);
          }
        };
        const leave = () => {
          waiting.splice(waiting.indexOf(enter), 1);
          reject(signal.reason as Error);
        };
        if (waiting.length === 0 && hasRoom()) return enter();
        waiting.push(enter);
        signal.addEventListener('abort', leave, { once: true });
      });
    },
    letGo(piece) {
      held -= Buffer.byteLength(piece);
      while (hasRoom() && waiting.length > 0) waiting.shift()?.();
    },
  };
}
