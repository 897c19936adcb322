// Turns the items of a list into records: aligned, named and typed fields.
import type { AnyNode } from 'domhandler';
import { isTag } from 'domhandler';
import { stableClasses } from '../survey/classes.ts';
import { type Leaf, leavesOf } from '../survey/leaves.ts';
import type { FieldScalar, FieldSpec, FieldType, FieldValue, RecordItem } from '../list.ts';
import { headerOf, identifier, suggestName, uniqueNames } from '../name/naming.ts';
import { matchPaths } from './paths.ts';
import { pricePartOf } from '../name/price-names.ts';
import { rolesOf } from '../name/roles.ts';
import { share } from '../group/shares.ts';
import { type Slot, alignLeaves, isConstant, placeOf } from './slots.ts';
import { visibleText } from '../survey/text.ts';
import { partOf } from '../name/parts.ts';
import type { TextPart } from '../name/parts.ts';
import { readValue, typeOfTexts } from '../name/values.ts';
import { unifyVariants } from './variants.ts';

/** Share of the values that must carry a label. */
const LABELLED_MIN = 0.9;
/** Share of the texts of a place that must hold a date to be read for it, as many as must be of a type. */
const HOLDING_MIN = 0.9;
/** As many as a workflow keeps of a list. */
const FIELDS_MAX = 60;

/** Types of what is no label or button though all items say the same: twelve products may all have four stars. */
const VALUES: ReadonlySet<FieldType> = new Set(['price', 'rating', 'date']);
/** A record of less says next to nothing: then what all items say is better than nothing. */
const FIELDS_MIN = 2;

/**
 * The fields that the items share, in reading order; title, url and image carry those names where they are found. With `others`, items of another
 * page of the same template, they are those of both, and what all items of one page say is a value where the other page says something else.
 */
export function learnFields(
  nodes: readonly (readonly AnyNode[])[],
  headers: readonly string[] = [],
  others: readonly (readonly AnyNode[])[] = [],
): FieldSpec[] {
  const aligned = alignLeaves(unifyVariants([...nodes, ...others].map(leavesOf)));
  const isLabel = (slot: Slot) => isConstant(slot, nodes.length);
  const roles = rolesOf(aligned);
  const slots = withoutCopies(aligned, roles);
  const labels = precedingLabels(slots, headers, isLabel);
  const first = nodes[0]?.[0];
  const itemClasses = first && isTag(first) ? stableClasses(first.attribs['class']) : [];
  const typed = slots.map((slot) => {
    const label = commonPrefix(slot) ?? labels.get(slot);
    return { slot, label, ...typeOf(slot, label) };
  });
  // A column may well say the same in each row; what stands under no header and does is a button.
  const isNamed = (slot: Slot) => headerOf(slot, headers) !== undefined;
  const telling = typed.filter(({ slot, type }) => VALUES.has(type) || isNamed(slot) || !isLabel(slot));
  const kept = withoutRepeatedRatings(telling.length >= FIELDS_MIN ? telling : typed);
  const prices = kept.filter(({ type }) => type === 'price').map(({ slot }) => slot);
  const whole = kept.map(({ slot, label, type, failed }) => {
    const part = prices.includes(slot) && headers.length === 0 ? pricePartOf(slot, prices) : undefined;
    const role = roles.get(slot);
    const name = part ?? suggestName(slot, { headers, itemClasses, type, label, role });
    return { name, role, draft: { type, many: slot.many, path: slot.key, label, filled: slot.filled, failed } };
  });
  const drafts = [...whole, ...kept.flatMap(({ slot, type }) => partsWithin(slot, type))];
  const names = uniqueNames(
    drafts.map(({ name }) => name),
    drafts.map(({ role }) => role),
  );
  return drafts.slice(0, FIELDS_MAX).map(({ draft }, i) => ({ ...draft, name: names[i] as string }));
}

/** The date of a line that says more, and who is named beside it, as fields of their own. */
function partsWithin(slot: Slot, type: FieldType) {
  if (slot.kind !== 'text' || slot.many || (type !== 'text' && type !== 'date')) return [];
  const raws = slot.values.flat().map(({ raw }) => raw);
  const holding = (part: TextPart) => share(raws, (raw) => partOf(raw, part) !== undefined);
  const dated = holding('date');
  if (dated < HOLDING_MIN) return [];
  const signed = holding('name');
  const within = (part: TextPart, name: string, own: FieldType, held: number) => ({
    name,
    role: undefined,
    draft: { type: own, many: false, path: slot.key + PART_MARK + part, label: undefined, filled: slot.filled * held, failed: 0 },
  });
  return [
    ...(type === 'date' ? [] : [within('date', 'date', 'date', dated)]),
    ...(signed >= HOLDING_MIN ? [within('name', 'author', 'text', signed)] : []),
  ];
}

/** Behind the path of a field that is a part of the text there. */
const PART_MARK = '::';

