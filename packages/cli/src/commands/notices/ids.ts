// Channels and deliveries as they are named on the command line, and attempts as people read them.
import { secondText } from '../../instant-text.ts';
import type { DeliveryTry } from '@weft/contract';
import { CommandError, EXIT } from '../../exit.ts';

/** The id of a channel. Throws CommandError. */
export function channelId(text: string): number {
  return idOf(text, 'channel', 'weft notify list');
}

/** The id of a delivery. Throws CommandError. */
export function deliveryId(text: string): number {
  return idOf(text, 'delivery', 'weft notify deliveries');
}

function idOf(text: string, what: string, next: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new CommandError(`"${text}" is not the number of a ${what}.`, { exitCode: EXIT.usage, code: 'bad_request', next: [next] });
}

/** One attempt in a line. */
export function tryWords({ at, outcome, status, duration_ms: durationMs, error, answer, note }: DeliveryTry): string {
  const parts = [
    `${secondText(at)} UTC  ${outcome}${status === undefined ? '' : ` (${status})`} in ${durationMs} ms`,
    ...(error === undefined ? [] : [error]),
    ...(answer === undefined || outcome === 'sent' ? [] : [`It answered: ${answer.slice(0, 200)}`]),
    ...(note === undefined ? [] : [note]),
  ];
  return parts.join('\n  ');
}
