// A difference as short lines of pieces, which every way of writing it shares: what did not change is cut to what stands around changes.
import type { Difference, DiffPart, DiffRow, ItemsDiff, JsonChange, PictureDiff, TextDiff } from '@weft/contract';
import { linesOf } from '../tokens.ts';

/** A line of pieces. */
export type Line = readonly DiffPart[];

export interface Outline {
  /** `words`: pieces of a line changed; `lines`: each line is of one kind; `list`: each line is an entry of its own. */
  readonly style: 'words' | 'lines' | 'list';
  readonly lines: readonly Line[];
  /** How many further lines are left out at the end. */
  readonly leftOut: number;
}

/** What a notice can hold and somebody reads; the difference itself has all of it. */
const LINES_MAX = 200;
const PIECE_CHARS_MAX = 1_000;
const VALUE_CHARS_MAX = 200;
/** What is shown of equal text before and after a change. */
const CONTEXT_CHARS = 80;
const CONTEXT_LINES = 3;

/** The lines of a difference, at most LINES_MAX; none where nothing changed. */
export function outline(difference: Difference): Outline {
  const { style, lines } = whole(difference);
  return { style, lines: lines.slice(0, LINES_MAX), leftOut: Math.max(0, lines.length - LINES_MAX) };
}

function whole(difference: Difference): Omit<Outline, 'leftOut'> {
  switch (difference.kind) {
    case 'text':
      return difference.unit === 'word'
        ? { style: 'words', lines: wordLines(difference) }
        : { style: 'lines', lines: textLines(difference) };
    case 'unified':
      return { style: 'lines', lines: linesOf(difference.patch).slice(2).map(patchLine) };
    case 'side_by_side':
      return { style: 'lines', lines: difference.rows.some(isChange) ? difference.rows.flatMap(rowLines) : [] };
    case 'json':
      return { style: 'list', lines: difference.changes.map((change) => changeLine(change)) };
    case 'items':
      return { style: 'list', lines: itemLines(difference) };
    case 'pictures':
      return { style: 'list', lines: pictureLines(difference) };
  }
}

function wordLines({ parts }: TextDiff): Line[] {
  if (!parts.some(({ kind }) => kind !== 'same')) return [];
  const lines: DiffPart[][] = [[]];
  parts.forEach(({ kind, text }, i) => {
    const shown = kind === 'same' ? around(text, i === 0, i === parts.length - 1) : cut(text, PIECE_CHARS_MAX);
    shown.split(/\r?\n/).forEach((piece, place) => {
      if (place > 0) lines.push([]);
      if (piece !== '') lines.at(-1)?.push({ kind, text: piece });
    });
  });
  return lines;
}

/** Equal text at its ends, of which those at the ends of the text say nothing. */
function around(text: string, isFirst: boolean, isLast: boolean): string {
  const [before, after] = [isFirst ? 0 : CONTEXT_CHARS, isLast ? 0 : CONTEXT_CHARS];
  if (text.length <= before + after + 1) return text;
  return `${wellFormed(text.slice(0, before))}…${after === 0 ? '' : wellFormed(text.slice(-after))}`;
}

function textLines({ parts }: TextDiff): Line[] {
  if (!parts.some(({ kind }) => kind !== 'same')) return [];
  return parts.flatMap(({ kind, text }, i): Line[] => {
    const lines = linesOf(text).map((line): Line => [{ kind, text: cut(withoutBreak(line), PIECE_CHARS_MAX) }]);
    if (kind !== 'same') return lines;
    const [before, after] = [i === 0 ? 0 : CONTEXT_LINES, i === parts.length - 1 ? 0 : CONTEXT_LINES];
    if (lines.length <= before + after + 1) return lines;
    return [...lines.slice(0, before), plain('…'), ...lines.slice(lines.length - after)];
  });
}

