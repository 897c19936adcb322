// Finds modules that import each other in a circle, whichever way: a value, a type, or `import()` when it runs.
import { posix } from 'node:path';
import type { Module } from './modules.ts';

/**
 * Every circle among `modules`: its first module in the alphabet, and the shortest way from there back to it. `read` brings a module that is
 * imported but not listed; undefined where there is none.
 */
export function findCircles(modules: readonly Module[], read: (path: string) => Module | undefined): string[][] {
  const targets = importGraph(modules, read);
  const knots = knotsOf(targets);
  return knots.map((knot) => shortestCircle(knot, targets)).sort((a, b) => (a.join() < b.join() ? -1 : 1));
}

type Graph = ReadonlyMap<string, readonly string[]>;

/** Which files each file imports by a relative path, generated ones included. */
function importGraph(modules: readonly Module[], read: (path: string) => Module | undefined): Graph {
  const listed = new Map(modules.map((module) => [module.path, module]));
  const targets = new Map<string, readonly string[]>();
  const open = [...listed.keys()];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (targets.has(path)) continue;
    const folder = posix.dirname(path);
    const module = listed.get(path) ?? read(path);
    const relative = (module?.imports ?? []).filter(({ specifier }) => specifier.startsWith('.'));
    const found = [...new Set(relative.map(({ specifier }) => posix.join(folder, specifier)))];
    targets.set(path, found);
    open.push(...found);
  }
  return targets;
}

/** The sets of files that all reach each other (Tarjan 1972), single files only where they import themselves. */
function knotsOf(targets: Graph): ReadonlySet<string>[] {
  const order = new Map<string, number>();
  const stack: string[] = [];
  const knots: ReadonlySet<string>[] = [];
  const visit = (path: string): number => {
    const number = order.size;
    let low = number;
    order.set(path, number);
    stack.push(path);
    for (const target of targets.get(path) ?? []) {
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (stack.includes(target)) low = Math.min(low, order.get(target) ?? low);
    }
    if (low === number) {
      const knot = stack.splice(stack.indexOf(path));
      if (knot.length > 1 || targets.get(path)?.includes(path)) knots.push(new Set(knot));
    }
    return low;
  };
  for (const path of targets.keys()) if (!order.has(path)) visit(path);
  return knots;
}

function shortestCircle(knot: ReadonlySet<string>, targets: Graph): string[] {
  const start = [...knot].sort()[0] ?? '';
  const ways = [[start]];
  const seen = new Set<string>();
  for (const way of ways) {
    for (const next of targets.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return [...way, start];
      if (!knot.has(next) || seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return [start];
}
