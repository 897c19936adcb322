// Sites that become APIs.
import { LIST_PAGE } from '../../list-page.ts';
import type { GroupSpec } from '../../spec.ts';

const BUILD = '<build>';
const FOUND = [
  { flags: '--persona <persona>', summary: 'ask for pages as this persona' },
  { flags: '--har <file>', summary: 'requests that a browser has recorded are evidence, too' },
  { flags: '--ignore-robots', summary: 'for a site that you may automate: leave robots.txt aside' },
  { flags: '--no-ai', summary: 'without the call of a model that is set up' },
  { flags: '--detach', summary: 'start it and return; it goes on in the agent' },
];

export const group: GroupSpec = {
  section: 'Pages and sites',
  commands: [
    {
      name: 'api',
      summary: 'a site becomes an API, and each function is proved',
      commands: [
        {
          name: 'build',
          summary: 'find, draft and prove the functions that an objective needs',
          args: ['<url>'],
          options: [{ flags: '--objective <words>', summary: 'what the API is for' }, ...FOUND],
          examples: ['weft api build https://shop.example --objective "search products by name"'],
          load: () => import('./build.ts'),
        },
        {
          name: 'discover',
          summary: 'find what a site offers: forms, lists, requests, pages; draft nothing',
          args: ['<url>'],
          options: [{ flags: '--objective <words>', summary: 'what comes first' }, ...FOUND],
          examples: ['weft api discover https://shop.example'],
          load: () => import('./discover.ts'),
        },
        { name: 'list', summary: 'builds, newest first', options: [...LIST_PAGE], load: () => import('./list.ts') },
        {
          name: 'show',
          summary: 'a build, by its id or as last: its functions, what they were proved by, and what was left out',
          args: [BUILD],
          options: [
            { flags: '--evidence', summary: 'what was found, with the ids that pick takes' },
            { flags: '--openapi', summary: 'the document of its proved functions' },
            { flags: '--health', summary: 'whether they still do what was proved, and what has changed' },
          ],
          load: () => import('./show.ts'),
        },
        {
          name: 'pick',
          summary: 'choose the functions yourself, by the ids of what was found, and prove those',
          args: [BUILD, '[candidates...]'],
          options: [{ flags: '--draft <file>', summary: 'names, inputs and fields as well: JSON with "functions"' }],
          examples: ['weft api pick last C1 C4', 'weft api pick bld_… --draft draft.json'],
          load: () => import('./pick.ts'),
        },
        {
          name: 'try',
          summary: 'call a function once',
          args: [BUILD, '<function>'],
          options: [{ flags: '-i, --input <name=value>', summary: 'one of its inputs; repeatable', repeats: true }],
          examples: ['weft api try last search_products -i q=tea'],
          load: () => import('./try.ts'),
        },
        {
          name: 'verify',
          summary: 'decide its proofs again from the answers that were kept; no site is asked',
          args: [BUILD],
          load: () => import('./verify.ts'),
        },
        {
          name: 'check',
          summary: 'prove its functions again now; the site is asked',
          args: [BUILD],
          load: () => import('./check.ts'),
        },
        {
          name: 'watch',
          summary: 'how often published functions are proved again; daily unless said',
          args: [BUILD],
          options: [
            { flags: '--every <time>', summary: 'whole hours or days: 6h, 1d' },
            { flags: '--off', summary: 'never' },
          ],
          examples: ['weft api watch last --every 6h', 'weft api watch last --off'],
          load: () => import('./watch.ts'),
        },
        { name: 'rebuild', summary: 'build again, and say what has changed', args: [BUILD], load: () => import('./rebuild.ts') },
        {
          name: 'accept',
          summary: 'let a build that was built again replace what was published before',
          args: [BUILD],
          load: () => import('./accept.ts'),
        },
        { name: 'decline', summary: 'keep what was published before', args: [BUILD], load: () => import('./decline.ts') },
        {
          name: 'publish',
          summary: 'keep its proved functions as workflows, which the local MCP server offers',
          args: [BUILD, '[functions...]'],
          options: [
            { flags: '--slug <name>', summary: 'put before the name of each; the host unless said' },
            { flags: '--hidden', summary: 'do not offer them to models' },
          ],
          load: () => import('./publish.ts'),
        },
        { name: 'cancel', summary: 'end a build', args: [BUILD], load: () => import('./cancel.ts') },
        { name: 'delete', summary: 'delete a build; what was published stays', args: [BUILD], load: () => import('./delete.ts') },
      ],
    },
  ],
};
