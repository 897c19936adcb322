// The cloud: to run one, to manage an account of one, and to publish workflows to it.
import { CLOUD_COMMANDS } from '../../generated/cloud-commands.ts';
import type { CommandSpec, GroupSpec } from '../../spec.ts';
import { commandsOf } from './command.ts';

const admin = (spec: CommandSpec): CommandSpec => ({
  ...spec,
  load: async () => ({ run: (await import('./accounts.ts')).adminCommand(spec.name) }),
});

/** What its operator does, at the database itself. */
const ACCOUNTS: CommandSpec = {
  name: 'accounts',
  summary: 'accounts of your own cloud, at its database (DATABASE_URL, or the one in its folder)',
  commands: [
    admin({ name: 'list', summary: 'all accounts with their credits' }),
    admin({
      name: 'open',
      summary: "open an account and print its owner's key, once",
      args: ['<name>'],
      options: [{ flags: '--credits <count>', summary: 'credits that it begins with', default: '0' }],
    }),
    admin({ name: 'grant', summary: 'give credits to an account', args: ['<id>', '<credits>'] }),
    admin({ name: 'key', summary: "mint another owner's key of an account, and print it", args: ['<id>'] }),
    admin({ name: 'delete', summary: 'delete an account with everything that it has', args: ['<id>'] }),
  ],
};

export const group: GroupSpec = {
  section: 'The cloud',
  commands: [
    {
      name: 'cloud',
      summary: 'run a cloud, and manage an account of one (SERVICE_CLOUD_URL, SERVICE_API_KEY)',
      commands: [
        {
          name: 'start',
          summary: 'run a cloud in the foreground; what stands behind -- is its own',
          args: ['[options...]'],
          examples: ['weft cloud start', 'weft cloud start -- --port 9141 --no-keyless'],
          load: () => import('./start.ts'),
        },
        ACCOUNTS,
        {
          name: 'call',
          summary: 'call a published function',
          args: ['<function>'],
          options: [
            { flags: '-i, --input <name=value>', summary: 'an input, read as JSON where it is some; repeatable', repeats: true },
            { flags: '--key <source>', summary: 'the consumer key: env:VARIABLE, file:PATH or ask', default: 'env:SERVICE_CONSUMER_KEY' },
          ],
          examples: ['weft cloud call kettles/list -i page=2'],
          load: () => import('./call.ts'),
        },
        ...CLOUD_COMMANDS.map(commandsOf),
      ],
    },
    {
      name: 'publish',
      summary: 'publish a workflow of the agent, or of a file, to the cloud',
      args: ['<workflow>'],
      options: [
        { flags: '--slug <slug>', summary: 'the API that it is a function of (required)' },
        { flags: '--path <path>', summary: 'what the function is called; the slug of the workflow unless said' },
      ],
      examples: ['weft publish kettles --slug my-shop --path list', 'weft publish kettles.json --slug my-shop --path list'],
      load: () => import('./publish.ts'),
    },
  ],
};
