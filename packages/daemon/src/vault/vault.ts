// The vault (D33): a random master key that the device wraps until a passphrase does, and the values that it seals.
import { randomBytes } from 'node:crypto';
import { AppError } from '@weft/contract';
import type { RotateVault, UnlockVault, VaultStatus } from '@weft/contract';
import type { CrawlClock } from '@weft/engine';
import type { Log } from '@weft/serve';
import { newPassphraseCost, passphraseKey } from '@weft/serve';
import type { Database } from '../db/open.ts';
import type { DeviceKeys } from './device-key.ts';
import { createGuesses } from './guesses.ts';
import type { Guesses } from './guesses.ts';
import { makeHeader, mendHeader, openHeader, readHeader, writeHeader } from './header.ts';
import type { VaultHeader, Wrap } from './header.ts';
import { createIdleLock } from './idle.ts';
import type { IdleLock } from './idle.ts';
import { Ring } from './ring.ts';
import type { ValuePlace, ValueStore } from './store.ts';
import { createValues } from './values.ts';
import type { OpenRing, Values } from './values.ts';
import { createWaitingList } from './waiting.ts';
import type { Waiter, WaitingList } from './waiting.ts';

export type { ValuePlace } from './store.ts';
export type { Waiter } from './waiting.ts';

export interface Vault {
  status(): VaultStatus;
  /** The same in three words; undefined until there is a vault. */
  summary(): { readonly locked: boolean; readonly passphrase: boolean; readonly waiting: number } | undefined;
  /**
   * Throws AppError `vault_locked`. `waiter` is what comes by itself and will come again: it is named by the status and told of once in the
   * log.
   */
  require(waiter?: Waiter): void;
  /** Keeps a value in the place of an earlier one; makes the vault where there is none. Throws AppError `vault_locked`. */
  put(place: ValuePlace, value: string | Uint8Array): void;
  /** The value; undefined where none is kept. Throws AppError `vault_locked`, `internal` for one that was altered. */
  find(place: ValuePlace): Buffer | undefined;
  /** The names of the values of a record, also while the vault is locked. */
  fieldsOf(owner: string, record: string): readonly string[];
  /** The records of an owner that have values, also while the vault is locked. */
  recordsOf(owner: string): readonly string[];
  /** Takes values out of a record, all of them unless `fields` says which. Throws AppError `vault_locked` where there are any. */
  remove(owner: string, record: string, fields?: readonly string[]): void;
  lock(): VaultStatus;
  /** Throws AppError `vault_locked` for what does not open it, `too_many_requests` after five wrong passphrases, `bad_request`. */
  unlock(input: UnlockVault): Promise<VaultStatus>;
  /** Takes a new master key. Throws as `unlock` does. */
  rotate(input: RotateVault): Promise<VaultStatus>;
  /** Calls `listener` each time that it is opened, once what opened it is done. */
  onOpen(listener: () => void): void;
  /** Opens what the device opens. Never throws. */
  start(): void;
  /** Forgets the keys. */
  stop(): Promise<void>;
}

export interface VaultPorts {
  /** Where the header is. */
  readonly folder: string;
  readonly deviceKeys: DeviceKeys;
  readonly store: ValueStore;
  readonly database: Database;
  readonly clock: CrawlClock;
  /** 0 for never. */
  readonly idleMinutes: number;
  readonly log: Log;
}

/** A header with what opened it. */
interface Opened {
  readonly header: VaultHeader;
  /** What its master keys are wrapped with. */
  readonly key: Buffer;
  readonly ring: Ring;
}

export function createVault(ports: VaultPorts): Vault {
  return new DeviceVault(ports);
}

