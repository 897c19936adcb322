// Matches robots.txt path patterns in linear time: `*` is any run of characters, a final `$` is the end of the path.

/** Whether `pattern` matches `path` from its start. Each literal part is found once, leftmost, so no pattern can be slow. */
export function matchesPattern(pattern: string, path: string): boolean {
  const isAnchored = pattern.endsWith('$');
  const parts = (isAnchored ? pattern.slice(0, -1) : pattern).split('*');
  const first = parts[0] ?? '';
  if (!path.startsWith(first)) return false;
  if (parts.length === 1) return !isAnchored || path.length === first.length;
  let at = first.length;
  for (let i = 1; i < parts.length - 1; i++) {
    const part = parts[i] ?? '';
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  const last = parts.at(-1) ?? '';
  return isAnchored ? path.endsWith(last) && path.length - last.length >= at : path.includes(last, at);
}
