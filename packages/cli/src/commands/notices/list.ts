// weft notify list [id]
import { minuteText } from '../../instant-text.ts';
import { listPage } from '../../list-page.ts';
import type { Channel } from '@weft/contract';
import { orTry } from '../../or-try.ts';
import type { CommandRun } from '../../spec.ts';
import { table } from '../../table.ts';
import { channelId } from './ids.ts';
import { channelWords, destinationOf } from './told.ts';

export const run: CommandRun = async (context, [text], options) => {
  const page = listPage(context, options);
  const client = await context.client();
  if (text !== undefined) {
    const channel = await orTry('weft notify list', client.notices.channel({ id: channelId(text) }, { signal: context.signal }));
    return context.show(channel, channelWords(channel));
  }
  const channels = await client.notices.channels(page.query, page.call);
  const rows = channels.data.map((channel) => [
    String(channel.id),
    channel.name,
    channel.to.kind,
    stateOf(channel),
    String(channel.pending),
    channel.last_sent_at === undefined ? 'never' : minuteText(channel.last_sent_at),
    destinationOf(channel),
  ]);
  context.show(channels, table(['ID', 'NAME', 'KIND', 'STATE', 'WAITING', 'LAST SENT (UTC)', 'TO'], rows));
  page.tell(channels.data.length);
};

function stateOf({ enabled, disabled_reason: reason, muted_until: muted, failing_since: failing, rests_because: rests }: Channel): string {
  if (!enabled) return reason === undefined ? 'off' : 'off, failed';
  if (muted !== undefined) return 'muted';
  if (rests === 'vault_locked') return 'waits for the vault';
  return failing === undefined ? 'on' : 'failing';
}
