// Parts of a page.
import { INPUT } from '../../address-list.ts';
import { BOM } from '../../export-output.ts';
import { FIELDS } from '../../fields-option.ts';
import { ROW_FORMATS } from '../../rows-process.ts';
import type { GroupSpec } from '../../spec.ts';
import { SEND, SEND_BODY } from '../../send-options.ts';
import { HIDDEN, LANES } from '../page-options.ts';

export const group: GroupSpec = {
  section: 'Pages and sites',
  commands: [
    {
      name: 'extract',
      summary: 'read parts of pages and print them',
      args: ['[urls...]'],
      options: [
        {
          flags: '--css <selector>',
          summary: 'what a CSS selector points at; its attribute with a@href or a::attr(href), its text with ::text',
        },
        { flags: '--xpath <expression>', summary: 'what an XPath expression points at' },
        { flags: '--jsonpath <path>', summary: 'values from the JSON that the page is or holds' },
        { flags: '--regex <pattern>', summary: 'what an RE2 pattern finds in the text; /pattern/i for flags' },
        { flags: '--text <words>', summary: 'elements that say these words' },
        { flags: '--role <role>', summary: 'elements of an ARIA role' },
        { flags: '--label <words>', summary: 'the value or control that is labelled so' },
        { flags: '--aria <name>', summary: 'elements of an accessible name, such as Buy[role="button"]' },
        { flags: '--pierce <selector>', summary: 'CSS that looks into open shadow roots' },
        { flags: '--list', summary: 'the best list, a row an item' },
        { flags: '--pages <count>', summary: 'with --list: follow it over so many pages at most, each item once' },
        { flags: '--key <names>', summary: 'with --pages: the fields that tell an item from all others; all of them unless said' },
        { flags: '--product', summary: 'the product, as JSON' },
        { flags: '--forms', summary: 'the forms, as JSON' },
        {
          flags: '-f, --format <format>',
          summary: 'how to write it; as the ending of --output says, else lines, and lists as JSON lines',
          choices: ['text', ...ROW_FORMATS],
        },
        FIELDS,
        BOM,
        { flags: '-o, --output <file>', summary: 'write to a file instead; - is standard output' },
        INPUT,
        { flags: '--require', summary: 'exit 1 where an address gives nothing' },
        HIDDEN,
        { flags: '--lane <lane>', summary: 'how to fetch; auto unless said', choices: LANES },
        ...SEND,
        ...SEND_BODY,
      ],
      examples: [
        'weft extract https://example.com --css h1',
        'weft extract https://books.toscrape.com --list --pages 3 -f csv -o books.csv',
        "weft extract -i urls.txt --css 'a@href' -f csv",
        'weft crawl https://example.com/members --limit 1 --persona 1 -f records -o rows.csv',
      ],
      load: () => import('./extract.ts'),
    },
  ],
};
