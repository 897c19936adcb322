// Monitors: pages that are looked at again and again.
import { LIST_PAGE, pageOptions } from '../../list-page.ts';
import { MONITOR_FORMATS } from '../../import-formats.ts';
import type { ChangeKind, Check, DiffForm, DiffRender, SnapshotPartName } from '@weft/contract';
import { namesOf } from '../../names.ts';
import type { CommandSpec, GroupSpec } from '../../spec.ts';
import type { OptionSpec } from '../../words.ts';
import { SETTINGS } from './settings.ts';
import { ALERTS, TARGET } from './target.ts';

const REF = '<monitor>';

const KINDS = namesOf<ChangeKind>({
  changed: true,
  appeared: true,
  gone: true,
  availability: true,
  price: true,
  selector_drift: true,
  page_changed: true,
  blocked: true,
  error: true,
  recovered: true,
});

const VERDICTS = namesOf<Check['verdict']>({ first: true, unchanged: true, changed: true, pending: true, trouble: true });
const PARTS = namesOf<SnapshotPartName>({ values: true, body: true, picture: true });
const FORMS = namesOf<DiffForm>({ word: true, line: true, unified: true, side_by_side: true, json: true, items: true, picture: true });
const RENDERS = namesOf<DiffRender>({ text: true, markdown: true, html: true, png: true });

const NAME: OptionSpec = { flags: '--name <name>', summary: 'what to call it; host and path unless said' };
const TAGS: OptionSpec = { flags: '--tag <tag>', summary: 'a tag, whose settings it shares; repeatable', repeats: true };
const PERSONA: OptionSpec = { flags: '--persona <persona>', summary: 'look as this persona, with its session' };
const UNSET: OptionSpec = {
  flags: '--unset <member>',
  summary: 'forget a setting, such as schedule, filter or channels; repeatable',
  repeats: true,
};
const TIMEOUT: OptionSpec = { flags: '--timeout <seconds>', summary: 'how long to wait; 120 unless said' };

