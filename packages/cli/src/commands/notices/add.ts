// weft notify add <kind>
import type { ChannelSecrets, NewChannel } from '@weft/contract';
import type { CommandContext } from '../../context.ts';
import { CommandError, EXIT } from '../../exit.ts';
import { wholeNumber } from '../../number-option.ts';
import { secretInput } from '../../secret-input.ts';
import type { CommandRun } from '../../spec.ts';
import { newSigningSecret } from './signing-secret.ts';
import { channelWords } from './told.ts';

type Options = Parameters<CommandRun>[2];

/** What each kind takes of the options for its target, and which value is asked for. */
const TARGET_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  webhook: ['url'],
  smtp: ['host', 'port', 'security', 'username', 'from', 'to'],
  desktop: [],
  ntfy: ['server', 'topic'],
  slack: [],
  discord: [],
  telegram: ['server', 'chatId'],
};

export const run: CommandRun = async (context, [kind = '', name = kind], options) => {
  const { secrets, shown } = await secretsFor(kind, context, options);
  const client = await context.client();
  // The agent checks what was typed.
  const body = { name, to: targetOf(kind, options), ...(secrets ? { secrets } : {}), ...wordsAndHours(options) } as NewChannel;
  const channel = await client.notices.createChannel(body, { signal: context.signal });
  context.show(shown === undefined ? channel : { ...channel, secret: shown }, channelWords(channel));
  if (shown !== undefined) context.say(`weft: its signing secret, which is shown this once: ${shown}`);
  context.say(`weft: try it: weft notify test ${channel.id}`);
};

function targetOf(kind: string, options: Options): object {
  const names = TARGET_OPTIONS[kind] ?? [];
  const all = Object.values(TARGET_OPTIONS).flat();
  const odd = all.find((name) => options[name] !== undefined && !names.includes(name));
  if (odd !== undefined) throw misuse(`--${flagOf(odd)} has no meaning for ${kind}.`);
  const given = names.flatMap((name) => (options[name] === undefined ? [] : [[memberOf(name), valueOf(name, options)] as const]));
  return { kind, ...Object.fromEntries(given) };
}

function valueOf(name: string, options: Options): unknown {
  if (name === 'port') return wholeNumber(options, 'port', 1, 65_535);
  return name === 'to' ? String(options['to']).split('\n') : options[name];
}

/** A secret that is made here is shown once: the agent tells nobody. */
async function secretsFor(
  kind: string,
  context: CommandContext,
  options: Options,
): Promise<{ readonly secrets?: ChannelSecrets; readonly shown?: string }> {
  const ask = async (what: string) => await secretInput(context.say, context.signal).value(what);
  if (kind === 'webhook' && options['ownSecret'] === true) return { secrets: { secret: await ask('signing secret') } };
  if (kind === 'webhook') {
    const secret = newSigningSecret();
    return { secrets: { secret }, shown: secret };
  }
  if (kind === 'slack' || kind === 'discord') return { secrets: { url: await ask('address of the incoming webhook') } };
  if (kind === 'telegram') return { secrets: { token: await ask('token of the bot') } };
  if (kind === 'ntfy' && options['protected'] === true) return { secrets: { token: await ask('access token') } };
  return kind === 'smtp' && options['username'] !== undefined ? { secrets: { password: await ask('password') } } : {};
}

function wordsAndHours(options: Options): object {
  const { title, body, level, quiet, timezone, drop } = options;
  const digest = wholeNumber(options, 'digest', 0, 1440);
  if (quiet === undefined && (timezone !== undefined || drop === true)) throw misuse('--timezone and --drop belong to --quiet.');
  const templates = Object.fromEntries(Object.entries({ title, body }).filter(([, text]) => text !== undefined));
  const hours = { ...quietHours(quiet), ...(timezone === undefined ? {} : { timezone }), ...(drop === true ? { drop } : {}) };
  return {
    ...(Object.keys(templates).length > 0 ? { templates } : {}),
    ...(level === undefined ? {} : { level_min: level }),
    ...(digest === undefined ? {} : { digest_minutes: digest }),
    ...(quiet === undefined ? {} : { quiet: hours }),
    ...(options['onlyNamed'] === true ? { default: false } : {}),
  };
}

function quietHours(text: string | boolean | undefined): object {
  if (text === undefined) return {};
  const hours = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(String(text));
  if (!hours) throw misuse(`--quiet is "${String(text)}"; it must be two times such as 22:00-07:00.`);
  return { from: hours[1], to: hours[2] };
}

function memberOf(option: string): string {
  return option.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function flagOf(option: string): string {
  return memberOf(option).replaceAll('_', '-');
}

function misuse(message: string): CommandError {
  return new CommandError(message, { exitCode: EXIT.usage, code: 'bad_request', next: ['weft notify add --help'] });
}
