// The data of workflows.
import { BOM, EXPORT_FORMATS } from '../../export-output.ts';
import { FIELDS } from '../../fields-option.ts';
import { LIST_PAGE } from '../../list-page.ts';
import type { GroupSpec } from '../../spec.ts';

const CHOICE = [
  { flags: '--run <id>', summary: 'what this run brought' },
  { flags: '--all', summary: 'all that was ever kept, not only what nothing newer replaced' },
  {
    flags: '-w, --where <condition>',
    summary:
      "a condition that must hold: 'price>10', 'title=Quoll', 'title!=Quoll', 'title~quo', 'note' (is there), '!note'; may be repeated",
    repeats: true,
  },
  { flags: '-q, --search <words>', summary: 'words that must all occur' },
] as const;
const WORKFLOW = ['<workflow>'] as const;

export const group: GroupSpec = {
  section: 'What was kept',
  commands: [
    {
      name: 'data',
      summary: 'the rows of workflows as tables',
      commands: [
        { name: 'list', summary: 'workflows that have rows', options: LIST_PAGE, load: () => import('./list.ts') },
        {
          name: 'show',
          summary: 'a page of the table',
          args: WORKFLOW,
          options: [
            ...CHOICE,
            { flags: '-s, --sort <column>', summary: 'sort by this column' },
            { flags: '--desc', summary: 'the largest first' },
            { flags: '--limit <count>', summary: 'how many rows at most', default: '20' },
            { flags: '--cursor <cursor>', summary: 'where the page before ended' },
          ],
          examples: [
            'weft data show prices',
            "weft data show prices -w 'price>10' -w 'title~lamp' --sort price --desc",
            'weft data show 3 --run 12 --json',
          ],
          load: () => import('./show.ts'),
        },
        {
          name: 'facets',
          summary: 'what each column holds',
          args: WORKFLOW,
          options: [...CHOICE, { flags: '--top <count>', summary: 'how many frequent values', default: '3' }],
          examples: ['weft data facets prices'],
          load: () => import('./facets.ts'),
        },
        { name: 'runs', summary: 'the runs whose rows are kept', args: WORKFLOW, options: LIST_PAGE, load: () => import('./runs.ts') },
        {
          name: 'diff',
          summary: 'what differs between the rows of two runs, the newest two unless said',
          args: ['<workflow>', '[from]', '[to]'],
          options: [{ flags: '--limit <count>', summary: 'how many changes at most', default: '50' }],
          examples: ['weft data diff prices', 'weft data diff prices 12 15 --limit 500'],
          load: () => import('./diff.ts'),
        },
        {
          name: 'export',
          summary: 'write all rows of one moment',
          args: WORKFLOW,
          options: [
            {
              flags: '-f, --format <format>',
              summary: 'how to write them; as the ending of --output says, else csv',
              choices: EXPORT_FORMATS,
            },
            { flags: '-o, --output <file>', summary: 'write to a file instead' },
            ...CHOICE,
            FIELDS,
            BOM,
            {
              flags: '--formulas',
              summary: 'leave cells of CSV that begin like a formula as they are; for programs, not for spreadsheets',
            },
          ],
          examples: ['weft data export prices -f xlsx -o prices.xlsx', "weft data export prices -w 'price<5' | head"],
          load: () => import('./export.ts'),
        },
        {
          name: 'delete',
          summary: 'delete rows, from every view and from search',
          args: WORKFLOW,
          options: [
            ...CHOICE,
            { flags: '--key <key>', summary: 'the row of this key, or at this position where rows have none' },
            { flags: '--everything', summary: 'all rows of all runs' },
            { flags: '--dry-run', summary: 'only say how many' },
          ],
          examples: ["weft data delete prices -w 'title~test' --dry-run", 'weft data delete prices --run 12'],
          load: () => import('./delete.ts'),
        },
      ],
    },
  ],
};
