// Datasets.
import { BOM, EXPORT_FORMATS } from '../../export-output.ts';
import { FIELDS } from '../../fields-option.ts';
import { LIST_PAGE } from '../../list-page.ts';
import type { GroupSpec } from '../../spec.ts';

export const group: GroupSpec = {
  section: 'What was kept',
  commands: [
    {
      name: 'dataset',
      summary: 'the rows and pages of all runs',
      commands: [
        { name: 'list', summary: 'all datasets', options: LIST_PAGE, load: () => import('./list.ts') },
        {
          name: 'show',
          summary: 'one dataset and the fields of its records, or one record whole',
          args: ['<id>', '[record]'],
          examples: ['weft dataset show 1', 'weft dataset show 1 --json', 'weft dataset show 1 42'],
          load: () => import('./show.ts'),
        },
        {
          name: 'diff',
          summary: 'what differs between the records of two runs: new, changed, gone, equal',
          args: ['<id>'],
          options: [
            { flags: '--from <run>', summary: 'the older run; the one before --to unless said' },
            { flags: '--to <run>', summary: 'the newer run; the newest unless said' },
            { flags: '--limit <count>', summary: 'how many changes at most; 0 for the counts alone', default: '50' },
            { flags: '--exit-code', summary: 'exit 10 where anything differs' },
          ],
          examples: ['weft dataset diff 1', 'weft dataset diff 1 --from 12 --to 15 --json'],
          load: () => import('./diff.ts'),
        },
        { name: 'rename', summary: 'give a dataset another name', args: ['<id>', '<name>'], load: () => import('./rename.ts') },
        { name: 'delete', summary: 'delete a dataset with all of its records', args: ['<id>'], load: () => import('./delete.ts') },
        {
          name: 'search',
          summary: 'find records by words, "phrases" and beginnings*; OR between two, NOT before one',
          args: ['<words...>'],
          options: [
            { flags: '--dataset <id>', summary: 'only in this one' },
            { flags: '--site <host>', summary: 'only pages of this host, and of hosts below it' },
            { flags: '--since <when>', summary: 'only what was kept since: an age such as 7d, or a time' },
            { flags: '--until <when>', summary: 'only what was kept before: an age such as 7d, or a time' },
            { flags: '--limit <count>', summary: 'how many at most', default: '10' },
          ],
          examples: [
            'weft dataset search return policy',
            `weft dataset search '"return policy"' --dataset 1`,
            "weft dataset search 'refund* OR exchange NOT gift' --site shop.example --since 30d",
            "weft dataset search 'refund*' --limit 50 --json",
          ],
          load: () => import('./search.ts'),
        },
        {
          name: 'export',
          summary: 'write all records of one moment',
          args: ['<id>'],
          options: [
            {
              flags: '-f, --format <format>',
              summary: 'how to write them; as the ending of --output says, else json',
              choices: EXPORT_FORMATS,
            },
            { flags: '-o, --output <file>', summary: 'write to a file instead; - is standard output' },
            { flags: '--all', summary: 'all that was ever kept, not only what nothing newer replaced' },
            { flags: '--run <id>', summary: 'what this run brought' },
            FIELDS,
            { flags: '--items', summary: 'a row for each item of the best list of each page, of pages that were kept with -f records' },
            BOM,
            {
              flags: '--formulas',
              summary: 'leave cells of CSV that begin like a formula as they are; for programs, not for spreadsheets',
            },
          ],
          examples: [
            'weft dataset export 1 -f xlsx -o rows.xlsx',
            'weft dataset export 1 -f csv | head',
            'weft dataset export 1 --items --fields title,price,page_url -f csv',
            'weft dataset export 1 -f jsonl --run 12 > run.jsonl',
          ],
          load: () => import('./export.ts'),
        },
      ],
    },
  ],
};