const OWN_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'add',
    summary: 'watch a page, and print what it says now; its text where no option says what of it',
    args: ['<url>'],
    options: [
      ...TARGET,
      NAME,
      TAGS,
      PERSONA,
      ...SETTINGS,
      { flags: '--wait', summary: 'until its first check is done, as without --detach' },
      { flags: '--detach', summary: 'return at once' },
      TIMEOUT,
    ],
    examples: [
      'weft monitor add https://shop.example/kettle --price --stock --every 15m',
      "weft monitor add https://shop.example/kettle --css '.price' --price --below 20",
      'weft monitor add https://status.example/ --ignore "/updated .*/i" --tag ops',
    ],
    load: () => import('./add.ts'),
  },
  {
    name: 'list',
    summary: 'monitors, newest first',
    options: [
      { flags: '--search <words>', summary: 'only those whose name or address holds this' },
      { flags: '--tag <tag>', summary: 'only those with this tag' },
      { flags: '--trouble', summary: 'only those that could not be looked at' },
      ...LIST_PAGE,
    ],
    load: () => import('./list.ts'),
  },
  { name: 'show', summary: 'one monitor: how it stands, its values and selectors', args: [REF], load: () => import('./show.ts') },
  {
    name: 'check',
    summary: 'check a monitor, or all, now; says what changed',
    args: ['<monitor|all>'],
    options: [
      { flags: '-v, --verbose', summary: 'gate by gate, and why each value is told or not' },
      { flags: '--exit-code', summary: 'exit with 10 where a change is told' },
      TIMEOUT,
    ],
    load: () => import('./check.ts'),
  },
  {
    name: 'changes',
    summary: 'what was told, newest first; of all monitors unless one is named',
    args: ['[monitor]'],
    options: [
      { flags: '--since <when>', summary: 'from then on: 7d, 12h, 2026-01-31, or an instant' },
      { flags: '--kind <kind>', summary: 'only this kind', choices: KINDS },
      { flags: '--tag <tag>', summary: 'only of monitors with this tag' },
      ...pageOptions(50),
      { flags: '-f, --format <format>', summary: 'a table unless said', choices: ['json', 'csv'] },
    ],
    load: () => import('./changes.ts'),
  },
  {
    name: 'history',
    summary: 'its checks that are kept, newest first; or how a value went, oldest first',
    args: [REF],
    options: [
      { flags: '--value <name>', summary: 'what this value was, and since when' },
      { flags: '--verdict <verdict>', summary: 'only checks that came to this', choices: VERDICTS },
      { flags: '--since <when>', summary: 'from then on: 7d, 12h, 2026-01-31, or an instant' },
      ...pageOptions(20),
    ],
    examples: ['weft monitor history 3 --verdict changed', 'weft monitor history kettle --value price --since 30d'],
    load: () => import('./history.ts'),
  },
  {
    name: 'diff',
    summary: 'how what was seen last differs from what was seen before, or what a change changed',
    args: ['[monitor]'],
    options: [
      { flags: '--change <number>', summary: 'what this change changed, in place of a monitor' },
      { flags: '--from <snapshot>', summary: 'the older one; the one before --to unless said' },
      { flags: '--to <snapshot>', summary: 'the newer one; the newest unless said' },
      { flags: '--value <name>', summary: 'of this value; of the page unless said' },
      { flags: '--part <part>', summary: 'body: the source as it came; values unless said', choices: ['values', 'body'] },
      { flags: '--as <form>', summary: 'how it is compared', choices: FORMS },
      { flags: '--render <format>', summary: 'how it is written; text unless said', choices: RENDERS },
      { flags: '-o, --output <file>', summary: 'write to a file instead' },
    ],
    examples: [
      'weft monitor diff 3 --value text --as unified',
      'weft monitor diff --change 12',
      'weft monitor diff 3 --as picture --render png -o changed.png',
    ],
    load: () => import('./diff.ts'),
  },
  {
    name: 'snapshots',
    summary: 'what checks saw that was new, newest first; of one its values, or a part of it',
    args: [REF, '[snapshot]'],
    options: [
      { flags: '--part <part>', summary: 'this part of the snapshot, as it came; body unless said', choices: PARTS },
      { flags: '-o, --output <file>', summary: 'write the part to a file' },
      ...pageOptions(50),
    ],
    examples: ['weft monitor snapshots kettle', 'weft monitor snapshots kettle 7 --part picture -o kettle.png'],
    load: () => import('./snapshots.ts'),
  },
  { name: 'pause', summary: 'stop checking by itself', args: [REF], load: () => import('./pause.ts') },
  { name: 'resume', summary: 'go on checking by itself', args: [REF], load: () => import('./resume.ts') },
  {
    name: 'edit',
    summary: 'change what the options say, and nothing else',
    args: [REF],
    options: [{ flags: '--url <address>', summary: 'another page' }, NAME, TAGS, PERSONA, ...SETTINGS, UNSET],
    examples: ['weft monitor edit 3 --every 5m', 'weft monitor edit kettle --unset schedule'],
    load: () => import('./edit.ts'),
  },
  { name: 'remove', summary: 'stop watching; its values stay as a dataset', args: [REF], load: () => import('./remove.ts') },
  {
    name: 'import',
    summary:
      'watch what another program watches: changedetection.io, urlwatch, webchanges, Distill, OPML, a list of addresses, or an export',
    args: ['<file>'],
    options: [
      { flags: '--format <format>', summary: 'what the file is; found out unless said', choices: MONITOR_FORMATS },
      { flags: '--dry-run', summary: 'only say what would be made, and what is left out' },
    ],
    examples: [
      'weft monitor import changedetection-backup.zip --dry-run',
      'weft monitor import urls.yaml',
      'weft monitor import addresses.txt',
    ],
    load: () => import('./import.ts'),
  },
  {
    name: 'export',
    summary: 'all monitors, tags, automations and channels (without their secrets) as one document, which import takes',
    options: [
      { flags: '--format <format>', summary: 'yaml unless said', choices: ['yaml', 'json'] },
      { flags: '-o, --output <file>', summary: 'write to a file instead' },
    ],
    examples: ['weft monitor export -o monitors.yaml'],
    load: () => import('./export.ts'),
  },
  {
    name: 'capacity',
    summary: 'how much this machine can look after',
    options: [{ flags: '--every <time>', summary: 'what one more would make of it that is checked so often' }],
    load: () => import('./capacity.ts'),
  },
];

