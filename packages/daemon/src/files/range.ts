// Which bytes a request wants (RFC 9110, section 14). Pure.

export interface WantedRange {
  readonly start: number;
  /** Inclusive. */
  readonly end: number;
}

/**
 * The one range that `header` asks for in a content of `size` bytes; `whole` when it asks for none, for several, or in a form that RFC 9110
 * lets a server ignore; `beyond` when it begins behind the end.
 */
export function parseRange(header: string | undefined, size: number): WantedRange | 'whole' | 'beyond' {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.replaceAll(/[ \t]/g, '') ?? '') ?? [];
  if (first === '' && last === '') return 'whole';
  if (first === '') return Number(last) === 0 || size === 0 ? 'beyond' : { start: Math.max(0, size - Number(last)), end: size - 1 };
  const start = Number(first);
  if (last !== '' && Number(last) < start) return 'whole';
  if (start >= size) return 'beyond';
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

/** True when a range may be answered: no `If-Range`, or exactly the strong tag of the content. A date never equals it. */
export function allowsRange(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange === etag;
}
