// The command tree as data: what `--help`, `--describe`, completion and the parser all read. Implementations load when they are called.
import type { FileFormat, LaneChoice, PageFormat, SitemapUse } from '@weft/contract';
import type { CommandContext } from './context.ts';
import { namesOf } from './names.ts';

export interface OptionSpec {
  /** As commander writes it: `-o, --output <file>`. */
  readonly flags: string;
  readonly summary: string;
  readonly choices?: readonly string[];
  readonly default?: string;
  /** May be given several times; the values reach the command as lines. */
  readonly repeats?: true;
}

/** An implementation: resolves with an exit code, or nothing for 0. */
export type CommandRun = (
  context: CommandContext,
  args: readonly string[],
  options: Readonly<Record<string, string | boolean | undefined>>,
) => Promise<number | void>;

export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  /** As commander writes them: `<url>`, `[file]`. */
  readonly args?: readonly string[];
  readonly options?: readonly OptionSpec[];
  /** Whole command lines, for its help. */
  readonly examples?: readonly string[];
  readonly commands?: readonly CommandSpec[];
  readonly load?: () => Promise<{ readonly run: CommandRun }>;
}

const EXPORT_FORMATS = namesOf<FileFormat>({ json: true, csv: true, jsonl: true, xlsx: true, markdown: true, html: true, parquet: true });
const FORMATS = namesOf<PageFormat | 'json'>({
  markdown: true,
  html: true,
  raw_html: true,
  text: true,
  links: true,
  images: true,
  metadata: true,
  structured: true,
  records: true,
  product: true,
  forms: true,
  json: true,
});
const LANES = namesOf<LaneChoice>({ auto: true, http: true, browser: true });
const SITEMAP_USES = namesOf<SitemapUse>({ include: true, skip: true, only: true });

const HIDDEN: OptionSpec = { flags: '--hidden', summary: 'also what the page hides: closed details, folded panels, dialogs' };

