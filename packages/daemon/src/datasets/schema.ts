// Guesses the schema of a dataset from a sample of its records. Pure.
import type { DatasetField } from '@weft/contract';

/** What kind of value a member is. */
export type FieldType = DatasetField['types'][number];

interface Seen {
  readonly types: Map<FieldType, number>;
  readonly examples: Map<string, unknown>;
  present: number;
}

const FIELDS_MAX = 1000;
const EXAMPLES_MAX = 3;
const EXAMPLE_CHARS_MAX = 80;

/** One entry for each member that `records` name, in the order in which they first do. */
export function inferFields(records: readonly Readonly<Record<string, unknown>>[]): DatasetField[] {
  const fields = new Map<string, Seen>();
  for (const record of records)
    for (const [name, value] of Object.entries(record)) {
      const seen = fields.get(name) ?? { types: new Map(), examples: new Map(), present: 0 };
      if (!fields.has(name)) {
        if (fields.size >= FIELDS_MAX) continue;
        fields.set(name, seen);
      }
      note(seen, value);
    }
  return [...fields].map(([name, { types, examples, present }]) => ({
    name,
    types: [...types].sort(([, a], [, b]) => b - a).map(([type]) => type),
    null_share: records.length === 0 ? 0 : (records.length - present) / records.length,
    examples: [...examples.values()],
  }));
}

function note(seen: Seen, value: unknown): void {
  const type = typeOf(value);
  seen.types.set(type, (seen.types.get(type) ?? 0) + 1);
  if (type === 'null') return;
  seen.present++;
  if (seen.examples.size >= EXAMPLES_MAX) return;
  const example = exampleOf(value);
  seen.examples.set(`${typeof example} ${String(example)}`, example);
}

/** The kind of a value as JSON has it; what is absent counts as null. */
export function typeOf(value: unknown): FieldType {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'string' ? 'string' : 'object';
}

function exampleOf(value: unknown): string | number | boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const characters = Array.from(text.slice(0, 2 * EXAMPLE_CHARS_MAX));
  return characters.length > EXAMPLE_CHARS_MAX ? `${characters.slice(0, EXAMPLE_CHARS_MAX).join('')}\u2026` : text;
}
