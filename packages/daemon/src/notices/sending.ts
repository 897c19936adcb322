// Sending: the engine's loop on the queues of this agent, with the vault behind it, and the upkeep of what was sent.
import { setImmediate } from 'node:timers/promises';
import { AppError } from '@weft/contract';
import type { HealthPart } from '@weft/contract';
import { createDeliveryLoop } from '@weft/engine';
import type { DeliveryLoop, DeliveryPorts, DeliveryStore, SendingPorts } from '@weft/engine';
import type { Vault } from '../vault/vault.ts';
import type { ChannelStore } from './channel-store.ts';
import type { DeliveryRows } from './delivery-store.ts';
import type { ChannelVault } from './secrets.ts';

export interface NoticeSender {
  /** Begins: sends what is due, now and whenever something is queued or the vault is opened. */
  start(): void;
  /** Looks for what is due. */
  wake(): void;
  /** Deletes what is left of deleted channels, in turns. */
  sweep(): void;
  /** Deletes deliveries that are past their time, in turns, until `signal` aborts. */
  prune(signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
  health(): HealthPart;
}

export interface SenderPorts {
  readonly sending: SendingPorts;
  readonly queues: DeliveryStore;
  readonly channels: ChannelStore;
  readonly rows: DeliveryRows;
  readonly secrets: ChannelVault;
  readonly vault: Pick<Vault, 'onOpen'>;
  logError(message: string, error: unknown): void;
}

/** How long deliveries are kept. */
const KEPT_MS = 30 * 86_400_000;
/** Rows of one turn: a few milliseconds of the writer. */
const TURN_ROWS = 500;

export function createNoticeSender(ports: SenderPorts): NoticeSender {
  return new Sender(ports);
}

class Sender implements NoticeSender {
  private readonly ports: SenderPorts;
  private readonly loop: DeliveryLoop;
  private readonly stopping = new AbortController();
  private sweeping: Promise<void> | undefined;

  constructor(ports: SenderPorts) {
    this.ports = ports;
    this.loop = createDeliveryLoop(loopPorts(ports));
  }

  start(): void {
    this.ports.vault.onOpen(() => {
      if (this.stopping.signal.aborted) return;
      this.ports.channels.endRests('vault_locked');
      this.loop.wake();
    });
    this.ports.channels.endLeases();
    this.loop.wake();
    this.sweep();
  }

  wake(): void {
    this.loop.wake();
  }

  sweep(): void {
    const { channels, logError } = this.ports;
    this.sweeping ??= this.inTurns(() => channels.deleteSome(TURN_ROWS), this.stopping.signal)
      .catch((error: unknown) => logError('deliveries of a deleted channel could not be deleted', error))
      .finally(() => {
        this.sweeping = undefined;
      });
  }

  async prune(signal: AbortSignal): Promise<void> {
    const beforeMs = this.ports.sending.clock.now() - KEPT_MS;
    await this.inTurns(() => this.ports.rows.deleteOld(beforeMs, TURN_ROWS), signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all([this.loop.stop(), this.sweeping]);
  }

  health(): HealthPart {
    const { channels, sending } = this.ports;
    const all = channels.list(-1, 0);
    const off = all.filter(({ disabled_reason: reason }) => reason !== null);
    const failing = all.filter((row) => row.is_enabled === 1 && row.failing_since !== null && row.failing_since < sending.clock.now());
    const troubled = [...off, ...failing].map(({ id, name }) => `${id} (${name})`);
    if (troubled.length === 0) return { name: 'notices', status: 'ok', message: `${all.length} channels, none in trouble.` };
    return {
      name: 'notices',
      status: 'warn',
      message: `Nothing arrives at ${troubled.length === 1 ? 'channel' : 'channels'} ${troubled.join(', ')}.`,
      fix: `See \`weft notify list\`, then \`weft notify test ${(off[0] ?? failing[0])?.id ?? ''}\`.`,
    };
  }

  /** Others have their turn after each call of `some`, until it answers 0. */
  private async inTurns(some: () => number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && some() > 0) await setImmediate();
  }
}

function loopPorts({ sending, queues, channels, secrets, logError }: SenderPorts): DeliveryPorts {
  return {
    ...sending,
    store: queues,
    random: () => Math.random(),
    logError,
    async secretsOf({ id }) {
      const row = channels.find(Number(id));
      try {
        return row ? secrets.open(row, sending.clock.now()) : {};
      } catch (error) {
        if (error instanceof AppError && error.code === 'vault_locked') return undefined;
        throw error;
      }
    },
  };
}
