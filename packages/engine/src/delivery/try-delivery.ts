// A delivery that somebody waits for, to see whether its channel works.
import type { DeliveryTry } from '@weft/contract';
import { attemptDelivery } from './attempt.ts';
import type { Sendable } from './attempt.ts';
import type { ChannelSecretsInUse, DeliveryChannel } from './delivery.ts';
import type { SendingPorts } from './ports.ts';

/** Sends `delivery` to `channel` once, and says how it went as both surfaces tell it. Never throws. */
export async function tryDelivery(
  ports: SendingPorts,
  channel: DeliveryChannel,
  delivery: Sendable,
  secrets: ChannelSecretsInUse,
  signal: AbortSignal,
): Promise<DeliveryTry> {
  const { clock } = ports;
  const startedMs = clock.steadyMs();
  const { outcome, status, answer, error, note } = await attemptDelivery(ports, channel, delivery, secrets, signal);
  return {
    at: new Date(clock.now()).toISOString(),
    outcome,
    duration_ms: Math.max(0, Math.round(clock.steadyMs() - startedMs)),
    ...(status === undefined ? {} : { status }),
    ...(answer === undefined ? {} : { answer }),
    ...(error === undefined ? {} : { error }),
    ...(note === undefined ? {} : { note }),
  };
}
