// The master keys of a vault by their epochs: the newest seals, the others open what is not sealed anew yet.
import { randomBytes } from 'node:crypto';

const KEY_BYTES = 32;

export class Ring {
  private readonly keys: ReadonlyMap<number, Buffer>;
  private wiped = false;

  private constructor(keys: ReadonlyMap<number, Buffer>) {
    this.keys = keys;
  }

  /** One new key. */
  static create(): Ring {
    return new Ring(new Map([[1, randomBytes(KEY_BYTES)]]));
  }

  /** Reads what `toBytes` made, and wipes it. */
  static fromBytes(bytes: Buffer): Ring {
    const keys = new Map<number, Buffer>();
    for (let at = 0; at < bytes.byteLength; at += 4 + KEY_BYTES)
      keys.set(bytes.readUInt32BE(at), Buffer.from(bytes.subarray(at + 4, at + 4 + KEY_BYTES)));
    bytes.fill(0);
    return new Ring(keys);
  }

  /** The epoch that seals. */
  get newest(): number {
    return Math.max(...this.keys.keys());
  }

  /** True while an earlier key is kept. */
  get isTurning(): boolean {
    return this.keys.size > 1;
  }

  /** True once it was wiped: nothing opens with it. */
  get isWiped(): boolean {
    return this.wiped;
  }

  /** The key of `epoch`; undefined for one that is gone. */
  find(epoch: number): Buffer | undefined {
    return this.wiped ? undefined : this.keys.get(epoch);
  }

  /** With a new key beside those of this ring. */
  turned(): Ring {
    return new Ring(new Map([...this.copies(), [this.newest + 1, randomBytes(KEY_BYTES)]]));
  }

  /** With the newest key alone. */
  settled(): Ring {
    return new Ring(new Map(this.copies().filter(([epoch]) => epoch === this.newest)));
  }

  toBytes(): Buffer {
    const parts = [...this.keys].map(([epoch, key]) => {
      const number = Buffer.alloc(4);
      number.writeUInt32BE(epoch);
      return Buffer.concat([number, key]);
    });
    return Buffer.concat(parts);
  }

  /** Overwrites the keys. */
  wipe(): void {
    this.wiped = true;
    for (const key of this.keys.values()) key.fill(0);
  }

  private copies(): [number, Buffer][] {
    return [...this.keys].map(([epoch, key]) => [epoch, Buffer.from(key)]);
  }
}
