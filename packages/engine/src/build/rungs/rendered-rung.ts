// The second rung: the same site as a browser shows it.
import type { BuildOptions } from '../options.ts';
import type { BuildPorts } from '../ports.ts';
import type { RungFinding } from '../rung.ts';
import { EMPTY_CATALOGUE } from '../evidence/catalogue.ts';
import type { RungContext } from './static-rung.ts';

/** Climbs the rendered rung. Throws PageError `aborted`. */
export async function climbRendered(
  _options: BuildOptions,
  _ports: BuildPorts,
  _context: RungContext,
  _signal: AbortSignal,
): Promise<RungFinding> {
  return { catalogue: EMPTY_CATALOGUE, counts: { pages: 0, requests: 0, shells: 0 }, isRefused: false };
}