/** The options of a crawl (D27). */
const CRAWL: readonly OptionSpec[] = [
  { flags: '--limit <pages>', summary: 'how many pages at most; 10000 unless said' },
  { flags: '--max-depth <links>', summary: 'links away from the start, 10 unless said; turning pages of a list uses none' },
  { flags: '--include <pattern>', summary: 'only paths like this: a glob, or regex: and an expression; repeatable', repeats: true },
  { flags: '--exclude <pattern>', summary: 'no paths like this; repeatable', repeats: true },
  { flags: '--sitemap <use>', summary: 'sitemaps beside links, not at all, or alone', choices: SITEMAP_USES },
  { flags: '--subdomains', summary: 'also other hosts of the same domain' },
  { flags: '--external', summary: 'also other sites' },
  { flags: '--entire-domain', summary: 'also addresses outside the folder of the start, which for /wiki/Main_Page is /wiki/' },
  { flags: '--ignore-query', summary: 'addresses that differ in their query alone are one' },
  { flags: '--follow-actions', summary: 'also links that sign out, delete, vote or change anything else' },
  { flags: '--obey-nofollow', summary: 'leave out what pages link to as nofollow alone' },
  { flags: '--delay <ms>', summary: 'least time between two requests to a host' },
  { flags: '--concurrency <requests>', summary: 'requests in flight; 2 to one host unless said' },
  { flags: '-f, --formats <list>', summary: 'what to keep of a page, comma-separated; - for nothing but its address' },
  { flags: '--full-page', summary: 'the whole page, not only its main content' },
  HIDDEN,
  {
    flags: '--page-max-age <seconds>',
    summary: 'take pages that saved crawls, or crawls with this option, fetched so recently; 0 asks for each again',
  },
  { flags: '--lane <lane>', summary: 'how to fetch', choices: LANES },
  { flags: '--ignore-robots', summary: 'fetch what robots.txt forbids; only for a site that is yours' },
];
const FOLLOW: readonly OptionSpec[] = [
  { flags: '--wait', summary: 'until it is settled, as without --detach' },
  { flags: '--detach', summary: 'start it and return; it goes on in the agent' },
  { flags: '--timeout <seconds>', summary: 'how long to wait; no end unless said' },
  { flags: '-o, --output <file>', summary: 'write its pages there, one JSON line each' },
];

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'scrape',
    summary: 'read one page and print it',
    args: ['<url>'],
    options: [
      { flags: '-f, --format <format>', summary: 'what to print', choices: FORMATS, default: 'markdown' },
      { flags: '-o, --output <file>', summary: 'write to a file instead' },
      { flags: '--only-main', summary: 'only the main content, as without this option' },
      { flags: '--full-page', summary: 'the whole page, not only its main content' },
      HIDDEN,
      { flags: '--tokens-max <count>', summary: 'cut Markdown after so many tokens, between blocks' },
      { flags: '--chunks <tokens>', summary: 'Markdown in pieces of at most so many tokens, one JSON line each' },
      { flags: '--lane <lane>', summary: 'how to fetch', choices: LANES, default: 'auto' },
      { flags: '--wait-for <selector>', summary: 'in a browser, until this is on the page' },
      { flags: '--screenshot <file>', summary: 'write a picture of the whole page' },
      { flags: '--pdf <file>', summary: 'write the page as a PDF' },
      { flags: '--timeout <seconds>', summary: 'how long to wait', default: '120' },
    ],
    load: () => import('./commands/scrape.ts'),
  },
  {
    name: 'extract',
    summary: 'read parts of one page and print them',
    args: ['<url>'],
    options: [
      { flags: '--css <selector>', summary: 'what a CSS selector points at' },
      { flags: '--xpath <expression>', summary: 'what an XPath expression points at' },
      { flags: '--jsonpath <path>', summary: 'values from the JSON that the page is or holds' },
      { flags: '--regex <pattern>', summary: 'what an RE2 pattern finds in the text; /pattern/i for flags' },
      { flags: '--text <words>', summary: 'elements that say these words' },
      { flags: '--role <role>', summary: 'elements of an ARIA role' },
      { flags: '--label <words>', summary: 'the value or control that is labelled so' },
      { flags: '--list', summary: 'the best list, one JSON line a record' },
      { flags: '--product', summary: 'the product, as JSON' },
      { flags: '--forms', summary: 'the forms, as JSON' },
      HIDDEN,
      { flags: '--lane <lane>', summary: 'how to fetch', choices: LANES, default: 'auto' },
    ],
    load: () => import('./commands/extract.ts'),
  },
  {
    name: 'map',
    summary: 'list the addresses of a site',
    args: ['<url>'],
    options: [
      { flags: '--search <words>', summary: 'rank by these words' },
      { flags: '--limit <count>', summary: 'how many at most', default: '500' },
      {
        flags: '--sitemap <use>',
        summary: 'sitemaps beside links, not at all, or alone',
        choices: SITEMAP_USES,
        default: 'include',
      },
      { flags: '--subdomains', summary: 'also other hosts of the same domain' },
      { flags: '--ignore-robots', summary: 'also ask for what robots.txt forbids' },
    ],
    load: () => import('./commands/map.ts'),
  },
  {
    name: 'crawl',
    summary: 'read a site, page by page',
    args: ['<url>', '[addresses...]'],
    options: [...CRAWL, ...FOLLOW, { flags: '--explain', summary: 'only say which rule decides about each of the addresses' }],
    load: () => import('./commands/crawl.ts'),
    commands: [
      { name: 'list', summary: 'crawls, newest first', load: () => import('./commands/crawl-list.ts') },
      {
        name: 'show',
        summary: 'one crawl: its numbers, and why pages are not there',
        args: ['<id>'],
        options: [
          { flags: '--follow', summary: 'until it is settled' },
          { flags: '--ledger', summary: 'every address with its outcome, one JSON line each' },
          { flags: '-o, --output <file>', summary: 'write its pages there, one JSON line each' },
        ],
        load: () => import('./commands/crawl-show.ts'),
      },
      { name: 'cancel', summary: 'end a crawl; what it kept stays', args: ['<id>'], load: () => import('./commands/crawl-cancel.ts') },
      {
        name: 'save',
        summary: 'save a crawl to run it again',
        args: ['<url>'],
        options: [
          ...CRAWL,
          { flags: '--slug <slug>', summary: 'what to call it on the command line' },
          { flags: '--name <name>', summary: 'what to call it elsewhere' },
        ],
        load: () => import('./commands/crawl-save.ts'),
      },
      {
        name: 'run',
        summary: 'run a saved crawl',
        args: ['<ref>'],
        options: [...FOLLOW, { flags: '--max-age <seconds>', summary: 'take an earlier run that is so recent instead' }],
        load: () => import('./commands/crawl-run.ts'),
      },
      { name: 'saved', summary: 'saved crawls, newest first', load: () => import('./commands/crawl-saved.ts') },
      {
        name: 'forget',
        summary: 'delete a saved crawl; its runs and its dataset stay',
        args: ['<ref>'],
        load: () => import('./commands/crawl-forget.ts'),
      },
    ],
  },
  {
    name: 'parse',
    summary: 'every view of a saved page, without a network',
    args: ['[file]'],
    options: [
      { flags: '--url <url>', summary: 'where the page was found' },
      { flags: '--want <views>', summary: 'comma-separated: text, markdown, metadata, records, product, paging, forms, links, left_out' },
      HIDDEN,
      {
        flags: '--batch',
        summary: 'read NDJSON jobs {"path","url","encoding"?,"want","include_hidden"?} and write one result a line, in order',
      },
    ],
    load: () => import('./commands/parse.ts'),
  },
  {
    name: 'robots',
    summary: 'decide by robots rules, without a network',
    options: [{ flags: '--batch', summary: 'read NDJSON jobs {"robots","agent","url"} and write {"allowed","rule","line"}, in order' }],
    load: () => import('./commands/robots.ts'),
  },
  { name: 'status', summary: 'the agent at one glance', load: () => import('./commands/status.ts') },
  { name: 'serve', summary: 'run the agent in the foreground', load: () => import('./commands/serve.ts') },
  {
    name: 'daemon',
    summary: 'run the agent in the background',
    commands: [
      { name: 'start', summary: 'start it', load: () => import('./commands/daemon-start.ts') },
      { name: 'stop', summary: 'stop it', load: () => import('./commands/daemon-stop.ts') },
      { name: 'restart', summary: 'stop and start it', load: () => import('./commands/daemon-restart.ts') },
      {
        name: 'install',
        summary: 'start it with your session',
        options: [{ flags: '--print', summary: 'only print the file that would be written' }],
        load: () => import('./commands/daemon-install.ts'),
      },
      { name: 'uninstall', summary: 'undo install', load: () => import('./commands/daemon-uninstall.ts') },
    ],
  },
  {
    name: 'doctor',
    summary: 'check everything that the agent needs',
    options: [{ flags: '--verify', summary: 'read all files, and name those whose bytes the disk has lost' }],
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'logs',
    summary: "the agent's log",
    options: [
      { flags: '-f, --follow', summary: 'go on as it grows' },
      { flags: '-n, --lines <count>', summary: 'how many lines of its end', default: '50' },
      { flags: '--level <level>', summary: 'only this level and worse', choices: ['info', 'warn', 'error'], default: 'info' },
    ],
    load: () => import('./commands/logs.ts'),
  },
  { name: 'config', summary: 'every setting and where it comes from', load: () => import('./commands/config.ts') },
  { name: 'paths', summary: 'where everything is kept', load: () => import('./commands/paths.ts') },
  {
    name: 'key',
    summary: 'restricted keys',
    commands: [
      { name: 'list', summary: 'all keys', load: () => import('./commands/key-list.ts') },
      {
        name: 'create',
        summary: 'mint a key; its token is shown once',
        args: ['<name>'],
        options: [{ flags: '--scopes <list>', summary: 'comma-separated: read, run, admin', default: 'read' }],
        load: () => import('./commands/key-create.ts'),
      },
      { name: 'get', summary: 'one key', args: ['<id>'], load: () => import('./commands/key-get.ts') },
      {
        name: 'delete',
        summary: 'delete a key and end what it holds open',
        args: ['<id>'],
        load: () => import('./commands/key-delete.ts'),
      },
    ],
  },
  {
    name: 'dataset',
    summary: 'the rows and pages of all runs',
    commands: [
      { name: 'list', summary: 'all datasets', load: () => import('./commands/dataset-list.ts') },
      {
        name: 'show',
        summary: 'one dataset and the fields of its records',
        args: ['<id>'],
        examples: ['weft dataset show 1', 'weft dataset show 1 --json'],
        load: () => import('./commands/dataset-show.ts'),
      },
      {
        name: 'search',
        summary: 'find records by words, "phrases" and beginnings*',
        args: ['<words...>'],
        options: [
          { flags: '--dataset <id>', summary: 'only in this one' },
          { flags: '--limit <count>', summary: 'how many at most', default: '10' },
        ],
        examples: [
          'weft dataset search return policy',
          `weft dataset search '"return policy"' --dataset 1`,
          "weft dataset search 'refund*' --limit 50 --json",
        ],
        load: () => import('./commands/dataset-search.ts'),
      },
      {
        name: 'export',
        summary: 'write all records of one moment',
        args: ['<id>'],
        options: [
          { flags: '-f, --format <format>', summary: 'how to write them', choices: EXPORT_FORMATS, default: 'json' },
          { flags: '-o, --output <file>', summary: 'write to a file instead' },
          { flags: '--all', summary: 'all that was ever kept, not only the newest of each key' },
          { flags: '--run <id>', summary: 'what this run brought' },
          { flags: '--formulas', summary: 'leave cells of CSV that begin like a formula as they are; for programs, not for spreadsheets' },
        ],
        examples: [
          'weft dataset export 1 -f xlsx -o rows.xlsx',
          'weft dataset export 1 -f csv | head',
          'weft dataset export 1 -f jsonl --run 12 > run.jsonl',
        ],
        load: () => import('./commands/dataset-export.ts'),
      },
    ],
  },
  {
    name: 'file',
    summary: 'files that were uploaded or written from data',
    commands: [
      { name: 'list', summary: 'all files', load: () => import('./commands/file-list.ts') },
      {
        name: 'get',
        summary: 'the bytes of a file',
        args: ['<id>'],
        options: [{ flags: '-o, --output <file>', summary: 'write to a file instead' }],
        examples: ['weft file get file_0123456789abcdef01234567 -o report.pdf', 'weft file get file_0123456789abcdef01234567 --json'],
        load: () => import('./commands/file-get.ts'),
      },
      {
        name: 'put',
        summary: 'upload a file',
        args: ['<path>'],
        options: [{ flags: '--type <type>', summary: 'its media type, where its name does not say it' }],
        examples: ['weft file put addresses.csv --type text/csv'],
        load: () => import('./commands/file-put.ts'),
      },
      { name: 'rm', summary: 'delete a file', args: ['<id>'], load: () => import('./commands/file-rm.ts') },
    ],
  },
  {
    name: 'token',
    summary: 'the runtime token',
    commands: [
      { name: 'show', summary: 'print it', load: () => import('./commands/token-show.ts') },
      { name: 'rotate', summary: 'replace it; what the old one holds open ends', load: () => import('./commands/token-rotate.ts') },
    ],
  },
  {
    name: 'browser',
    summary: 'the browser that renders pages',
    commands: [
      { name: 'status', summary: 'which one is used', load: () => import('./commands/browser-status.ts') },
      { name: 'install', summary: 'unpack the one that comes along', load: () => import('./commands/browser-install.ts') },
    ],
  },
  { name: 'completion', summary: 'print a completion script', args: ['<shell>'], load: () => import('./commands/completion.ts') },
];
