// How a value went: what it was in each stretch of time in which it became another. Pure.
import { isJsonObject } from '../../html/loose-json.ts';
import type { JsonValue } from '../../html/loose-json.ts';

/** A value from a moment on; it stays so until the next one. */
export interface RecordedValue {
  /** Epoch milliseconds. */
  readonly atMs: number;
  /** Undefined where there was none. */
  readonly value: JsonValue | undefined;
}

/** What a value was in one bucket in which it became another. */
export interface ValueBucket {
  /** Epoch milliseconds of its beginning. */
  readonly atMs: number;
  /** How often it became another. */
  readonly points: number;
  /** What it was at the beginning where that is known and of the same currency, else the first that it became. */
  readonly first: JsonValue | undefined;
  readonly last: JsonValue | undefined;
  /** Of numbers, and of prices in minor units; absent where there was none of either. The mean is weighted by time. */
  readonly numbers: { readonly min: number; readonly max: number; readonly mean: number } | undefined;
  /** Of prices. */
  readonly currency: string | undefined;
}

/** The beginning of the bucket that holds a moment. */
export function bucketStart(atMs: number, bucketMs: number): number {
  return Math.floor(atMs / bucketMs) * bucketMs;
}

/** Takes the values of a series one by one, in the order in which they were seen; a clock that was set back counts as one that stood still. */
export class BucketedSeries {
  private readonly bucketMs: number;
  private open: OpenBucket | undefined;
  private last: RecordedValue | undefined;

  /** `before` is what the value was before the first that is taken. */
  constructor(bucketMs: number, before: RecordedValue | undefined) {
    this.bucketMs = bucketMs;
    this.last = before;
  }

  /** The bucket that this value ends: it lies in another one, or its currency is another. */
  take(recorded: RecordedValue): ValueBucket | undefined {
    const atMs = Math.max(recorded.atMs, this.last?.atMs ?? recorded.atMs);
    const start = bucketStart(atMs, this.bucketMs);
    // What has no currency is no price in another one.
    const currency = currencyOf(recorded.value) ?? this.open?.currency ?? currencyOf(this.last?.value);
    const ended = this.open && (this.open.atMs !== start || this.open.currency !== currency) ? this.close(atMs) : undefined;
    this.open ??= this.begin(start, atMs, currency);
    this.open.become(recorded.value, atMs);
    this.last = { atMs, value: recorded.value };
    return ended;
  }

  /** The bucket that is open, with the value held until `untilMs`; undefined where none is. */
  close(untilMs: number): ValueBucket | undefined {
    const { open } = this;
    this.open = undefined;
    return open?.end(Math.min(untilMs, open.atMs + this.bucketMs));
  }

  private begin(start: number, atMs: number, currency: string | undefined): OpenBucket {
    const { last } = this;
    const isCarried = last !== undefined && last.atMs < start && start < atMs && currencyOf(last.value) === currency;
    return new OpenBucket(start, currency, isCarried ? last.value : undefined);
  }
}

class OpenBucket {
  readonly atMs: number;
  readonly currency: string | undefined;
  private readonly carried: JsonValue | undefined;
  private became: JsonValue | undefined;
  private points = 0;
  private now: JsonValue | undefined;
  private sinceMs: number;
  private min = Number.POSITIVE_INFINITY;
  private max = Number.NEGATIVE_INFINITY;
  private weighted = 0;
  private weightMs = 0;

  constructor(atMs: number, currency: string | undefined, carried: JsonValue | undefined) {
    this.atMs = atMs;
    this.currency = currency;
    this.carried = carried;
    this.now = carried;
    this.sinceMs = atMs;
    this.note(carried);
  }

  become(value: JsonValue | undefined, atMs: number): void {
    this.hold(atMs);
    if (this.points++ === 0) this.became = value;
    this.now = value;
    this.note(value);
  }

  end(untilMs: number): ValueBucket {
    this.hold(untilMs);
    const { atMs, points, carried, became, now, currency, min, max, weighted, weightMs } = this;
    // All of it in one moment: the last one is what it was.
    const mean = weightMs > 0 ? weighted / weightMs : (numberOf(now) ?? max);
    const numbers = min <= max ? { min, max, mean } : undefined;
    return { atMs, points, first: carried ?? became, last: now, numbers, currency };
  }

  /** What it was until now counts for as long as it was so. */
  private hold(untilMs: number): void {
    const number = numberOf(this.now);
    const heldMs = Math.max(0, untilMs - this.sinceMs);
    this.sinceMs = Math.max(this.sinceMs, untilMs);
    if (number === undefined) return;
    this.weighted += number * heldMs;
    this.weightMs += heldMs;
  }

  private note(value: JsonValue | undefined): void {
    const number = numberOf(value);
    if (number === undefined) return;
    this.min = Math.min(this.min, number);
    this.max = Math.max(this.max, number);
  }
}

/** Of a number itself, of a price its minor units. */
function numberOf(value: JsonValue | undefined): number | undefined {
  const number = isJsonObject(value) ? value['amount_minor'] : value;
  return typeof number === 'number' ? number : undefined;
}

function currencyOf(value: JsonValue | undefined): string | undefined {
  const currency = isJsonObject(value) ? value['currency'] : undefined;
  return typeof currency === 'string' ? currency : undefined;
}
