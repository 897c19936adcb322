// What becomes of a notice when a channel is told of it: dropped, queued, or collected with others.
import type { NoticeData, NoticeLevel } from '@weft/contract';
import type { ChannelPolicy } from './delivery.ts';
import { quietUntilMs } from './quiet.ts';

/** `collect` joins the message that is open, or opens one that is due at `dueMs`. */
export type Admission =
  | { readonly kind: 'drop'; readonly reason: string }
  | { readonly kind: 'queue'; readonly dueMs: number }
  | { readonly kind: 'collect'; readonly dueMs: number };

const RANK: Readonly<Record<NoticeLevel, number>> = { info: 0, warning: 1, error: 2 };
/** Words at the end of an event that say how grave it is; others are `info`. */
const LEVEL_OF_WORD: ReadonlyMap<string, NoticeLevel> = new Map([
  ['error', 'error'],
  ['failed', 'error'],
  ['disabled', 'error'],
  ['blocked', 'warning'],
  ['degraded', 'warning'],
  ['gone', 'warning'],
  ['selector_drift', 'warning'],
]);
/** Notices of one message at most. */
export const COLLECTED_MAX = 100;
/** What a notice carries at most, as JSON; receivers of webhooks expect less than 20 kB (Standard Webhooks 1.0.0, Payload size). */
const DATA_CHARS_MAX = 16_000;

/** What `policy` does with a notice of `level` that is told at `nowMs`. */
export function admitNotice(policy: ChannelPolicy, level: NoticeLevel, nowMs: number): Admission {
  if (RANK[level] < RANK[policy.levelMin])
    return { kind: 'drop', reason: `It is ${level}, and the channel takes ${policy.levelMin} and graver.` };
  if (policy.mutedUntilMs > nowMs) return { kind: 'drop', reason: 'The channel was muted.' };
  if (policy.quiet?.drop && quietUntilMs(policy.quiet, nowMs) !== undefined) return { kind: 'drop', reason: 'It came in quiet hours.' };
  return policy.digestMinutes > 0 ? { kind: 'collect', dueMs: nowMs + policy.digestMinutes * 60_000 } : { kind: 'queue', dueMs: nowMs };
}

/** How grave an event is by its last word. */
export function levelOfEvent(event: string): NoticeLevel {
  return LEVEL_OF_WORD.get(event.split('.').at(-1) ?? '') ?? 'info';
}

/** The graver of two. */
export function graverOf(one: NoticeLevel, other: NoticeLevel): NoticeLevel {
  return RANK[one] >= RANK[other] ? one : other;
}

/** `data` with long texts cut until it has at most so many characters as JSON, and `cut: true` where one was. */
export function fitData(data: NoticeData, jsonCharsMax = DATA_CHARS_MAX): NoticeData {
  for (const charsMax of [Infinity, 2_000, 500, 100]) {
    const fitted = charsMax === Infinity ? data : { ...(cutTexts(data, charsMax) as NoticeData), cut: true };
    if (JSON.stringify(fitted).length <= jsonCharsMax) return fitted;
  }
  return { cut: true };
}

function cutTexts(value: unknown, charsMax: number): unknown {
  if (typeof value === 'string') return value.length > charsMax ? `${value.slice(0, charsMax).toWellFormed()}…` : value;
  if (Array.isArray(value)) return value.slice(0, charsMax).map((each) => cutTexts(each, charsMax));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cutTexts(each, charsMax)]));
}
