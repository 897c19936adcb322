// weft notify redeliver <id>
import { orTry } from '../../or-try.ts';
import type { CommandRun } from '../../spec.ts';
import { deliveryId } from './ids.ts';

export const run: CommandRun = async (context, [text = '']) => {
  const id = deliveryId(text);
  const client = await context.client();
  const delivery = await orTry('weft notify deliveries', client.notices.redeliver({ id }, { signal: context.signal }));
  context.show(delivery, `Delivery ${id} is sent again: weft notify deliveries ${id}`);
};
