// Sends what waits: rows that other processes wrote are seen within a second.
import type { DeliveryLoop } from '@weft/engine';

export interface WebhookSender {
  /** Looks for what is due now. */
  wake(): void;
  /** Takes no more, and ends what is under way: that is sent again by another process. */
  stop(): Promise<void>;
}

const LOOK_MS = 1000;

/** Begins to send. */
export function startWebhookSender(loop: DeliveryLoop): WebhookSender {
  const looking = setInterval(() => loop.wake(), LOOK_MS).unref();
  loop.wake();
  return {
    wake: () => loop.wake(),
    async stop() {
      clearInterval(looking);
      await loop.stop();
    },
  };
}