class DeviceVault implements Vault {
  private readonly ports: VaultPorts;
  private readonly values: Values;
  private readonly guesses: Guesses;
  private readonly waiting: WaitingList = createWaitingList();
  private readonly idle: IdleLock;
  private readonly openListeners: (() => void)[] = [];
  private header: VaultHeader | undefined;
  /** Values whose header was gone at the start: nothing but a restored header opens them, so they neither come nor go. */
  private readonly hasOrphans: boolean;
  private open: OpenRing | undefined;
  private isHeld = false;
  /** The end of what was begun last: openings and changes go one after another. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(ports: VaultPorts) {
    this.ports = ports;
    this.values = createValues(ports.store, ports.database);
    this.guesses = createGuesses(() => ports.clock.steadyMs());
    this.idle = createIdleLock(ports.clock, ports.idleMinutes, () => this.forget());
    this.header = readHeader(ports.folder);
    this.hasOrphans = !this.header && ports.store.count() > 0;
  }

  start(): void {
    const { header } = this;
    const opened = header?.wrap.kind === 'device' ? this.tryDevice(header) : undefined;
    if (!opened) return;
    this.take(opened);
    void this.inTurn(() => this.settle(opened)).catch((error: unknown) => this.ports.log.error({ error }, 'the vault was not sealed anew'));
  }

  async stop(): Promise<void> {
    this.forget();
    await this.turn.catch(() => undefined);
  }

  status(): VaultStatus {
    const { header, open, isLocked } = this;
    const { store, idleMinutes } = this.ports;
    const wrap = header?.wrap;
    return {
      exists: this.exists,
      locked: isLocked,
      passphrase: wrap?.kind === 'passphrase',
      ...(wrap?.kind === 'device' ? { device_key: wrap.place } : {}),
      ...noteOf(wrap, this.exists),
      idle_minutes: idleMinutes,
      values: store.count(),
      reseal_pending: open?.ring.isTurning ? store.countOfOtherEpochs(open.ring.newest) : 0,
      damaged: open ? this.values.damaged(open).map(({ owner, record, field }) => ({ kind: owner, record, field })) : [],
      waiting: [...this.waiting.all()],
    };
  }

  summary() {
    if (!this.exists) return undefined;
    return { locked: this.isLocked, passphrase: this.header?.wrap.kind === 'passphrase', waiting: this.waiting.all().length };
  }

  require(waiter?: Waiter): void {
    if (!this.isLocked) return;
    if (waiter && this.waiting.add(waiter, this.ports.clock.now()))
      this.ports.log.warn({ kind: waiter.kind, id: waiter.id }, 'this waits until the vault is unlocked: weft vault unlock');
    throw lockedError();
  }

  put(place: ValuePlace, value: string | Uint8Array): void {
    const plain = Buffer.from(value);
    this.values.put(this.requireOpen(), place, plain);
    plain.fill(0);
  }

  find(place: ValuePlace): Buffer | undefined {
    return this.values.find(this.requireOpen(), place);
  }

  fieldsOf(owner: string, record: string): readonly string[] {
    return this.ports.store.fieldsOf(owner, record);
  }

  recordsOf(owner: string): readonly string[] {
    return this.ports.store.recordsOf(owner);
  }

  remove(owner: string, record: string, fields = this.fieldsOf(owner, record)): void {
    if (fields.length > 0)
      this.values.remove(
        this.requireOpen(),
        fields.map((field) => ({ owner, record, field })),
      );
  }

  onOpen(listener: () => void): void {
    this.openListeners.push(listener);
  }

  lock(): VaultStatus {
    this.forget();
    return this.status();
  }

  async unlock({ passphrase, new_passphrase }: UnlockVault): Promise<VaultStatus> {
    return await this.inTurn(async () => {
      const opened = await this.openWith(passphrase);
      if (new_passphrase === undefined) await this.settle(opened);
      else await this.changePassphrase(opened, new_passphrase);
      return this.status();
    });
  }

  async rotate({ passphrase }: RotateVault): Promise<VaultStatus> {
    return await this.inTurn(async () => {
      const { header, key, ring } = await this.openWith(passphrase);
      await this.settle(this.rewrap({ header, key, ring: ring.turned() }, header.wrap));
      return this.status();
    });
  }

  private get exists(): boolean {
    return this.header !== undefined || this.hasOrphans;
  }

  private get isLocked(): boolean {
    return this.isHeld || (this.exists && this.open === undefined);
  }

  private requireOpen(): OpenRing {
    this.require();
    this.idle.used();
    return this.open ?? this.take(this.create());
  }

  private forget(): void {
    this.isHeld = true;
    this.idle.stop();
    this.open?.ring.wipe();
    this.open = undefined;
  }

  /** Goes on with these keys. */
  private take({ header, ring }: Opened): OpenRing {
    mendHeader(this.ports.folder, header);
    if (this.open && this.open.ring !== ring) this.open.ring.wipe();
    this.header = header;
    this.open = { vaultId: header.vault_id, ring };
    this.isHeld = false;
    this.idle.start();
    this.waiting.clear();
    for (const listener of this.openListeners) queueMicrotask(listener);
    return this.open;
  }

  private create(): Opened {
    const vault_id = randomBytes(16).toString('hex');
    const { key, place } = this.ports.deviceKeys.make(vault_id);
    return this.write({ vault_id, counter: 0 }, { kind: 'device', place }, key, Ring.create());
  }

