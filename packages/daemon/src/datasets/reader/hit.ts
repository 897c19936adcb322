// What is shown of a found record. Pure.
import type { SearchHit } from '@weft/contract';
import type { SearchTerm } from '../match-query.ts';
import { bodyTextOf } from '../search-text.ts';
import { findSnippet } from '../snippet.ts';

export interface FoundRecord {
  readonly id: number;
  readonly dataset_id: number;
  readonly name: string;
  readonly key: string;
  readonly run_id: number;
  readonly created_at: number;
  /** JSON of an object. */
  readonly body: string;
  /** The smaller the better. */
  readonly score: number;
}

/** A member that is longer as JSON is not shown in an answer. */
const MEMBER_CHARS_MAX = 500;

/** The record with the place where `terms` stand, and those of its members that are short. */
export function toHit(record: FoundRecord, terms: readonly SearchTerm[]): SearchHit {
  const data = JSON.parse(record.body) as Readonly<Record<string, unknown>>;
  const { title, url } = data;
  return {
    dataset: { id: record.dataset_id, name: record.name },
    record_id: record.id,
    key: record.key,
    run_id: record.run_id,
    created_at: new Date(record.created_at).toISOString(),
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof url === 'string' ? { url } : {}),
    ...findSnippet((charsMax) => bodyTextOf(data, charsMax), terms),
    score: -record.score,
    data: Object.fromEntries(Object.entries(data).filter(([, value]) => roomAfter(value, MEMBER_CHARS_MAX) >= 0)),
  };
}

/** What is left of `room` characters behind the JSON of `value`; negative as soon as it is clear that there is too little. */
function roomAfter(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length - 2;
  if (typeof value !== 'object' || value === null) return room - String(value).length;
  let left = room - 2;
  for (const [name, member] of Object.entries(value)) {
    left = roomAfter(member, left - (Array.isArray(value) ? 1 : name.length + 4));
    if (left < 0) break;
  }
  return left;
}
