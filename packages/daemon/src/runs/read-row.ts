// A kept row as a value.
import type { JsonParts } from '@weft/contract';

const ROW_BYTES_MAX = 65_536;

/** The row whose JSON comes in these parts. */
export function readRow(parts: JsonParts): unknown {
  const chunks = Array.from(
    parts(() => ROW_BYTES_MAX),
    (part) => Buffer.from(part),
  );
  return JSON.parse(Buffer.concat(chunks).toString());
}
