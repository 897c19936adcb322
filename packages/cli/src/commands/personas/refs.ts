// Personas by what people call them.
import type { CommandContext } from '../../context.ts';
import { onlyNamed } from '../../only-named.ts';
import type { CommandRun } from '../../spec.ts';

type CommandOptions = Parameters<CommandRun>[2];

/** The number of the persona whose number or name `ref` is. Throws CommandError where there is none, or several have that name. */
export async function findPersona(context: CommandContext, ref: string): Promise<number> {
  if (/^[1-9]\d{0,14}$/.test(ref)) return Number(ref);
  const { personas } = await context.client();
  return onlyNamed('persona', ref, await Array.fromAsync(personas.list.all({}, { signal: context.signal }))).id;
}

/** `options` with the number of the persona that `--persona` names. Throws as `findPersona`. */
export async function withPersona(context: CommandContext, options: CommandOptions): Promise<CommandOptions> {
  const { persona } = options;
  return typeof persona === 'string' ? { ...options, persona: String(await findPersona(context, persona)) } : options;
}
