// weft publish <workflow>: a workflow of the agent, or of a file, as a function of the cloud.
import type { CloudMethods } from '@weft/client/node';
import { CommandError, EXIT } from '../../exit.ts';
import { readJsonFile } from '../../json-file.ts';
import type { CommandRun } from '../../spec.ts';
import { pairs } from '../../table.ts';
import { bodyOf, findWorkflow } from '../workflows/refs.ts';

/** What only the agent has. */
const OF_AGENT = ['slug', 'concurrency', 'expose'];

export const run: CommandRun = async (context, [ref = ''], options) => {
  const { slug } = options;
  if (typeof slug !== 'string')
    throw new CommandError('--slug is missing: the API that the workflow becomes a function of.', {
      exitCode: EXIT.usage,
      code: 'bad_request',
      next: ['weft publish --help'],
    });
  const cloud = await context.cloud();
  const own = /\.json$|^-$/.test(ref) ? await readJsonFile(ref) : { ...(await findWorkflow(await context.client(), ref, context.signal)) };
  const workflow = Object.fromEntries(Object.entries(bodyOf(own)).filter(([name]) => !OF_AGENT.includes(name)));
  const path = typeof options['path'] === 'string' ? options['path'] : String(own['slug'] ?? '');
  if (path === '') throw new CommandError('--path is missing: what the function is called.', { exitCode: EXIT.usage, code: 'bad_request' });
  // The cloud checks each member; its refusal names the one that is wrong.
  const body = { slug, path, workflow } as unknown as Parameters<CloudMethods['publish']['create']>[0];
  const made = await cloud.publish.create(body, { signal: context.signal });
  context.show(
    made,
    pairs([
      ['function', `${made.slug}/${made.path}`],
      ['revision', made.revision],
      ['call it', `POST ${cloud.transport.baseUrl}${made.url}`],
      ['a key for it', `weft cloud consumer-keys create --name a-caller --slug ${made.slug}`],
    ]),
  );
};
