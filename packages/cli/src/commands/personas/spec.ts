// Accounts and how they sign in.
import type { TwoFactor } from '@weft/contract';
import { namesOf } from '../../names.ts';
import { LIST_PAGE } from '../../list-page.ts';
import { LANES } from '../page-options.ts';
import type { GroupSpec } from '../../spec.ts';
import type { OptionSpec } from '../../words.ts';

const TWO_FACTORS = namesOf<TwoFactor>({ none: true, totp: true, ask: true });

const TOLD: readonly OptionSpec[] = [
  { flags: '--origin <origin>', summary: 'where its values may be sent, such as https://example.com; repeatable', repeats: true },
  { flags: '--locale <tag>', summary: 'the language that pages are asked for in, such as de-DE' },
  { flags: '--two-factor <kind>', summary: 'how it is asked for a second factor', choices: TWO_FACTORS },
  { flags: '--proxy <name>', summary: 'the egress proxy that it goes through' },
  {
    flags: '--values <names>',
    summary: "which values to take, comma-separated: username, password, totp_seed or a field's name; typed without echo, or one a line",
  },
];

export const group: GroupSpec = {
  section: 'Secrets and accounts',
  commands: [
    {
      name: 'persona',
      summary: 'accounts, and how they sign in',
      commands: [
        {
          name: 'add',
          summary: 'a new persona',
          args: ['<name>'],
          options: TOLD,
          examples: ['weft persona add shop --origin https://shop.example --values username,password'],
          load: () => import('./add.ts'),
        },
        { name: 'list', summary: 'all personas, without their values', options: LIST_PAGE, load: () => import('./list.ts') },
        { name: 'show', summary: 'one persona, without its values', args: ['<persona>'], load: () => import('./show.ts') },
        {
          name: 'set',
          summary: 'change a persona; other origins clear the values that are not taken with them',
          args: ['<persona>'],
          options: [{ flags: '--name <name>', summary: 'what to call it' }, ...TOLD],
          load: () => import('./set.ts'),
        },
        {
          name: 'delete',
          summary: 'delete a persona with its values and sessions',
          args: ['<persona>'],
          load: () => import('./delete.ts'),
        },
        {
          name: 'totp',
          summary: 'look at a TOTP seed, typed without echo or on standard input, and keep it',
          args: ['<persona>'],
          options: [{ flags: '--check', summary: 'only look at it' }],
          load: () => import('./totp.ts'),
        },
        {
          name: 'export',
          summary: 'its session as a storage state of Playwright; whoever has the file is logged in',
          args: ['<persona>'],
          options: [{ flags: '-o, --output <file>', summary: 'write it there, for you alone to read' }],
          examples: ['weft persona export 3 -o state.json'],
          load: () => import('./export.ts'),
        },
        {
          name: 'import',
          summary: 'keep a storage state of Playwright as its session',
          args: ['<persona>', '<file>'],
          examples: ['weft persona import 3 state.json'],
          load: () => import('./import.ts'),
        },
        {
          name: 'login',
          summary: 'log in by the form of a page, and keep the session and the workflow that did it',
          args: ['<persona>', '<url>'],
          options: [
            { flags: '--shows <css>', summary: 'what only somebody who is logged in sees; a way to sign out unless said' },
            { flags: '--lane <lane>', summary: 'auto (unless said), http or browser', choices: LANES },
          ],
          examples: [
            'weft persona login shop https://shop.example/login',
            'weft persona login shop https://shop.example/login --shows "#account"',
          ],
          load: () => import('./login.ts'),
        },
        {
          name: 'test-2fa',
          summary: 'log in with a workflow of the persona, keep nothing of it, and say how far that came',
          args: ['<persona>'],
          options: [
            { flags: '--workflow <workflow>', summary: 'the one that logs in; the only one of the persona unless said' },
            { flags: '-i, --input <name=value>', summary: 'one of its inputs; repeatable', repeats: true },
          ],
          examples: ['weft persona test-2fa 3'],
          load: () => import('./test-2fa.ts'),
        },
      ],
    },
  ],
};
