// The inputs of a run as the command line has them.
import type { Workflow } from '@weft/contract';
import { CommandError, EXIT } from '../../exit.ts';

/** `name=value`, a line each; what the workflow takes as a number or a list is read as JSON. Throws CommandError. */
export function inputsOf(given: string | boolean | undefined, { inputs }: Pick<Workflow, 'inputs'>): Record<string, unknown> {
  const properties = (inputs?.['properties'] ?? {}) as Readonly<Record<string, { readonly type?: unknown }>>;
  const lines = typeof given === 'string' ? given.split('\n') : [];
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf('=');
      if (at <= 0) throw new CommandError(`-i is "${line}"; it must be name=value.`, { exitCode: EXIT.usage, code: 'bad_request' });
      const [name, value] = [line.slice(0, at), line.slice(at + 1)];
      const types = [properties[name]?.type].flat();
      return [name, types.length === 0 || types.includes('string') || types.includes(undefined) ? value : jsonOr(value)];
    }),
  );
}

function jsonOr(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
