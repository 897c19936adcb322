// Clients that others generate of the document of a build call its function: openapi-typescript's types over fetch, and openapi-python-client's package.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BuildView } from '@weft/contract';
import { bringPackages, run } from '../../bench/apps/packages.ts';
import { SETTINGS } from '../../bench/src/settings.ts';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import { startTestAgent } from '../agent.ts';
import { openTestAccount, startTestCloud } from '../cloud.ts';
import { startTeaShop } from '../sites/tea-shop.ts';
import { until } from '../until.ts';

export const needs = 'Python, and openapi-python-client from PyPI';

const PYTHON_CLIENT = '0.29.1';
const TOOLS = join(import.meta.dirname, '..', '..', 'tools', 'openapi', 'node_modules');
const WORDS = ['white coffee', 'iced cocoa', 'green tea', 'herbal', 'black'];

/** A document, where its function is, and by what it is called. */
interface Surface {
  readonly name: string;
  readonly document: Readonly<Record<string, unknown>>;
  readonly path: string;
  readonly token: string;
}

/** A round is one word, asked by both clients on both surfaces and held against the shop. */
export async function campaign({ rounds, log }: CampaignOptions): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const shop = stack.adopt(await startTeaShop(), async (site) => await site.close());
  const folder = stack.adopt(mkdtempSync(join(tmpdir(), 'weft-clients-')), (path) => rmSync(path, { recursive: true }));
  const programs = join(SETTINGS.appsFolder, 'openapi-python-client');
  mkdirSync(programs, { recursive: true });
  await bringPackages({ pip: [`openapi-python-client==${PYTHON_CLIENT}`] }, SETTINGS.appsFolder, programs);
  const surfaces = [await onAgent(shop.origin, stack), await onCloud(shop.origin, stack)];
  let calls = 0;
  for (const surface of surfaces) {
    const clients = [await typescriptClient(surface, folder), await pythonClient(surface, folder, programs)];
    for (let round = 0; round < rounds; round++) {
      const word = WORDS[round % WORDS.length] ?? '';
      const truth = shop.products.filter(({ title }) => title.toLowerCase().includes(word)).slice(0, 10);
      for (const client of clients) {
        assert.deepEqual(
          await client(word),
          truth.map(({ title }) => title),
          `${surface.name}, ${word}`,
        );
        calls++;
      }
    }
    log(`${surface.name}: openapi-typescript and openapi-python-client ${PYTHON_CLIENT} agree with the shop`);
  }
  log(`${calls} calls, all with the rows of the shop`);
}

const ASKED = { objective: 'search products by name' };

async function onAgent(origin: string, stack: AsyncDisposableStack): Promise<Surface> {
  const agent = stack.use(await startTestAgent());
  const { build_id: id } = await agent.client.builds.start({ ...ASKED, url: `${origin}/`, wait: true });
  await agent.client.builds.publish({ id, slug: 'teas' });
  const { openapi = {} } = await agent.client.builds.read({ id });
  return { name: 'agent', document: openapi, path: '/teas-search-products', token: agent.token };
}

async function onCloud(origin: string, stack: AsyncDisposableStack): Promise<Surface> {
  const cloud = stack.use(await startTestCloud({ privateTargets: [new URL(origin).host] }));
  const owner = await openTestAccount(cloud, 10_000);
  const database = stack.adopt(await openDatabase(cloud.database.url), async (one) => await one.close());
  const { body } = await cloud.call('POST', '/api/v1/website-to-api', owner, { ...ASKED, url: origin, slug: 'teas' });
  await until(async () => (await database.rows('SELECT 1 FROM build WHERE is_live')).length === 0);
  const read = await cloud.call('GET', `/api/v1/website-to-api/${body.build_id}`, owner);
  const { body: key } = await cloud.call('POST', '/api/account/consumer-keys', owner, { name: 'a client', slug: 'teas' });
  const { openapi = {} } = read.body as BuildView;
  return { name: 'cloud', document: openapi, path: '/search-products', token: key.token as string };
}

type Client = (word: string) => Promise<readonly string[]>;

/** The types are compiled against a use of them that names inputs and rows, and the same use is executed. */
async function typescriptClient({ name, document, path, token }: Surface, folder: string): Promise<Client> {
  const own = join(folder, `${name}-ts`);
  mkdirSync(own);
  const file = join(own, 'api.json');
  writeFileSync(file, JSON.stringify(document));
  const execute = promisify(execFile);
  await execute(process.execPath, [join(TOOLS, 'openapi-typescript', 'bin', 'cli.js'), file, '-o', join(own, 'api.d.ts')]);
  const { servers } = document as { readonly servers: readonly [{ readonly url: string }] };
  writeFileSync(
    join(own, 'call.ts'),
    `import type { paths } from './api.d.ts';
type Post = paths['${path}']['post'];
type Body = NonNullable<Post['requestBody']>['content']['application/json'];
type Answer = Post['responses']['200']['content']['application/json'];
declare const process: { argv: string[]; stdout: { write(text: string): void } };
const body: Body = { q: process.argv[2] ?? '', page: 1 };
const response = await fetch('${servers[0].url}${path}', { method: 'POST', headers: { authorization: 'Bearer ${token}', 'content-type': 'application/json' }, body: JSON.stringify(body) });
const { data }: Answer = await response.json();
process.stdout.write(JSON.stringify(data.map(({ title }) => title)));
`,
  );
  const options = [
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--moduleResolution',
    'nodenext',
    '--allowImportingTsExtensions',
  ];
  writeFileSync(join(own, 'package.json'), '{"type":"module"}');
  await execute(process.execPath, [join(TOOLS, 'typescript', 'bin', 'tsc'), ...options, '--lib', 'es2022,dom', join(own, 'call.ts')]);
  return async (word) => JSON.parse((await execute(process.execPath, [join(own, 'call.ts'), word])).stdout) as string[];
}

async function pythonClient({ name, document, token }: Surface, folder: string, programs: string): Promise<Client> {
  const own = join(folder, `${name}_py`);
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(document));
  const bin = join(programs, 'python', 'bin');
  // What it wrote is put in form by a program beside it.
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}` };
  const made = ['generate', '--path', file, '--output-path', own, '--meta', 'none', '--fail-on-warning'];
  await run(join(bin, 'openapi-python-client'), made, { env });
  const [api = ''] = readdirSync(join(own, 'api')).filter((entry) => !entry.startsWith('_'));
  const { servers } = document as { readonly servers: readonly [{ readonly url: string }] };
  const script = `
import sys, json
sys.path.insert(0, ${JSON.stringify(folder)})
import importlib
package = ${JSON.stringify(`${name}_py`)}
client = importlib.import_module(package + '.client').AuthenticatedClient(base_url=${JSON.stringify(servers[0].url)}, token=${JSON.stringify(token)})
call = importlib.import_module(package + '.api.${api}.search_products')
body = importlib.import_module(package + '.models.search_products_body').SearchProductsBody(q=sys.argv[1], page=1)
answer = call.sync(client=client, body=body)
print(json.dumps([row.title for row in answer.data]))
`;
  writeFileSync(join(folder, `${name}.py`), script);
  return async (word) => JSON.parse(await run(join(bin, 'python'), [join(folder, `${name}.py`), word])) as string[];
}