function patchLine(line: string): Line {
  const text = cut(withoutBreak(line), PIECE_CHARS_MAX);
  if (line.startsWith('+')) return [{ kind: 'added', text: text.slice(1) }];
  if (line.startsWith('-')) return [{ kind: 'removed', text: text.slice(1) }];
  return plain(line.startsWith(' ') ? text.slice(1) : text);
}

function isChange({ kind }: DiffRow): boolean {
  return kind !== 'same' && kind !== 'skipped';
}

function rowLines(row: DiffRow): Line[] {
  if (row.kind === 'skipped') return [plain('…')];
  const textOf = (parts: readonly DiffPart[]) => cut(parts.map(({ text }) => text).join(''), PIECE_CHARS_MAX);
  if (row.kind === 'same') return [plain(textOf(row.old.parts))];
  return [
    ...('old' in row ? [[{ kind: 'removed', text: textOf(row.old.parts) }] satisfies Line] : []),
    ...('new' in row ? [[{ kind: 'added', text: textOf(row.new.parts) }] satisfies Line] : []),
  ];
}

function changeLine({ kind, pointer, from, old, new: fresh }: JsonChange, name = ''): Line {
  const place = `${name}${pointer === '' ? '' : `${pointer}`}`;
  const label: Line = place === '' ? [] : plain(`${place}: `);
  if (kind === 'moved') return plain(`${place}: moved from ${from ?? ''}`);
  if (kind === 'added') return [...label, { kind: 'added', text: valueText(fresh) }];
  if (kind === 'removed') return [...label, { kind: 'removed', text: valueText(old) }];
  return [...label, { kind: 'removed', text: valueText(old) }, { kind: 'same', text: ' ' }, { kind: 'added', text: valueText(fresh) }];
}

function itemLines({ key, added, gone, changed, moved }: ItemsDiff): Line[] {
  return [
    ...added.map(({ item }): Line => [{ kind: 'added', text: valueText(item) }]),
    ...gone.map(({ item }): Line => [{ kind: 'removed', text: valueText(item) }]),
    ...changed.flatMap((item) => item.fields.map((field) => changeLine(field, `${nameOf(item.new, key, item.new_position)} `))),
    ...moved.map((item) => plain(`item ${item.old_position + 1} is now item ${item.new_position + 1}`)),
  ];
}

/** What an item is called: its key, else its place counted from 1. */
function nameOf(item: unknown, key: readonly string[] | null, position: number): string {
  const values = (key ?? []).map(
    (name) => (typeof item === 'object' && item !== null ? Object.entries(item) : []).find(([own]) => own === name)?.[1],
  );
  return values.length > 0 ? values.map(valueText).join(', ') : `item ${position + 1}`;
}

function pictureLines({
  changed_pixels,
  compared_pixels,
  share,
  boxes,
  boxes_left_out,
  same_size,
  old,
  new: fresh,
  compared,
}: PictureDiff): Line[] {
  const sizes = `The picture was ${old.width} x ${old.height} pixels and is ${fresh.width} x ${fresh.height}; compared were the ${compared.width} x ${compared.height} that both have.`;
  const places = boxes.length + boxes_left_out;
  const changes = `${percent(share)} of ${compared_pixels} pixels changed, in ${places} ${places === 1 ? 'place' : 'places'}.`;
  return [...(same_size ? [] : [plain(sizes)]), ...(changed_pixels === 0 ? [] : [plain(changes)])];
}

function percent(share: number): string {
  return share < 0.0001 ? 'Less than 0.01 %' : `${Number((share * 100).toPrecision(3))} %`;
}

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return cut((text ?? '').replaceAll(/\s+/g, ' '), VALUE_CHARS_MAX);
}

function cut(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${wellFormed(text.slice(0, charsMax - 1))}…`;
}

/** A cut may go through a pair of surrogates. */
function wellFormed(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
}

function plain(text: string): Line {
  return [{ kind: 'same', text }];
}

function withoutBreak(line: string): string {
  return line.replace(/\r?\n$/, '');
}
