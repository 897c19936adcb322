// Takes what was sent in secret out of everything that a run shows or keeps, however a site echoes it (D34).
import { createMasker } from '../mask/masker.ts';
import type { Masker as BuiltMasker } from '../mask/masker.ts';

/** Remembers what one run has sent, and hides it. */
export class Masker {
  private readonly values = new Set<string>();
  private built: BuiltMasker | undefined;

  /** From now on `value` is shown nowhere. */
  add(value: string): void {
    if (this.values.has(value)) return;
    this.values.add(value);
    this.built = undefined;
  }

  text(text: string): string {
    return this.values.size === 0 ? text : this.masker.text(text);
  }

  /** Any JSON with each of its texts and names masked. */
  value<Value>(value: Value): Value {
    if (this.values.size === 0 || value === undefined) return value;
    // What is masked keeps its shape, but for numbers that hold a value.
    return this.masker.json(value) as Value;
  }

  bytes(bytes: Uint8Array): Uint8Array {
    return this.values.size === 0 ? bytes : this.masker.bytes(bytes);
  }

  private get masker(): BuiltMasker {
    return (this.built ??= createMasker(this.values));
  }
}
