// Every list of the command line, taken in parts: how many there are is said, and how to go on.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { COMMANDS } from '../../packages/cli/src/tree.ts';
import type { CommandSpec } from '../../packages/cli/src/spec.ts';
import type { TestAgent } from '../agent.ts';
import { startTestAgent } from '../agent.ts';
import { twoPages } from '../conformance/ways.ts';
import { startTypedLines } from './typed-lines.ts';
import type { TypedLines } from './typed-lines.ts';

/** Command lines that print a list, and how many entries theirs has here. */
const LISTS = [
  ['crawl list', 2],
  ['crawl saved', 2],
  ['dataset list', 8],
  ['data list', 2],
  ['data runs first', 2],
  ['workflow list', 2],
  ['workflow revisions first', 2],
  ['monitor list', 2],
  ['monitor selector list 1', 2],
  ['monitor tag list', 2],
  ['monitor history 1', 2],
  ['automation list', 2],
  ['notify list', 2],
  ['persona list', 2],
  ['secret list', 2],
  ['file list', 2],
  ['key list', 2],
] as const;

/** Lists that need more than an agent to have entries; the same options, held by the tests of `list-page.ts`. */
const OTHERS = ['api list', 'hosts', 'oauth list', 'monitor changes', 'monitor snapshots', 'workflow guards', 'workflow repairs'];

suite('lists on the command line', { timeout: 600_000 }, () => {
  let agent: TestAgent;
  let lines: TypedLines;
  before(async () => {
    agent = await startTestAgent({ fetcher: twoPages() });
    lines = startTypedLines(agent);
    for (const name of ['first', 'second']) await make(agent, name);
  });
  after(async () => {
    await lines[Symbol.asyncDispose]();
    await agent[Symbol.asyncDispose]();
  });

  for (const [typed, total] of LISTS)
    test(`weft ${typed} says how many there are, and goes on where it ended`, async () => {
      const part = async (offset: number) => {
        const { out, err, code } = await lines.run(...typed.split(' '), '--limit', '1', '--offset', String(offset), '--json');
        assert.equal(code, 0, err);
        const printed = JSON.parse(out) as readonly unknown[] | { readonly data: readonly unknown[]; readonly count: number };
        const data = 'data' in printed ? printed.data : printed;
        assert.equal('count' in printed ? printed.count : 1, data.length);
        return { data, err };
      };
      const first = await part(0);
      assert.match(first.err, new RegExp(`^weft: 1 to 1 of ${total}; the next: --offset 1$`, 'm'));
      const last = await part(total - 1);
      assert.match(last.err, new RegExp(`^weft: ${total} to ${total} of ${total}$`, 'm'));
      assert.deepEqual([first.data.length, last.data.length], [1, 1]);
      assert.notDeepEqual(first.data, last.data);
      assert.doesNotMatch((await lines.run(...typed.split(' '))).err, / of \d+/);
    });

  test('no list of the command line is without them', () => {
    // Those of the cloud are made of its table, whose lists all take them.
    const own = commandsOf(COMMANDS).filter(([path]) => !path.startsWith('cloud '));
    const held = [...LISTS.map(([typed]) => typed), ...OTHERS].map((typed) => typed.replace(/ (?:first|1)$/, ''));
    const taking = own.filter(([, { options = [] }]) => options.some(({ flags }) => flags.startsWith('--offset')));
    assert.deepEqual(taking.map(([path]) => path).sort(), held.sort());
    const lists = own.filter(([path, { load }]) => load !== undefined && /(?:^| )(?:list|saved|runs|revisions)$/.test(path));
    assert.deepEqual(
      lists.map(([path]) => path).filter((path) => !held.includes(path)),
      [],
    );
  });
});

function commandsOf(specs: readonly CommandSpec[], above = ''): readonly (readonly [string, CommandSpec])[] {
  return specs.flatMap((spec) => {
    const path = `${above}${spec.name}`;
    return [[path, spec] as const, ...commandsOf(spec.commands ?? [], `${path} `)];
  });
}

/** One of everything that is listed. */
async function make({ client, baseUrl }: TestAgent, name: string): Promise<void> {
  const url = `https://shelf.test/${name}`;
  await client.crawl.start({ url, limit: 2, wait: true });
  await client.crawlDefinitions.create({ slug: name, url });
  const { id } = await client.workflows.create({ name, steps: [{ id: 'rows', type: 'emit', rows: [{ name }] }] });
  for (let run = 0; run < 2; run++) await client.workflows.run({ id, wait: true });
  await client.workflows.update({ id, name: `${name} again` });
  const monitor = await client.monitors.create({ url, tags: [name] });
  await client.monitors.run({ id: monitor.id, wait: true });
  await client.monitors.run({ id: monitor.id, wait: true });
  for (const selector of ['h1', 'p']) await client.selectors.create({ id: monitor.id, selector });
  await client.monitorTags.put({ name, schedule: { every: 900 } });
  await client.automations.create({ name, triggers: [{ type: 'call' }], actions: [{ type: 'pause', seconds: 1 }] });
  await client.notices.createChannel({ name, to: { kind: 'ntfy', topic: name, server: baseUrl } });
  await client.personas.create({ name, origins: ['https://shelf.test'] });
  await client.secrets.create({ key: name, value: 'x', origins: ['https://shelf.test'] });
  await client.keys.create({ name, scopes: 'read' });
  const form = new FormData();
  form.set('file', new Blob([name]), `${name}.txt`);
  await client.transport.send({ method: 'POST', path: '/v1/files', body: form });
}
