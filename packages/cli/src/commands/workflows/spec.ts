// Workflows: steps that are kept and run.
import { RECORDING_FORMATS } from '../../import-formats.ts';
import { LIST_PAGE } from '../../list-page.ts';
import { ROW_FORMATS } from '../../rows-process.ts';
import type { GroupSpec } from '../../spec.ts';

const REF = '<workflow>';

export const group: GroupSpec = {
  section: 'Pages and sites',
  commands: [
    {
      name: 'run',
      summary: 'run a workflow, once or for each row of a table',
      args: [REF],
      options: [
        { flags: '-i, --input <name=value>', summary: 'one of its inputs; repeatable', repeats: true },
        { flags: '--follow', summary: 'say each step as it goes' },
        { flags: '--wait', summary: 'until it is settled, as without --detach' },
        { flags: '--detach', summary: 'start it and return; it goes on in the agent' },
        { flags: '--timeout <seconds>', summary: 'how long to wait; no end unless said' },
        { flags: '--each <file>', summary: 'one run for each row of a CSV or JSON file, all of them awaited' },
        { flags: '--headed', summary: 'in a browser with a window, where this machine has a screen' },
        { flags: '--until <step>', summary: 'only up to this step, without keeping rows' },
        { flags: '-o, --output <file>', summary: 'write all of its rows there; - is standard output' },
        {
          flags: '-f, --format <format>',
          summary: 'how to write them; as the ending of --output says, else JSON lines',
          choices: ROW_FORMATS,
        },
      ],
      examples: ['weft run shelf -i q=tea', 'weft run shelf -i q=tea -o shelf.csv', 'weft run shelf --each words.csv'],
      load: () => import('./run.ts'),
      commands: [
        {
          name: 'answer',
          summary: 'tell a run that waits for a person what it waits for',
          args: ['<id>', '[text]'],
          examples: ['weft run answer 12 482913'],
          load: () => import('./answer.ts'),
        },
        {
          name: 'attach',
          summary: 'a page on which you act in the browser of a run that waits: a captcha, a login',
          args: ['<id>'],
          load: () => import('./attach.ts'),
        },
        { name: 'cancel', summary: 'end a run; what it kept stays', args: ['<id>'], load: () => import('./cancel.ts') },
      ],
    },
    {
      name: 'workflow',
      summary: 'steps that are kept to be run again',
      commands: [
        {
          name: 'list',
          summary: 'workflows, newest first',
          options: [{ flags: '--search <words>', summary: 'only those whose name holds this' }, ...LIST_PAGE],
          load: () => import('./list.ts'),
        },
        {
          name: 'show',
          summary: 'one workflow and its steps',
          args: [REF],
          options: [{ flags: '--revision <number>', summary: 'as it was then' }],
          load: () => import('./show.ts'),
        },
        {
          name: 'create',
          summary: 'keep the workflow in a JSON file',
          args: ['<file>'],
          examples: ['weft workflow create shelf.json', 'weft workflow create -'],
          load: () => import('./create.ts'),
        },
        {
          name: 'edit',
          summary: 'change a workflow to what a JSON file says, or whom it acts as',
          args: [REF, '[file]'],
          options: [{ flags: '--persona <persona>', summary: 'it acts as this persona from now on; none for nobody' }],
          examples: ['weft workflow edit shelf shelf.json', 'weft workflow edit shelf --persona 1'],
          load: () => import('./edit.ts'),
        },
        { name: 'delete', summary: 'delete a workflow; its rows stay as a dataset', args: [REF], load: () => import('./delete.ts') },
        {
          name: 'copy',
          summary: 'make another workflow of one',
          args: [REF, '[name]'],
          load: () => import('./copy.ts'),
        },
        {
          name: 'revisions',
          summary: 'what a workflow was, change by change',
          args: [REF],
          options: [{ flags: '--compare <numbers>', summary: 'what differs between two, such as 1,3' }, ...LIST_PAGE],
          load: () => import('./revisions.ts'),
        },
        {
          name: 'guards',
          summary: 'what good runs saw at its steps, which later runs are held against',
          args: [REF],
          options: [{ flags: '--forget', summary: 'accept how the pages are now: learn anew' }, ...LIST_PAGE],
          load: () => import('./guards.ts'),
        },
        {
          name: 'repairs',
          summary: 'steps that no longer found their element, and how they would find it now',
          args: [REF],
          options: [
            { flags: '--accept <step>', summary: 'make it part of the workflow, as its next revision' },
            { flags: '--dismiss <step>', summary: 'leave the step as it is' },
            ...LIST_PAGE,
          ],
          examples: ['weft workflow repairs shelf', 'weft workflow repairs shelf --accept s4'],
          load: () => import('./repairs.ts'),
        },
        { name: 'restore', summary: 'make an earlier revision the newest', args: [REF, '<revision>'], load: () => import('./restore.ts') },
        {
          name: 'export',
          summary: 'write a workflow as JSON that create takes, or as a recording of the DevTools Recorder',
          args: [REF],
          options: [
            { flags: '--format <format>', summary: 'what to write: json unless said', choices: ['json', 'devtools'] },
            { flags: '-o, --output <file>', summary: 'write to a file instead' },
          ],
          examples: ['weft workflow export shelf --format devtools -o shelf.json'],
          load: () => import('./export.ts'),
        },
        {
          name: 'import',
          summary: 'keep a workflow that was exported, or a recording of a browser: DevTools Recorder or HTTP archive',
          args: ['<file>'],
          options: [
            { flags: '--format <format>', summary: 'what the file holds; found out unless said', choices: ['json', ...RECORDING_FORMATS] },
            { flags: '--name <name>', summary: 'what to call it' },
            { flags: '--show', summary: 'only say what it would be' },
          ],
          examples: ['weft workflow import login.json', 'weft workflow import shop.har --name shop'],
          load: () => import('./import.ts'),
        },
      ],
    },
  ],
};
