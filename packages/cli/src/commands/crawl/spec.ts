// Pages and sites: scrape and crawl.
import { pageOptions } from '../../list-page.ts';
import type { GroupSpec } from '../../spec.ts';
import type { OptionSpec } from '../../words.ts';
import { INPUT } from '../../address-list.ts';
import { BOM } from '../../export-output.ts';
import { FIELDS } from '../../fields-option.ts';
import { PROXY, SEND, SEND_BODY } from '../../send-options.ts';
import { HIDDEN, LANES, SITEMAP_USES } from '../page-options.ts';
import { FORMATS } from './page-formats.ts';

const PERSONA: OptionSpec = {
  flags: '--persona <persona>',
  summary: 'as this persona: with its session, by its proxy; robots.txt is reported',
};

const CLOUD_SCRAPE: OptionSpec = {
  flags: '--cloud',
  summary: 'through the cloud that SERVICE_CLOUD_URL names, for credits or the keyless allowance',
};
const CLOUD_CRAWL: OptionSpec = {
  flags: '--cloud',
  summary: 'through the cloud that SERVICE_CLOUD_URL names, for credits: SERVICE_API_KEY',
};

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
  { flags: '--all-views', summary: 'also kinds of views that brought nothing new so far' },
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
  PERSONA,
  { flags: '--ignore-robots', summary: 'fetch what robots.txt forbids; only for a site that is yours' },
];
/** Where pages go. */
const OUTPUT: readonly OptionSpec[] = [
  {
    flags: '-o, --output <place>',
    summary:
      'write its pages there: folder/ a file each, .csv and .xlsx a table, .json one document, else one JSON line each; - is standard output',
  },
  { ...FIELDS, summary: 'only these columns of a table, comma-separated, in this order' },
  { flags: '--items', summary: 'a table has a row for each item of the best list of each page, as with -f records alone' },
  BOM,
  { flags: '--force', summary: 'write into a folder that holds something already' },
];
const FOLLOW: readonly OptionSpec[] = [
  { flags: '--wait', summary: 'until it is settled, as without --detach' },
  { flags: '--detach', summary: 'start it and return; it goes on in the agent' },
  { flags: '--timeout <seconds>', summary: 'how long to wait; no end unless said' },
  ...OUTPUT,
];

export const group: GroupSpec = {
  section: 'Pages and sites',
  commands: [
    {
      name: 'scrape',
      summary: 'read pages and print them',
      args: ['[urls...]'],
      options: [
        {
          flags: '-f, --format <formats>',
          summary: `what to print, comma-separated; several are one JSON object: ${FORMATS.join(', ')}; markdown unless said`,
          repeats: true,
        },
        { flags: '-o, --output <place>', summary: 'write to a file, or to folder/ a file a page; - is standard output' },
        { flags: '--force', summary: 'write into a folder that holds something already' },
        INPUT,
        { flags: '--only-main', summary: 'only the main content, as without this option' },
        { flags: '--full-page', summary: 'the whole page, not only its main content' },
        HIDDEN,
        { flags: '--tokens-max <count>', summary: 'cut Markdown after so many tokens, between blocks' },
        { flags: '--chunks <tokens>', summary: 'Markdown in pieces of at most so many tokens, one JSON line each' },
        { flags: '--lane <lane>', summary: 'how to fetch; auto unless said', choices: LANES },
        PERSONA,
        ...SEND,
        ...SEND_BODY,
        { flags: '--wait-for <selector>', summary: 'in a browser, until this is on the page' },
        { flags: '--screenshot <file>', summary: 'write a picture of the whole page' },
        { flags: '--pdf <file>', summary: 'write the page as a PDF' },
        { flags: '--timeout <seconds>', summary: 'how long to wait', default: '120' },
        CLOUD_SCRAPE,
      ],
      examples: [
        'weft scrape https://example.com',
        'weft scrape https://example.com https://example.org -f markdown,links',
        'weft scrape -i urls.txt -o pages/',
        "weft scrape https://example.com/me -H 'Authorization: env:API_TOKEN'",
        'weft scrape https://example.com/me --cookies cookies.txt',
      ],
      load: () => import('./scrape.ts'),
    },
    {
      name: 'crawl',
      summary: 'read a site, page by page',
      args: ['[urls...]'],
      options: [
        ...CRAWL,
        ...SEND,
        ...FOLLOW,
        INPUT,
        CLOUD_CRAWL,
        { flags: '--max-credits <count>', summary: 'with --cloud: what it may cost at most' },
        { flags: '--explain', summary: 'only say which rule decides about each address, of a crawl from the first one' },
      ],
      examples: [
        'weft crawl https://example.com --limit 200',
        'weft crawl https://docs.python.org/3/howto/ -o manual/ -f markdown',
        'weft crawl https://books.toscrape.com --limit 20 -f records -o books.csv --fields title,price',
      ],
      load: () => import('./start.ts'),
      commands: [
        { name: 'list', summary: 'crawls, newest first', options: pageOptions(50), load: () => import('./list.ts') },
        {
          name: 'show',
          summary: 'one crawl: its numbers, and why pages are not there',
          args: ['<id>'],
          options: [
            { flags: '--follow', summary: 'until it is settled' },
            { flags: '--ledger', summary: 'every address with its outcome, one JSON line each' },
            ...OUTPUT,
          ],
          load: () => import('./show.ts'),
        },
        { name: 'cancel', summary: 'end a crawl; what it kept stays', args: ['<id>'], load: () => import('./cancel.ts') },
        {
          name: 'delete',
          summary: 'delete a crawl with its ledger and what it brought',
          args: ['<id>'],
          load: () => import('./delete.ts'),
        },
        {
          name: 'save',
          summary: 'save a crawl to run it again',
          args: ['<url>'],
          options: [
            ...CRAWL,
            PROXY,
            { flags: '--slug <slug>', summary: 'what to call it on the command line' },
            { flags: '--name <name>', summary: 'what to call it elsewhere' },
          ],
          load: () => import('./save.ts'),
        },
        {
          name: 'run',
          summary: 'run a saved crawl, and say what is new, changed and gone since the run before',
          args: ['<ref>'],
          options: [
            ...FOLLOW,
            { flags: '--max-age <seconds>', summary: 'take an earlier run that is so recent instead' },
            { flags: '--exit-code', summary: 'exit 10 where anything is new, changed or gone' },
          ],
          load: () => import('./run.ts'),
        },
        { name: 'saved', summary: 'saved crawls, newest first', options: pageOptions(50), load: () => import('./saved.ts') },
        {
          name: 'forget',
          summary: 'delete a saved crawl; its runs and its dataset stay',
          args: ['<ref>'],
          load: () => import('./forget.ts'),
        },
      ],
    },
  ],
};
