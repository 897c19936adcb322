// Parts of a page.
import type { GroupSpec } from '../../spec.ts';
import { HIDDEN, LANES } from '../page-options.ts';

export const group: GroupSpec = {
  section: 'Pages and sites',
  commands: [
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
        { flags: '--aria <name>', summary: 'elements of an accessible name, such as Buy[role="button"]' },
        { flags: '--pierce <selector>', summary: 'CSS that looks into open shadow roots' },
        { flags: '--list', summary: 'the best list, one JSON line a record' },
        { flags: '--product', summary: 'the product, as JSON' },
        { flags: '--forms', summary: 'the forms, as JSON' },
        HIDDEN,
        { flags: '--lane <lane>', summary: 'how to fetch', choices: LANES, default: 'auto' },
      ],
      load: () => import('./extract.ts'),
    },
  ],
};