/** Reads `fields` from each item; addresses resolve against `baseUrl`. A field whose classes changed is looked for by its tags. */
export function readItems(nodes: readonly (readonly AnyNode[])[], fields: readonly FieldSpec[], baseUrl: string): RecordItem[] {
  const items = nodes.map(leavesOf);
  const places = fields.map((field) => {
    const [key = '', part] = field.path.split(PART_MARK);
    return { field, part: part as TextPart | undefined, ...placeOf(key, field.many) };
  });
  const paths = matchPaths([...new Set(places.map(({ path }) => path))], items);
  return nodes.map((parts, item) => {
    const byPath = Map.groupBy(items[item] ?? [], (leaf) => leaf.path);
    const values: Record<string, FieldValue> = {};
    for (const { field, part, path, index } of places) {
      const leaves = (paths.get(path) ?? []).flatMap((own) => byPath.get(own) ?? []);
      const leaf = part ? withinLeaf(leaves[index], part) : leaves[index];
      if (leaf) values[field.name] = scalarOf(leaf, field, baseUrl);
      else if (field.many && leaves.length > 0) values[field.name] = leaves.map((one) => scalarOf(one, field, baseUrl));
    }
    return { text: visibleText(parts), fields: values };
  });
}

function withinLeaf(leaf: Leaf | undefined, part: TextPart): Leaf | undefined {
  const raw = leaf && partOf(leaf.raw, part);
  return leaf && raw !== undefined ? { ...leaf, raw } : undefined;
}

/** A value that is not of the field's type stays text. */
function scalarOf(leaf: Leaf, field: FieldSpec, baseUrl: string): FieldScalar {
  const raw = withoutLabel(leaf.raw, field.label);
  return readValue(raw, field.type, baseUrl) ?? { type: 'text', raw };
}

function typeOf(slot: Slot, label: string | undefined): { type: FieldType; failed: number } {
  if (slot.kind !== 'text') return { type: slot.kind, failed: 0 };
  const raws = slot.values.flat().map((leaf) => withoutLabel(leaf.raw, label));
  const type = typeOfTexts(raws);
  return { type, failed: share(raws, (raw) => !readValue(raw, type)) };
}

/** Leaves out addresses and pictures that repeat, item by item, what another slot has; those with a role stay. */
function withoutCopies(slots: readonly Slot[], roles: ReadonlyMap<Slot, string>): Slot[] {
  const seen = new Set([...roles.keys()].map(contentOf));
  return slots.filter((slot) => {
    if (slot.kind === 'text' || roles.has(slot)) return true;
    const content = contentOf(slot);
    return !seen.has(content) && seen.add(content);
  });
}

/** Leaves out ratings that are said twice, and the width of a bar where the rating that it draws is said. */
function withoutRepeatedRatings<Typed extends { readonly slot: Slot; readonly type: FieldType }>(
  typed: readonly Typed[],
): readonly Typed[] {
  const ratings = typed.filter(({ type }) => type === 'rating').toSorted((a, b) => Number(isBar(a.slot)) - Number(isBar(b.slot)));
  const repeated = ratings.filter(({ slot }, i) =>
    ratings.slice(0, i).some((said) => isBar(slot) || contentOf(said.slot) === contentOf(slot)),
  );
  return typed.filter((one) => !repeated.includes(one));
}

function isBar({ key }: Slot): boolean {
  return key.replace(/#\d+$/, '').endsWith('@style');
}

function contentOf(slot: Slot): string {
  return slot.values.map((leaves) => leaves.map((leaf) => leaf.raw).join(' ')).join('\n');
}

/** Constant texts that end in a colon name the slot behind them. */
function precedingLabels(slots: readonly Slot[], headers: readonly string[], isLabel: (slot: Slot) => boolean): Map<Slot, string> {
  const labels = new Map<Slot, string>();
  if (headers.length > 0) return labels;
  slots.forEach((slot, i) => {
    const raw = slot.values.find((leaves) => leaves.length > 0)?.[0]?.raw ?? '';
    const next = slots.slice(i + 1).find((other) => other.kind === 'text');
    if (next && isLabel(slot) && /:\s*$/.test(raw) && identifier(raw) !== undefined) labels.set(next, raw.replace(/\s*:\s*$/, ''));
  });
  return labels;
}

/** `Price` when nearly all values read `Price: ...`; the scheme of an address is no label. */
function commonPrefix(slot: Slot): string | undefined {
  const raws = slot.values.flatMap((leaves) => leaves.map((leaf) => leaf.raw));
  const prefix = /^(\p{L}[\p{L}\s]{1,24}?)\s*:(?!\/\/)\s*\S/u.exec(raws[0] ?? '')?.[1];
  if (slot.kind !== 'text' || slot.key.includes('@') || prefix === undefined || raws.length < 2) return undefined;
  return raws.filter((raw) => withoutLabel(raw, prefix) !== raw).length >= raws.length * LABELLED_MIN ? prefix : undefined;
}

function withoutLabel(raw: string, label: string | undefined): string {
  if (label === undefined || !raw.startsWith(label)) return raw;
  const rest = /^\s*:\s*(\S.*)$/s.exec(raw.slice(label.length))?.[1];
  return rest ?? raw;
}
