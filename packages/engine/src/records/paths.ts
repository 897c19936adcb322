// Finds the place of a field again when the classes on the way to it have changed.
import type { Leaf } from './leaves.ts';

/**
 * For each of `paths` (without `#2`) the path to read instead: itself where any item has it, else the first free path of the same tags
 * and attribute, in reading order. A path that has no counterpart is left out.
 */
export function matchPaths(paths: readonly string[], items: readonly (readonly Leaf[])[]): Map<string, string> {
  const present = new Set(items.flatMap((leaves) => leaves.map(({ path }) => path)));
  const matched = new Map<string, string>();
  for (const path of paths) if (present.has(path)) matched.set(path, path);
  const free = [...present].filter((path) => !matched.has(path));
  for (const path of paths) {
    if (matched.has(path)) continue;
    const at = free.findIndex((other) => tagsOf(other) === tagsOf(path));
    if (at >= 0) matched.set(path, free.splice(at, 1)[0] as string);
  }
  return matched;
}

/** `>div.card>a.name@href` -> `>div>a@href`. */
function tagsOf(path: string): string {
  const attribute = /@[\w-]+$/.exec(path)?.[0] ?? '';
  const steps = path.slice(0, path.length - attribute.length).split('>');
  return steps.map((step) => (step.startsWith('td[') ? step : step.replace(/\..*$/, ''))).join('>') + attribute;
}
