// Finds the place of a field again when the classes on the way to it have changed.
import type { Leaf } from '../survey/leaves.ts';
import { isGeneral, isVariant, tagsOf } from './variants.ts';

/**
 * For each of `paths` (without `#2`) the paths to read instead: itself where any item has it, all its variants where it stands for
 * several, else the first free path of the same tags and attribute, in reading order. A path that has no counterpart is left out.
 */
export function matchPaths(paths: readonly string[], items: readonly (readonly Leaf[])[]): Map<string, readonly string[]> {
  const present = new Set(items.flatMap((leaves) => leaves.map(({ path }) => path)));
  const matched = new Map<string, readonly string[]>();
  for (const path of paths) {
    const found = present.has(path) ? [path] : isGeneral(path) ? [...present].filter((other) => isVariant(other, path)) : [];
    if (found.length > 0) matched.set(path, found);
  }
  const taken = new Set([...matched.values()].flat());
  const free = [...present].filter((path) => !taken.has(path));
  for (const path of paths) {
    if (matched.has(path)) continue;
    const at = free.findIndex((other) => tagsOf(other) === tagsOf(path));
    if (at >= 0) matched.set(path, free.splice(at, 1));
  }
  return matched;
}
