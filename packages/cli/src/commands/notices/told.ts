// What is told of a channel, for people.
import type { Channel } from '@weft/contract';
import { pairs } from '../../table.ts';

/** Where it leads, in a few words. */
export function destinationOf({ to }: Pick<Channel, 'to'>): string {
  if (to.kind === 'webhook') return to.url;
  if (to.kind === 'smtp') return `${to.to.join(' ')} by ${to.host}:${to.port}`;
  if (to.kind === 'ntfy') return `${to.topic} at ${to.server}`;
  if (to.kind === 'telegram') return `${to.chat_id} at ${to.server}`;
  return to.kind === 'desktop' ? 'this machine' : 'its own address';
}

export function channelWords(channel: Channel): string {
  const { quiet } = channel;
  return pairs([
    ['Channel', `${channel.id}, ${channel.name} (${channel.to.kind})`],
    ['To', destinationOf(channel)],
    ['Told of', channel.default ? 'everything that names no channel, and what names it' : 'what names it'],
    ['Level', `${channel.level_min} and graver`],
    ...(channel.digest_minutes > 0 ? ([['Digest', `every ${channel.digest_minutes} minutes`]] as const) : []),
    ...(quiet
      ? ([
          [
            'Quiet',
            `${quiet.from} to ${quiet.to}${quiet.timezone === undefined ? '' : ` ${quiet.timezone}`}${quiet.drop ? ', and what comes is dropped' : ''}`,
          ],
        ] as const)
      : []),
    ...(channel.muted_until === undefined ? [] : ([['Muted', `until ${channel.muted_until}`]] as const)),
    ['Enabled', channel.enabled ? 'yes' : `no${channel.disabled_reason === undefined ? '' : `: ${channel.disabled_reason}`}`],
    ...(channel.rests_until === undefined ? [] : ([['Rests', `until ${channel.rests_until}: ${channel.rests_because}`]] as const)),
    ['Waiting', String(channel.pending)],
  ]);
}
