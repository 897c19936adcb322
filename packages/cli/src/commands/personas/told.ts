// The members of a persona as the command line has them.
import type { Persona } from '@weft/contract';
import type { CommandContext } from '../../context.ts';
import { secretInput } from '../../secret-input.ts';
import type { CommandRun } from '../../spec.ts';
import { pairs } from '../../table.ts';

type CommandOptions = Parameters<CommandRun>[2];

const NAMED: readonly string[] = ['username', 'password', 'totp_seed'];

/** What the options say, with the values that they name. The agent checks each; its refusal names the one that is wrong. */
export async function personaMembers(context: CommandContext, options: CommandOptions): Promise<object> {
  const names = typeof options['values'] === 'string' ? options['values'].split(',').map((name) => name.trim()) : [];
  const values = names.length === 0 ? {} : await secretInput(context.say, context.signal).values(names);
  const fields = Object.entries(values).filter(([name]) => !NAMED.includes(name));
  const told = {
    name: options['name'],
    origins: typeof options['origin'] === 'string' ? options['origin'].split('\n') : undefined,
    locale: options['locale'],
    two_factor: options['twoFactor'],
    proxy: options['proxy'],
    ...Object.fromEntries(Object.entries(values).filter(([name]) => NAMED.includes(name))),
    fields: fields.length === 0 ? undefined : Object.fromEntries(fields),
  };
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
}

/** What is told of a persona, for people. */
export function personaWords(persona: Persona): string {
  const set = [
    ...(persona.has_username ? ['username'] : []),
    ...(persona.has_password ? ['password'] : []),
    ...(persona.has_totp_seed ? ['totp_seed'] : []),
    ...persona.fields,
  ];
  return pairs([
    ['Persona', `${persona.id}, ${persona.name}`],
    ['Origins', persona.origins.join(' ') || 'none: its values are sent nowhere'],
    ['Set', set.join(', ') || 'nothing'],
    ['Second factor', persona.two_factor],
    ...(persona.locale === undefined ? [] : ([['Locale', persona.locale]] as const)),
    ...(persona.proxy === undefined ? [] : ([['Proxy', persona.proxy]] as const)),
    ['Sessions', persona.sessions.map(({ scope, updated_at }) => `${scope} (${updated_at})`).join(', ') || 'none'],
    ['Last used', persona.last_used_at ?? 'never'],
  ]);
}
