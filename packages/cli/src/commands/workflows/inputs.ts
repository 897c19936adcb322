// The inputs of a run as the command line has them.
import type { Workflow } from '@weft/contract';
import { CommandError, EXIT } from '../../exit.ts';

/** `name=value`, a line each; what the workflow takes as a number or a list is read as JSON. Throws CommandError. */
export function inputsOf(given: string | boolean | undefined, workflow: Pick<Workflow, 'inputs'>): Record<string, unknown> {
  const properties = propertiesOf(workflow);
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

/** Throws CommandError for inputs that the workflow can't do without and that are not given. */
export function checkInputs(given: Readonly<Record<string, unknown>>, workflow: Pick<Workflow, 'inputs' | 'name' | 'slug'>): void {
  const missing = neededBy(workflow).filter((name) => !Object.hasOwn(given, name));
  if (missing.length === 0) return;
  const [noun, they] = missing.length === 1 ? ['input', 'it'] : ['inputs', 'them'];
  throw new CommandError(`${workflow.name} needs the ${noun} ${missing.join(', ')}; give ${they} with -i.`, {
    exitCode: EXIT.usage,
    code: 'bad_request',
    next: [runLine(workflow)],
  });
}

/** The command that runs a workflow, with a place for each input that it can't do without. */
export function runLine(workflow: Pick<Workflow, 'inputs' | 'slug'>): string {
  return ['weft run', workflow.slug, ...neededBy(workflow).map((name) => `-i ${name}=...`)].join(' ');
}

function neededBy(workflow: Pick<Workflow, 'inputs'>): readonly string[] {
  const { required = [] } = (workflow.inputs ?? {}) as { readonly required?: readonly string[] };
  const properties = propertiesOf(workflow);
  return required.filter((name) => !Object.hasOwn(properties[name] ?? {}, 'default'));
}

function propertiesOf({ inputs }: Pick<Workflow, 'inputs'>): Readonly<Record<string, { readonly type?: unknown }>> {
  // A JSON schema, as the agent has checked it.
  return (inputs?.['properties'] ?? {}) as ReturnType<typeof propertiesOf>;
}

function jsonOr(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
