// Channels: how they are made, changed and shown, and a message to one at once.
import { AppError, LIMITS, NewChannel, SECRETS_OF } from '@weft/contract';
import type { Channel, ChannelPatch, DeliveryTry } from '@weft/contract';
import { findTemplateFault, tryDelivery } from '@weft/engine';
import type { Notice, SendingPorts } from '@weft/engine';
import { mergePatch, newMessageId, toInstant } from '@weft/serve';
import { definitionOf, toDeliveryChannel } from './channel-store.ts';
import type { ChannelRow, ChannelStore } from './channel-store.ts';
import type { DeliveryRows } from './delivery-store.ts';
import { checkMove, checkSecrets, serverOf } from './secrets.ts';
import type { ChannelVault } from './secrets.ts';

export interface Channels {
  list(page: { readonly limit?: number | undefined; readonly offset?: number | undefined }): {
    readonly data: Channel[];
    readonly total: number;
  };
  /** All methods that take an id throw AppError `not_found`. */
  require(id: number): Channel;
  /** The id of a new channel. Throws AppError `vault_locked` where values are sent, `bad_request` for what its kind can't use. */
  create(input: NewChannel): number;
  /** The id of a new channel, whose values are not known: one that needs any is off until they are sent. Throws AppError `bad_request`. */
  createWithoutSecrets(input: Omit<NewChannel, 'secrets'>): number;
  /** Merges the patch (RFC 7396). Throws as `create` does. */
  update(id: number, patch: ChannelPatch): void;
  /** Deletes it with its values; its deliveries go with it, the rest of a long queue in turns. Throws AppError `vault_locked`. */
  delete(id: number): void;
  /** Throws AppError `bad_request` for a moment that has passed. */
  mute(id: number, until: string | null): void;
  /** Sends a message now, whatever its hours. Throws AppError `vault_locked`. */
  test(id: number, signal: AbortSignal): Promise<DeliveryTry>;
}

export interface ChannelPorts {
  readonly store: ChannelStore;
  readonly rows: Pick<DeliveryRows, 'countPending'>;
  readonly vault: ChannelVault;
  readonly sending: SendingPorts;
  /** Called after a change that may let something be sent, and after a deletion that is not finished. */
  readonly onChange: () => void;
}

/** What is counted of a queue at most. */
const PENDING_MAX = 1000;
/** Deliveries that are deleted with their channel at once. */
const DELETED_AT_ONCE = 500;
const NOUN = 'channel';

