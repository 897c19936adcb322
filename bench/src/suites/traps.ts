// What the numbers in the rules against endless spaces cost and save: pages missed and requests wasted on generated sites, with the
// numbers that are in force and with their neighbours.
import { TRAP_LIMITS } from '../../../packages/engine/src/crawl/learn/trap-memory.ts';
import type { TrapLimits } from '../../../packages/engine/src/crawl/learn/trap-memory.ts';
import type { BenchRow } from '../row.ts';
import { TRAP_SITES, walkTrapSite } from '../trap-sites.ts';
import type { TrapWalk } from '../trap-sites.ts';

/** Pages missed and share of requests wasted over all sites, one pair of rows for each set of numbers. */
export async function bench(): Promise<BenchRow[]> {
  return variants().flatMap(([name, limits]) => {
    const walks = TRAP_SITES.map((site) => ({ site, walk: walkTrapSite(site, limits) }));
    const sum = (of: (walk: TrapWalk) => number) => walks.reduce((total, { walk }) => total + of(walk), 0);
    const worst = walks.toSorted((a, b) => b.walk.wasted / b.walk.requests - a.walk.wasted / a.walk.requests)[0];
    return [
      { name: `${name}: pages missed`, value: sum((walk) => walk.missed), unit: 'pages', target: '0' },
      {
        name: `${name}: requests wasted`,
        value: (100 * sum((walk) => walk.wasted)) / sum((walk) => walk.requests),
        unit: '%',
        target: '< 20',
      },
      ...(worst
        ? [{ name: `  most at ${worst.site.name}`, value: (100 * worst.walk.wasted) / worst.walk.requests, unit: '%', target: '< 20' }]
        : []),
    ];
  });
}

/** The numbers in force, and each of them smaller and larger. */
function variants(): readonly (readonly [name: string, limits: TrapLimits])[] {
  const { duplicatesMax, barrenMax } = TRAP_LIMITS;
  const duplicates = (query: number, parameters: number) => ({ ...TRAP_LIMITS, duplicatesMax: { ...duplicatesMax, query, parameters } });
  const barren = (echo: number, calendar: number) => ({ ...TRAP_LIMITS, barrenMax: { ...barrenMax, echo, calendar } });
  return [
    ['in force', TRAP_LIMITS],
    ...(
      [
        [1, 2],
        [2, 3],
        [5, 8],
        [8, 12],
      ] as const
    ).map(([query, parameters]) => [`query ${query}, parameters ${parameters}`, duplicates(query, parameters)] as const),
    ...[1, 2, 3, 6, 8].map((echo) => [`echo ${echo}`, barren(echo, barrenMax.calendar ?? 0)] as const),
    ...[3, 6, 15].map((calendar) => [`calendar ${calendar}`, barren(barrenMax.echo ?? 0, calendar)] as const),
    ...[1, 3, 30].map(
      (duplicatesPerDistinct) =>
        [`${duplicatesPerDistinct} duplicates for each distinct page`, { ...TRAP_LIMITS, duplicatesPerDistinct }] as const,
    ),
  ];
}
