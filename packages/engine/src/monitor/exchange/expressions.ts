// Plain texts as expressions.

/** An expression that matches `text` and nothing else. */
export function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
