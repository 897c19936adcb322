// For how long something was in each state: all together, from when to when, and bucket by bucket. Pure.
import { bucketStart } from './series.ts';

/** A state from a moment on; undefined where nothing is known of it. */
export interface RecordedState {
  /** Epoch milliseconds. */
  readonly atMs: number;
  readonly state: string | undefined;
}

/** A state from when to when, in epoch milliseconds. */
export interface StateSpan {
  readonly state: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** How states went. */
export interface StateDurations {
  /** When the first one began that counts; undefined where none did. */
  readonly fromMs: number | undefined;
  /** Milliseconds in each. */
  readonly total: ReadonlyMap<string, number>;
  /** The newest, oldest first. */
  readonly spans: readonly StateSpan[];
  readonly spansLeftOut: number;
  /** Milliseconds in each state, by the beginning of the bucket; empty without buckets. */
  readonly buckets: ReadonlyMap<number, ReadonlyMap<string, number>>;
}

/** What of them counts. */
export interface DurationBounds {
  /** Epoch milliseconds, both. */
  readonly sinceMs: number | undefined;
  readonly untilMs: number;
  readonly bucketMs: number | undefined;
}

/** Spans that are named. */
const SPANS_MAX = 1000;
/** A bucket for each minute of a week, or for each day of 27 years. */
export const BUCKETS_MAX = 10_100;

/** More buckets were asked for than are counted. */
export class TooManyBuckets extends Error {
  constructor(count: number) {
    super(`That would be ${count} buckets, and at most ${BUCKETS_MAX} are counted; take a larger one, or a later "since".`);
    this.name = 'TooManyBuckets';
  }
}

/** Adds up the states that `recorded` gives in the order in which they were seen. Throws TooManyBuckets. */
export function addUpStates(
  recorded: Iterable<RecordedState>,
  { sinceMs = Number.NEGATIVE_INFINITY, untilMs, bucketMs }: DurationBounds,
): StateDurations {
  const sums = new StateSums(bucketMs);
  let now: StateSpan | undefined;
  let atMs = Number.NEGATIVE_INFINITY;
  const end = (toMs: number) => {
    if (now && toMs > Math.max(now.fromMs, sinceMs)) sums.add({ ...now, fromMs: Math.max(now.fromMs, sinceMs), toMs });
  };
  for (const next of recorded) {
    // A clock that was set back counts as one that stood still.
    atMs = Math.min(Math.max(atMs, next.atMs), untilMs);
    if (next.state === now?.state) continue;
    end(atMs);
    now = next.state === undefined ? undefined : { state: next.state, fromMs: atMs, toMs: atMs };
  }
  end(untilMs);
  return sums.all();
}

class StateSums {
  private readonly bucketMs: number | undefined;
  private readonly total = new Map<string, number>();
  private readonly buckets = new Map<number, Map<string, number>>();
  private readonly spans: StateSpan[] = [];
  private fromMs: number | undefined;
  private count = 0;

  constructor(bucketMs: number | undefined) {
    this.bucketMs = bucketMs;
  }

  add(span: StateSpan): void {
    const { state, fromMs, toMs } = span;
    this.fromMs ??= fromMs;
    this.count++;
    this.spans.push(span);
    // Cut now and then, not each time: cutting one off a thousand for each of a million is slow.
    if (this.spans.length >= 2 * SPANS_MAX) this.spans.splice(0, this.spans.length - SPANS_MAX);
    add(this.total, state, toMs - fromMs);
    if (this.bucketMs !== undefined) this.addToBuckets(span, this.bucketMs);
  }

  all(): StateDurations {
    const { fromMs, total, buckets } = this;
    const spans = this.spans.slice(-SPANS_MAX);
    return { fromMs, total, spans, spansLeftOut: this.count - spans.length, buckets };
  }

  private addToBuckets({ state, fromMs, toMs }: StateSpan, bucketMs: number): void {
    const needed = this.buckets.size + Math.ceil((toMs - fromMs) / bucketMs) - 1;
    if (needed > BUCKETS_MAX) throw new TooManyBuckets(needed);
    for (let at = bucketStart(fromMs, bucketMs); at < toMs; at += bucketMs) {
      const states = this.buckets.get(at) ?? new Map<string, number>();
      this.buckets.set(at, states);
      add(states, state, Math.min(toMs, at + bucketMs) - Math.max(fromMs, at));
    }
  }
}

function add(sums: Map<string, number>, state: string, ms: number): void {
  sums.set(state, (sums.get(state) ?? 0) + ms);
}