  private write(before: Pick<VaultHeader, 'vault_id' | 'counter'>, wrap: Wrap, key: Buffer, ring: Ring): Opened {
    const header = makeHeader(before, wrap, key, ring);
    writeHeader(this.ports.folder, header);
    return { header, key, ring };
  }

  /** Writes the header of what is open now with other keys or another wrap, and goes on with it. */
  private rewrap({ header, key, ring }: Opened, wrap: Wrap): Opened {
    const written = this.write(header, wrap, key, ring);
    this.take(written);
    return written;
  }

  private tryDevice(header: VaultHeader): Opened | undefined {
    const key = header.wrap.kind === 'device' ? this.ports.deviceKeys.find(header.vault_id, header.wrap.place) : undefined;
    const ring = key && openHeader(header, key);
    return key && ring ? { header, key, ring } : undefined;
  }

  /** Reads the header anew and opens it. */
  private async openWith(passphrase: string | undefined): Promise<Opened> {
    const header = readHeader(this.ports.folder);
    const opened = passphrase === undefined ? this.openByDevice(header) : await this.openByPassphrase(header, passphrase);
    this.take(opened);
    return opened;
  }

  private openByDevice(header: VaultHeader | undefined): Opened {
    if (!header && this.ports.store.count() === 0) return this.create();
    if (header?.wrap.kind === 'passphrase')
      throw new AppError('vault_locked', 'The vault opens with its passphrase: send it as `passphrase`.');
    const opened = header && this.tryDevice(header);
    if (!opened)
      throw new AppError(
        'vault_locked',
        'The key of this device does not open the vault, or its header is damaged. Restore the whole home, with its folder `vault`, from one copy.',
      );
    return opened;
  }

  /** A header that is damaged takes as long as a wrong passphrase, and is refused in the same words. */
  private async openByPassphrase(header: VaultHeader | undefined, passphrase: string): Promise<Opened> {
    if (header?.wrap.kind === 'device')
      throw new AppError('bad_request', 'The vault has no passphrase yet; leave `passphrase` out, and set one with `new_passphrase`.');
    this.guesses.check();
    const key = await passphraseKey(passphrase, header?.wrap.cost ?? newPassphraseCost());
    const ring = header && openHeader(header, key);
    if (!header || !ring) {
      this.guesses.failed();
      throw new AppError('vault_locked', 'The passphrase does not open the vault, or its header is damaged.');
    }
    this.guesses.passed();
    // What a crash left of the time before the passphrase.
    this.ports.deviceKeys.forget(header.vault_id, 'file');
    return { header, key, ring };
  }

  /** The first passphrase takes a new master key: whoever had the key of the device may have had the old one. */
  private async changePassphrase({ header, key: before, ring }: Opened, passphrase: string): Promise<void> {
    before.fill(0);
    const cost = newPassphraseCost();
    const key = await passphraseKey(passphrase, cost);
    const { wrap } = header;
    const changed = this.rewrap({ header, key, ring: wrap.kind === 'device' ? ring.turned() : ring }, { kind: 'passphrase', cost });
    if (wrap.kind === 'device') this.ports.deviceKeys.forget(header.vault_id, wrap.place);
    await this.settle(changed);
  }

  /** Seals what earlier keys sealed with the newest, and then forgets those. */
  private async settle(opened: Opened): Promise<void> {
    const { header, key, ring } = opened;
    if (ring.isTurning && (await this.values.sealAnew({ vaultId: header.vault_id, ring })))
      this.rewrap({ header, key, ring: ring.settled() }, header.wrap);
    key.fill(0);
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.turn.catch(() => undefined).then(work);
    this.turn = done;
    return done;
  }
}

function lockedError(): AppError {
  return new AppError('vault_locked', 'The vault is locked: unlock it (`weft vault unlock`) and send the call again.');
}

function noteOf(wrap: Wrap | undefined, exists: boolean): { readonly note?: string } {
  if (wrap?.kind === 'passphrase' || !exists) return {};
  if (!wrap) return { note: 'The header of the vault is damaged or gone: restore the whole home, with its folder `vault`, from one copy.' };
  if (wrap.place === 'keychain')
    return { note: "The key of this device, in the system's keychain, opens the vault; a passphrase protects it better." };
  return {
    note: 'A file in the home opens the vault, so whoever can read the home can: a passphrase protects it better (`weft vault init`).',
  };
}
