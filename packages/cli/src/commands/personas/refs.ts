// Personas by what people call them.
import type { CommandContext } from '../../context.ts';
import { CommandError, EXIT } from '../../exit.ts';
import type { CommandRun } from '../../spec.ts';

type CommandOptions = Parameters<CommandRun>[2];

const NEXT = 'weft persona list';
const PAGE = 500;

/** The number of the persona whose number or name `ref` is. Throws CommandError where there is none, or several have that name. */
export async function findPersona(context: CommandContext, ref: string): Promise<number> {
  if (/^[1-9]\d{0,14}$/.test(ref)) return Number(ref);
  const ids = ref === '' ? [] : await idsNamed(context, ref);
  const [found] = ids;
  if (found === undefined)
    throw new CommandError(`There is no persona "${ref}".`, { exitCode: EXIT.notFound, code: 'not_found', next: [NEXT] });
  if (ids.length === 1) return found;
  const message = `${ids.length} personas are called "${ref}": ${ids.join(', ')}. Say which by its number.`;
  throw new CommandError(message, { exitCode: EXIT.usage, code: 'bad_request', next: [`weft persona show ${found}`] });
}

/** `options` with the number of the persona that `--persona` names. Throws as `findPersona`. */
export async function withPersona(context: CommandContext, options: CommandOptions): Promise<CommandOptions> {
  const { persona } = options;
  return typeof persona === 'string' ? { ...options, persona: String(await findPersona(context, persona)) } : options;
}

async function idsNamed(context: CommandContext, name: string): Promise<readonly number[]> {
  const { personas } = await context.client();
  const ids: number[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const { data } = await personas.list({ limit: PAGE, offset }, { signal: context.signal });
    ids.push(...data.filter((persona) => persona.name.toLowerCase() === name.toLowerCase()).map(({ id }) => id));
    if (data.length < PAGE) return ids;
  }
}
