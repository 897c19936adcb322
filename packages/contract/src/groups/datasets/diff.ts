// What differs between the records that two runs brought into a dataset.
import { z } from 'zod';
import { DiffPart } from '../../diff.ts';
import { DataDiff } from '../data/data.ts';

const { changes, ...counts } = DataDiff.shape;

/** One record that differs, with the words of its text that do. */
const DatasetChange = changes.element
  .extend({
    text: z
      .strictObject({
        parts: z.array(DiffPart).describe('The text as pieces; long stretches that are the same are cut to their ends.'),
        added: z.int().min(0).describe('How many words are new.'),
        removed: z.int().min(0).describe('How many words are gone.'),
      })
      .optional()
      .describe('Of a page that changed and whose Markdown or text was kept: the difference of that by words. `fields` leaves it out.'),
  })
  .meta({ id: 'DatasetChange' });
export type DatasetChange = z.infer<typeof DatasetChange>;

/** What differs between two runs. Pages are compared by what was kept of what they say, never by how they were fetched. */
export const DatasetDiff = z
  .strictObject({
    ...counts,
    unread: z.int().min(0).describe('Records of the older run whose pages the newer one could not read; they count as nothing else.'),
    changes: z.array(DatasetChange).describe('In the order of the newer run, then what is gone; `limit` of them from `offset` on.'),
  })
  .meta({ id: 'DatasetDiff' });
export type DatasetDiff = z.infer<typeof DatasetDiff>;