export function createChannels({ store, rows, vault, sending, onChange }: ChannelPorts): Channels {
  const { clock } = sending;
  const requireRow = (id: number): ChannelRow => {
    const row = store.find(id);
    if (!row) throw new AppError('not_found', `There is no channel ${id}.`);
    return row;
  };
  const show = (row: ChannelRow): Channel => toChannel(row, vault.namesOf(row.id), rows.countPending(row.id, PENDING_MAX), clock.now());
  return {
    list: (page) => ({ data: store.list(page.limit ?? LIMITS.listLimitDefault, page.offset ?? 0).map(show), total: store.count() }),
    require: (id) => show(requireRow(id)),
    create({ secrets = {}, ...told }) {
      checkSecrets(told.to.kind, secrets, []);
      checkTemplates(told);
      return store.insert({ name: told.name, definition: JSON.stringify(told), created_at: clock.now() }, (id) => vault.keep(id, secrets));
    },
    createWithoutSecrets(told) {
      checkTemplates(told);
      const { needed } = SECRETS_OF[told.to.kind];
      const id = store.insert({ name: told.name, definition: JSON.stringify(told), created_at: clock.now() }, () => undefined);
      if (needed.length > 0) store.disable(id, `It came in without its ${needed.join(' and ')}: send that, and enable it.`);
      return id;
    },
    update(id, { secrets = {}, enabled, ...patch }) {
      const before = definitionOf(requireRow(id));
      const { secrets: _none, ...after } = mergePatch<NewChannel>(before, patch, NewChannel, NOUN);
      if (after.to.kind !== before.to.kind)
        throw new AppError('bad_request', `"to.kind" stays ${before.to.kind}: make another channel for ${after.to.kind}.`);
      const kept = vault.namesOf(id);
      checkSecrets(after.to.kind, secrets, kept);
      checkMove(before.to, after.to, secrets, kept);
      checkTemplates(after);
      const change = {
        name: after.name,
        definition: JSON.stringify(after),
        isEnabled: enabled,
        isMoved: serverOf(before.to) !== serverOf(after.to) || secrets.url !== undefined,
        secretChangedMs: secrets.secret === undefined ? undefined : clock.now(),
        updatedMs: clock.now(),
      };
      store.update(id, change, () => vault.keep(id, secrets));
      onChange();
    },
    delete(id) {
      requireRow(id);
      if (store.delete(id, DELETED_AT_ONCE, () => vault.forget(id))) onChange();
    },
    mute(id, until) {
      requireRow(id);
      const untilMs = until === null ? 0 : Date.parse(until);
      if (until !== null && untilMs <= clock.now())
        throw new AppError('bad_request', `"until" must be later than now (${toInstant(clock.now())}); null ends the silence.`);
      store.mute(id, untilMs);
      onChange();
    },
    async test(id, signal) {
      const row = requireRow(id);
      const secrets = vault.open(row, clock.now());
      const message = { messageId: newMessageId(), notices: [testNotice(row, clock.now())] };
      return await tryDelivery(sending, toDeliveryChannel(row), message, secrets, signal);
    },
  };
}

function testNotice({ id, name }: Pick<ChannelRow, 'id' | 'name'>, nowMs: number): Notice {
  const data = { message: `This is a test of the channel "${name}": it works.` };
  return { event: 'notices.test', level: 'info', subject: { kind: 'channel', id, name }, data, atMs: nowMs };
}

/** What templates are tried on when they are saved. */
const SAMPLE: readonly Notice[] = [
  {
    event: 'monitor.changed',
    level: 'info',
    subject: { kind: 'monitor', id: 1, name: 'Shop' },
    data: { change: { kind: 'price', old: '10.00 EUR', new: '12.00 EUR', difference: '-10.00\n+12.00', link: 'https://shop.example/' } },
    atMs: 0,
  },
];

function checkTemplates({ to, templates }: Pick<NewChannel, 'to' | 'templates'>): void {
  if (templates && Object.keys(templates).length > 0 && to.kind === 'webhook')
    throw new AppError('bad_request', '"templates" have no meaning for a webhook: its message is JSON.');
  const fault = findTemplateFault(templates ?? {}, SAMPLE);
  if (fault) throw new AppError('bad_request', `"templates.${fault.name}" can't be used: ${fault.message}`);
}

function toChannel(row: ChannelRow, secrets: readonly string[], pending: number, nowMs: number): Channel {
  const { to, templates = {}, level_min = 'info', digest_minutes = 0, quiet, default: isDefault = true } = definitionOf(row);
  const isResting = row.rests_because !== null && row.rests_until > nowMs;
  return {
    id: row.id,
    name: row.name,
    to,
    secrets: [...secrets],
    templates,
    default: isDefault,
    level_min,
    digest_minutes,
    ...(quiet ? { quiet } : {}),
    enabled: row.is_enabled === 1,
    ...(row.disabled_reason === null ? {} : { disabled_reason: row.disabled_reason }),
    ...(row.muted_until > nowMs ? { muted_until: toInstant(row.muted_until) } : {}),
    ...(row.failing_since === null ? {} : { failing_since: toInstant(row.failing_since) }),
    ...(isResting ? { rests_until: toInstant(row.rests_until), rests_because: row.rests_because ?? 'failed' } : {}),
    pending,
    created_at: toInstant(row.created_at),
    updated_at: toInstant(row.updated_at),
    ...(row.last_sent_at === null ? {} : { last_sent_at: toInstant(row.last_sent_at) }),
  };
}
