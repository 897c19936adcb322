// The header of the vault: which vault it is and its master keys, wrapped. It stands in two files, each written whole; the one that counts further is the one that holds.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { SealError, findPrivate, isAcceptable, openValue, sealValue, writePrivate } from '@weft/serve';
import type { SealPlace } from '@weft/serve';
import { z } from 'zod';
import { Ring } from './ring.ts';

const Wrap = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('device'), place: z.enum(['keychain', 'file']) }),
  z.strictObject({
    kind: z.literal('passphrase'),
    cost: z.strictObject({ memory: z.number(), passes: z.number(), parallelism: z.number(), salt: z.string() }).refine(isAcceptable),
  }),
]);
/** What opens a header. */
export type Wrap = z.infer<typeof Wrap>;

const Header = z.strictObject({
  format: z.literal(1),
  vault_id: z.string(),
  /** Grows with every write. */
  counter: z.int().min(1),
  wrap: Wrap,
  /** The master keys, sealed with the key of `wrap` for just this header; base64url. */
  keys: z.string(),
});
export type VaultHeader = z.infer<typeof Header>;

const SLOTS = ['header-a', 'header-b'] as const;
type Slot = (typeof SLOTS)[number];

/** The header in `folder`; undefined where neither file holds one. One that is damaged counts as none. */
export function readHeader(folder: string): VaultHeader | undefined {
  const [first, second] = SLOTS.map((slot) => readSlot(folder, slot));
  return (second?.counter ?? 0) > (first?.counter ?? 0) ? second : (first ?? second);
}

/** Makes both files hold the header, which was opened: what a crash or a disk left in the other is replaced. */
export function mendHeader(folder: string, header: VaultHeader): void {
  for (const slot of SLOTS) if (readSlot(folder, slot)?.counter !== header.counter) writeSlot(folder, slot, header);
}

/** Writes the header into both files, first over the older one: at any moment one of them is whole. */
export function writeHeader(folder: string, header: VaultHeader): void {
  const counters = SLOTS.map((slot) => readSlot(folder, slot)?.counter ?? 0);
  const order = (counters[0] ?? 0) <= (counters[1] ?? 0) ? SLOTS : SLOTS.toReversed();
  for (const slot of order) writeSlot(folder, slot, header);
}

/** A header that counts one further than `before`, with `ring` wrapped by `key`. */
export function makeHeader(before: Pick<VaultHeader, 'vault_id' | 'counter'>, wrap: Wrap, key: Uint8Array, ring: Ring): VaultHeader {
  const header = { format: 1 as const, vault_id: before.vault_id, counter: before.counter + 1, wrap };
  const plain = ring.toBytes();
  const keys = sealValue(key, placeOf(header), plain).toString('base64url');
  plain.fill(0);
  return { ...header, keys };
}

/** The master keys; undefined where `key` is another one or anything of the header was altered. */
export function openHeader(header: VaultHeader, key: Uint8Array): Ring | undefined {
  try {
    return Ring.fromBytes(openValue(key, placeOf(header), Buffer.from(header.keys, 'base64url')));
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}

/** Every member of the header but the keys themselves is authenticated with them. */
function placeOf({ vault_id, counter, wrap, format }: Omit<VaultHeader, 'keys'>): SealPlace {
  const record = JSON.stringify([format, wrap]);
  return { vault: vault_id, table: 'vault_header', record, field: wrap.kind, epoch: 0, version: counter };
}

/** A checksum tells a disk's fault from a wrong passphrase; against people the seal protects. */
function writeSlot(folder: string, slot: Slot, header: VaultHeader): void {
  const text = JSON.stringify(header);
  writePrivate(join(folder, slot), `${checksum(text)}\n${text}\n`);
}

function readSlot(folder: string, slot: Slot): VaultHeader | undefined {
  return parseHeader(findPrivate(join(folder, slot)) ?? '');
}

/** What a file of the header holds; undefined where any of it is not as it was written. */
export function parseHeader(file: string): VaultHeader | undefined {
  const [, sum, text] = /^([0-9a-f]{64})\n(.+)\n$/.exec(file) ?? [];
  if (text === undefined || sum !== checksum(text)) return undefined;
  return Header.safeParse(JSON.parse(text)).data;
}

function checksum(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
