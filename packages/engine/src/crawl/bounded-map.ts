// A map that forgets: what a crawl remembers of a site must not grow with the site.

/** At most `max` entries; what was set or used longest ago goes first. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  private readonly max: number;
  private readonly onForget: ((key: Key, value: Value) => void) | undefined;

  /** `onForget` is called with each entry before it goes. */
  constructor(max: number, entries: Iterable<readonly [Key, Value]> = [], onForget?: (key: Key, value: Value) => void) {
    super();
    this.max = max;
    this.onForget = onForget;
    for (const [key, value] of entries) this.set(key, value);
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    if (this.size > this.max) this.forgetOldest();
    return this;
  }

  /** The value under `key`, made where there is none. */
  use(key: Key, make: () => Value): Value {
    const value = this.get(key) ?? make();
    this.set(key, value);
    return value;
  }

  private forgetOldest(): void {
    for (const [key, value] of this) {
      this.onForget?.(key, value);
      this.delete(key);
      return;
    }
  }
}
