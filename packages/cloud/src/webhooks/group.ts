// What webhooks add to the cloud: the outbox that other groups write to, and the loop that sends.
import { createDeliveryLoop } from '@weft/engine';
import type { DeliveryLoop, SendingPorts } from '@weft/engine';
import type { Group } from '../group.ts';
import { IDLE_WORKER } from '../jobs/worker.ts';
import { webhookHandlers } from './handlers.ts';
import { createOutbox } from './outbox.ts';
import type { Tell } from './outbox.ts';
import { createQueues } from './queues.ts';
import { createWebhookSecrets } from './secret.ts';
import type { WebhookSecrets } from './secret.ts';
import { createWebhooks } from './webhook.ts';
import type { Webhooks } from './webhook.ts';
import { startWebhookSender } from './sender.ts';
import type { WebhookSender } from './sender.ts';

declare module '../group.ts' {
  interface Nouns {
    /** Tells the webhooks of an account, within the transaction of what happened. */
    readonly tell: Tell;
    readonly webhookSecrets: WebhookSecrets;
    readonly webhookSending: SendingPorts;
    readonly webhooks: Webhooks;
    readonly webhookLoop: DeliveryLoop;
    /** Sends from when it is first asked for. */
    readonly webhookSender: WebhookSender;
  }
}

export const group: Group = {
  nouns: {
    tell: ({ database, clock, tracer }) => createOutbox(database, clock, () => tracer.parent()),
    webhookSecrets: ({ secrets }) => createWebhookSecrets(secrets.webhooks),
    webhookSending: ({ fetcher, clock, tracer }) => ({
      fetcher,
      clock,
      sendMail: refuseOther,
      showOnDesktop: refuseOther,
      traced: (parent, work) => tracer.trace('webhook', { kind: 'producer', parent }, () => work(tracer.parent())),
    }),
    webhooks: ({ database, webhookSecrets: secrets, webhookSending: sending }) => createWebhooks({ database, secrets, sending }),
    webhookLoop: ({ database, webhookSecrets: secrets, webhookSending: sending, tell, logError }) =>
      createDeliveryLoop({
        ...sending,
        store: createQueues(database, {
          onDisabled: ({ id, account_id: accountId, url, description }, reason) =>
            tell(accountId, {
              event: 'webhook.disabled',
              subject: { kind: 'webhook', id, name: description ?? url },
              data: { message: `Nothing more is sent to ${url}: ${reason}`, webhook: { id, url } },
              dedupeKey: `${id} at ${sending.clock.now()}`,
            }),
        }),
        async secretsOf({ id }) {
          const row = await database.find<Parameters<WebhookSecrets['open']>[0]>(
            'SELECT id, secret, previous_secret, secret_changed_at FROM webhook WHERE id = $1',
            [id],
          );
          return row ? secrets.open(row, sending.clock.now()) : {};
        },
        random: () => Math.random(),
        logError,
      }),
    webhookSender: ({ webhookLoop, config }) => (config.role === 'api' ? IDLE_WORKER : startWebhookSender(webhookLoop)),
  },
  account: (nouns) => ({ webhooks: webhookHandlers(nouns.webhooks, () => nouns.webhookSender.wake()) }),
  upkeep: ({ webhooks }) => webhooks.prune(),
  work: ({ webhookSender }) => webhookSender.wake(),
  drain: ({ webhookSender }) => webhookSender.stop(),
};

/** Webhooks alone lead out of the cloud. */
function refuseOther(): never {
  throw new Error('The cloud sends webhooks alone.');
}