const ONE_SELECTOR = [REF, '[selector]'];

const SELECTOR_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'list',
    summary: 'the selectors of a monitor, with their extractors',
    args: [REF],
    options: LIST_PAGE,
    load: () => import('./selector/list.ts'),
  },
  {
    name: 'add',
    summary: 'look at another place of the page as well',
    args: [REF],
    options: [...TARGET, { flags: '--name <name>', summary: 'what to call it; the selector unless said' }],
    examples: ["weft monitor selector add 3 --css '.stock' --stock"],
    load: () => import('./selector/add.ts'),
  },
  {
    name: 'test',
    summary: 'what it finds on the page now',
    args: ONE_SELECTOR,
    options: [{ flags: '--screenshot', summary: 'look in a browser and keep a picture that shows where the matches are' }],
    load: () => import('./selector/test.ts'),
  },
  {
    name: 'baseline',
    summary: 'hold later checks against the page of now',
    args: ONE_SELECTOR,
    load: () => import('./selector/baseline.ts'),
  },
  {
    name: 'clear',
    summary: 'forget the baseline; the next check records one',
    args: ONE_SELECTOR,
    load: () => import('./selector/clear.ts'),
  },
  { name: 'accept', summary: 'take a proposed repair over', args: ONE_SELECTOR, load: () => import('./selector/accept.ts') },
  { name: 'dismiss', summary: 'refuse a proposed repair for good', args: ONE_SELECTOR, load: () => import('./selector/dismiss.ts') },
  { name: 'remove', summary: 'do not look for it any more', args: [REF, '<selector>'], load: () => import('./selector/remove.ts') },
];

const EXTRACTOR_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'add',
    summary: 'read a price, number, date, ... of what a selector finds',
    args: ['<selector>', '<type>'],
    options: [
      { flags: '--name <name>', summary: 'what to call its value; its type unless said' },
      { flags: '--attribute <name>', summary: 'attribute: which' },
      { flags: '--pattern <pattern>', summary: 'regex: what to find, RE2; /pattern/i for flags' },
      { flags: '--path <path>', summary: 'json: a JSONPath' },
      ...ALERTS,
    ],
    examples: ['weft monitor extractor add 4 price --percent 5', 'weft monitor extractor add 4 attribute --attribute href'],
    load: () => import('./extractor/add.ts'),
  },
  {
    name: 'test',
    summary: 'what it reads on the page now; nothing is kept',
    args: ['<extractor>'],
    load: () => import('./extractor/test.ts'),
  },
  { name: 'remove', summary: 'do not read it any more', args: ['<extractor>'], load: () => import('./extractor/remove.ts') },
];

const TAG_COMMANDS: readonly CommandSpec[] = [
  { name: 'list', summary: 'tags that have settings', options: LIST_PAGE, load: () => import('./tag/list.ts') },
  {
    name: 'set',
    summary: 'settings for all monitors with a tag; their own are stronger',
    args: ['<tag>'],
    options: [...SETTINGS, UNSET],
    examples: ['weft monitor tag set shops --every 2h --channel 1'],
    load: () => import('./tag/set.ts'),
  },
  {
    name: 'remove',
    summary: 'forget the settings of a tag; monitors keep its name',
    args: ['<tag>'],
    load: () => import('./tag/remove.ts'),
  },
];

export const group: GroupSpec = {
  section: 'Pages and sites',
  commands: [
    {
      name: 'monitor',
      summary: 'watch pages, and tell what changed',
      commands: [
        ...OWN_COMMANDS,
        { name: 'selector', summary: 'where on its page a monitor looks', commands: SELECTOR_COMMANDS },
        { name: 'extractor', summary: 'what is made of what a selector finds', commands: EXTRACTOR_COMMANDS },
        { name: 'tag', summary: 'settings that monitors share', commands: TAG_COMMANDS },
      ],
    },
  ],
};
