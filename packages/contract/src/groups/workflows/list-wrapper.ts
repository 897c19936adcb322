// What was learnt of a list on one page, so that the same list is found on other pages of its template.
import { z } from 'zod';

const words = (max: number) => z.array(z.string().max(500)).max(max);

/** A field of the rows that a wrapper reads. */
export const WrapperField = z
  .strictObject({
    name: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be an identifier: a small letter, then up to 63 of a-z, 0-9 and _'),
    type: z.enum(['price', 'date', 'rating', 'count', 'url', 'image', 'boolean', 'text']),
    many: z.boolean().describe('True where a row holds several values of it.'),
    path: z.string().max(2000).describe('Where in an item it stands: tags and classes.'),
    label: z.string().max(500).optional().describe('Constant text before the value.'),
    filled: z.number().min(0).max(1).describe('Share of the items that had it.'),
    failed: z.number().min(0).max(1).describe('Share of the values that were not of the type.'),
  })
  .meta({ id: 'ListWrapperField' });

/** Two or three ways to the items of a list, and the template that they agree with. Made by Weft, not written by hand. */
export const ListWrapper = z
  .strictObject({
    version: z.literal(1),
    selectors: z
      .array(z.strictObject({ kind: z.enum(['class', 'landmark', 'structure']), css: z.string().min(1).max(4000) }))
      .max(3)
      .describe('CSS of the first element of each item, the most exact first.'),
    template: z
      .strictObject({ tag: z.string().max(100), classes: words(50), paths: words(200), tags: words(200), chars: z.number().min(0) })
      .describe('What the items have in common.'),
    run: words(50).describe('Tags and classes that belong to an item behind its first element.'),
    lines: z.boolean().describe('True where items go on in bare text behind their element.'),
    fields: z.array(WrapperField).max(60),
  })
  .meta({ id: 'ListWrapper' });
export type ListWrapper = z.infer<typeof ListWrapper>;
