// One call of a function of a build, before it is published.
import { AppError } from '@weft/contract';
import type { TriedFunction } from '@weft/contract';
import { tryFunction } from '@weft/engine';
import { settleInputs } from '../workflows/inputs.ts';
import type { Builds } from './build.ts';
import { buildPorts, optionsOf } from './work.ts';
import type { BuildWorkPorts } from './work.ts';

/** Calls the function `name` of a build. Throws AppError `not_found`, `conflict`, `bad_request` for inputs that do not fit. */
export type TryBuilt = (
  buildId: string,
  name: string,
  inputs: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
) => Promise<TriedFunction>;

export function createTryBuilt(builds: Pick<Builds, 'require'>, ports: BuildWorkPorts): TryBuilt {
  return async (buildId, name, inputs, signal) => {
    const row = builds.require(buildId);
    const functions = row.result?.functions ?? [];
    const found = functions.find((each) => each.name === name);
    if (!found)
      throw new AppError(
        'not_found',
        `There is no function "${name}"; there are ${functions.map((each) => each.name).join(', ') || 'none'}.`,
      );
    const settled = settleInputs(found.workflow, inputs);
    const { rows, failure } = await tryFunction(
      found.workflow,
      settled,
      optionsOf(row.asked),
      buildPorts(row, async () => undefined, ports),
      signal,
    );
    const data = rows.map((each) => ({ ...each }));
    return { status: failure ? 'failed' : 'succeeded', data, count: data.length, ...(failure ? { failure } : {}) };
  };
}
