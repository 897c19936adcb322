// weft notify deliveries [id]
import type { DeliveryDetails, DeliveryStatus } from '@weft/contract';
import { wholeNumber } from '../../number-option.ts';
import { secondText } from '../../instant-text.ts';
import { orTry } from '../../or-try.ts';
import type { CommandRun } from '../../spec.ts';
import { pairs, table } from '../../table.ts';
import { channelId, deliveryId, tryWords } from './ids.ts';

export const run: CommandRun = async (context, [text], options) => {
  const client = await context.client();
  if (text !== undefined) {
    const id = deliveryId(text);
    const delivery = await orTry('weft notify deliveries', client.notices.delivery({ id }, { signal: context.signal }));
    return context.show(delivery, deliveryWords(delivery));
  }
  const query = {
    limit: wholeNumber(options, 'limit', 1, 500) ?? 50,
    ...(options['channel'] === undefined ? {} : { channel_id: channelId(String(options['channel'])) }),
    ...(options['cursor'] === undefined ? {} : { cursor: String(options['cursor']) }),
    // One of the choices of its option.
    ...(options['status'] === undefined ? {} : { status: options['status'] as DeliveryStatus }),
  };
  const deliveries = await client.notices.deliveries(query, { signal: context.signal });
  const rows = deliveries.data.map(({ id, channel_id, status, attempts, created_at, event, subject }) => [
    String(id),
    String(channel_id),
    status,
    String(attempts),
    secondText(created_at),
    event,
    subject.name ?? `${subject.kind} ${subject.id ?? ''}`.trim(),
  ]);
  context.show(deliveries, table(['ID', 'CHANNEL', 'STATUS', 'TRIES', 'TOLD (UTC)', 'EVENT', 'ABOUT'], rows));
  if (deliveries.next_cursor !== undefined) context.say(`weft: there are more; the next: --cursor ${deliveries.next_cursor}`);
};

function deliveryWords(delivery: DeliveryDetails): string {
  const about = pairs([
    ['Delivery', `${delivery.id} to channel ${delivery.channel_id}, ${delivery.status}`],
    ['Event', `${delivery.event} (${delivery.level})`],
    ['Told', `${secondText(delivery.created_at)} UTC`],
    ...(delivery.reason === undefined ? [] : ([['Reason', delivery.reason]] as const)),
    ...(delivery.collected_into === undefined ? [] : ([['Part of', `delivery ${delivery.collected_into}`]] as const)),
    ...(delivery.next_at === undefined ? [] : ([['Next', `${secondText(delivery.next_at)} UTC`]] as const)),
    ['Data', JSON.stringify(delivery.data)],
  ]);
  return [about, ...delivery.tries.map(tryWords)].join('\n');
}
