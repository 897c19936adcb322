// Differences of two readings: of texts, of JSON, of rows and of pictures.
import { z } from 'zod';

const exactness = {
  exact: z.boolean().describe('False where a limit was reached: the difference is right, and another would be smaller.'),
  reason: z.string().optional().describe('Which limit it was; only there when `exact` is false.'),
};
const counts = {
  added: z.int().min(0).describe('How many lines or words are new.'),
  removed: z.int().min(0).describe('How many lines or words are gone.'),
};

/** A piece of text that both sides have, or only one of them. */
export const DiffPart = z.strictObject({ kind: z.enum(['same', 'removed', 'added']), text: z.string() }).meta({ id: 'DiffPart' });
export type DiffPart = z.infer<typeof DiffPart>;

/** Two texts as one row of pieces: those that are not `added` make the old text, those that are not `removed` the new one. */
export const TextDiff = z
  .strictObject({
    kind: z.literal('text'),
    unit: z.enum(['line', 'word']),
    parts: z.array(DiffPart).describe('Neighbours differ in kind; of a replacement, what was removed comes first.'),
    ...counts,
    ...exactness,
  })
  .meta({ id: 'TextDiff' });
export type TextDiff = z.infer<typeof TextDiff>;

/** A patch in the unified format of POSIX `diff -u`. */
export const UnifiedDiff = z
  .strictObject({
    kind: z.literal('unified'),
    patch: z.string().describe('Empty where the texts are equal. `patch` makes the new text of the old one with it.'),
    ...counts,
    ...exactness,
  })
  .meta({ id: 'UnifiedDiff' });
export type UnifiedDiff = z.infer<typeof UnifiedDiff>;

/** One side of a row. */
export const DiffLine = z
  .strictObject({
    line: z.int().min(1).describe('Its number in its text.'),
    parts: z
      .array(DiffPart)
      .describe('The line without its line break; in a row that changed, the words that did are pieces of their own.'),
  })
  .meta({ id: 'DiffLine' });
export type DiffLine = z.infer<typeof DiffLine>;

/** Lines of both texts that stand beside each other. */
export const DiffRow = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.enum(['same', 'changed']), old: DiffLine, new: DiffLine }),
    z.strictObject({ kind: z.literal('removed'), old: DiffLine }),
    z.strictObject({ kind: z.literal('added'), new: DiffLine }),
    z.strictObject({ kind: z.literal('skipped'), count: z.int().min(1).describe('How many equal lines are left out here.') }),
  ])
  .meta({ id: 'DiffRow' });
export type DiffRow = z.infer<typeof DiffRow>;

/** Two texts side by side. */
export const SideBySideDiff = z
  .strictObject({ kind: z.literal('side_by_side'), rows: z.array(DiffRow), ...counts, ...exactness })
  .meta({ id: 'SideBySideDiff' });
export type SideBySideDiff = z.infer<typeof SideBySideDiff>;

/** One place at which two values of JSON differ. */
export const JsonChange = z
  .strictObject({
    kind: z.enum(['added', 'removed', 'changed', 'moved']),
    pointer: z.string().describe('JSON pointer (RFC 6901): into the old value for `removed`, into the new one for all others.'),
    from: z.string().optional().describe('Of `moved`: where it was in the old value.'),
    old: z.unknown().optional().describe('Of `removed` and `changed`.'),
    new: z.unknown().optional().describe('Of `added` and `changed`.'),
  })
  .meta({ id: 'JsonChange' });
export type JsonChange = z.infer<typeof JsonChange>;

/** Two values of JSON, field by field. The order of members means nothing. */
export const JsonDiff = z.strictObject({ kind: z.literal('json'), changes: z.array(JsonChange), ...exactness }).meta({ id: 'JsonDiff' });
export type JsonDiff = z.infer<typeof JsonDiff>;

const position = z.int().min(0).describe('Its place in its list, from 0.');

/** Two lists, item by item. */
export const ItemsDiff = z
  .strictObject({
    kind: z.literal('items'),
    key: z
      .array(z.string())
      .nullable()
      .describe('The members that tell items apart; null where they were paired by what they hold and where they stand.'),
    added: z.array(z.strictObject({ position, item: z.unknown() })),
    gone: z.array(z.strictObject({ position, item: z.unknown() })),
    changed: z.array(
      z.strictObject({
        old_position: position,
        new_position: position,
        old: z.unknown(),
        new: z.unknown(),
        fields: z.array(JsonChange).describe('What changed, by pointers into the item.'),
      }),
    ),
    moved: z
      .array(z.strictObject({ old_position: position, new_position: position }))
      .describe('The fewest items whose moving explains the new order.'),
    unchanged: z.int().min(0).describe('Items that are in both lists as they were, moved or not.'),
    ...exactness,
  })
  .meta({ id: 'ItemsDiff' });
export type ItemsDiff = z.infer<typeof ItemsDiff>;

/** A rectangle of pixels; the first pixel of a picture is 0, 0. */
export const PixelBox = z
  .strictObject({ x: z.int().min(0), y: z.int().min(0), width: z.int().min(1), height: z.int().min(1) })
  .meta({ id: 'PixelBox' });
export type PixelBox = z.infer<typeof PixelBox>;

const size = z.strictObject({ width: z.int().min(1), height: z.int().min(1) });

/** Two pictures, pixel by pixel. */
export const PictureDiff = z
  .strictObject({
    kind: z.literal('pictures'),
    old: size,
    new: size,
    compared: size.describe('The area that both have, from the top left corner; smaller than either where their sizes differ.'),
    same_size: z.boolean(),
    changed_pixels: z.int().min(0),
    compared_pixels: z.int().min(0).describe('Without those in ignored boxes.'),
    share: z.number().min(0).max(1).describe('Changed pixels of those that were compared; 0 where all were ignored.'),
    boxes: z.array(PixelBox).describe('Around what changed, largest first.'),
    boxes_left_out: z.int().min(0).describe('How many smaller boxes are not named.'),
    old_hash: z.string().describe('Perceptual hash, 16 hexadecimal digits.'),
    new_hash: z.string(),
    hash_distance: z.int().min(0).max(64).describe('In how many of 64 bits the hashes differ.'),
  })
  .meta({ id: 'PictureDiff' });
export type PictureDiff = z.infer<typeof PictureDiff>;

/** Any of them; `kind` says which. */
export const Difference = z
  .discriminatedUnion('kind', [TextDiff, UnifiedDiff, SideBySideDiff, JsonDiff, ItemsDiff, PictureDiff])
  .meta({ id: 'Difference' });
export type Difference = z.infer<typeof Difference>;
