// Takes what was sent in secret out of everything that a run shows or keeps, however a site echoes it (D34).
import { createMasker } from '../mask/masker.ts';
import type { Masker as BuiltMasker } from '../mask/masker.ts';

/** Remembers what one run has sent, and hides it. */
export class Masker {
  private readonly values = new Set<string>();
  private readonly names = new Set<string>();
  private built: { readonly all: BuiltMasker; readonly secrets: BuiltMasker } | undefined;

  /** From now on `value` is shown nowhere. */
  add(value: string): void {
    this.take(value, this.values);
  }

  /** From now on `name` stands in no text of the run about itself; in what pages hold it stays, for sites say by it who did what. */
  addName(name: string): void {
    this.take(name, this.names);
  }

  text(text: string): string {
    return this.isEmpty ? text : this.masker.all.text(text);
  }

  /** Any JSON that was read, with each of its texts and names masked. */
  value<Value>(value: Value): Value {
    if (this.values.size === 0 || value === undefined) return value;
    // What is masked keeps its shape, but for numbers that hold a value.
    return this.masker.secrets.json(value) as Value;
  }

  bytes(bytes: Uint8Array): Uint8Array {
    return this.isEmpty ? bytes : this.masker.all.bytes(bytes);
  }

  private get isEmpty(): boolean {
    return this.values.size + this.names.size === 0;
  }

  private get masker(): NonNullable<Masker['built']> {
    this.built ??= { all: createMasker(new Set([...this.values, ...this.names])), secrets: createMasker(this.values) };
    return this.built;
  }

  private take(value: string, into: Set<string>): void {
    if (into.has(value)) return;
    into.add(value);
    this.built = undefined;
  }
}
