// Tab in real shells: commands, options, and what was saved at a real agent.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { TestAgent } from '../agent.ts';
import { startTestAgent } from '../agent.ts';
import { twoPages } from '../conformance/ways.ts';
import { SHELLS, hasShell, startCompletion } from './shells.ts';

/** A line, whose last word is being typed, and what must be offered for it and nothing else that begins so. */
const TYPED = [
  ['weft mon', ['monitor']],
  ['weft monitor sh', ['show']],
  ['weft monitor list --tr', ['--trouble']],
  ['weft monitor show ket', ['kettle']],
  ['weft monitor edit --name other ket', ['kettle']],
  ['weft monitor selector remove kettle 1', ['1']],
  ['weft monitor tag set sh', ['shops']],
  ['weft monitor changes --tag sh', ['shops']],
  ['weft monitor changes --kind pri', ['price']],
  ['weft run pri', ['prices']],
  ['weft workflow edit prices --persona 1', ['1']],
  ['weft data show pri', ['prices']],
  ['weft crawl run do', ['docs']],
  ['weft dataset show 1', ['1']],
  ['weft secret show ap', ['api_key']],
  ['weft key delete key_', ['KEY']],
] as const;

suite('completion', { timeout: 600_000 }, () => {
  let agent: TestAgent;
  let key: string;
  before(async () => {
    agent = await startTestAgent({ fetcher: twoPages() });
    const { client } = agent;
    const { id } = await client.monitors.create({ url: 'https://shelf.test/', name: 'kettle', tags: ['shops'] });
    await client.selectors.create({ id, selector: 'h1' });
    await client.workflows.create({ name: 'prices', steps: [{ id: 'rows', type: 'emit', rows: [] }] });
    await client.crawlDefinitions.create({ slug: 'docs', url: 'https://shelf.test/' });
    await client.personas.create({ name: 'ada', origins: ['https://shelf.test'] });
    await client.secrets.create({ key: 'api_key', value: 'x', origins: ['https://shelf.test'] });
    key = (await client.keys.create({ name: 'reader', scopes: 'read' })).id;
  });
  after(() => agent[Symbol.asyncDispose]());

  for (const shell of SHELLS)
    test(
      `${shell} offers commands, options and what was saved`,
      { skip: hasShell(shell) ? false : `this machine has no ${shell}` },
      async () => {
        const { home, baseUrl, token } = agent;
        using completion = await startCompletion(shell, { HOME: home, SERVICE_HOME: home, SERVICE_API_URL: baseUrl, SERVICE_TOKEN: token });
        const offered = await completion.offered(TYPED.map(([line]) => line));
        assert.deepEqual(
          offered.map((words, index) => [TYPED[index]?.[0], [...new Set(words)]]),
          TYPED.map(([line, words]) => [line, words.map((word) => (word === 'KEY' ? key : word))]),
        );
      },
    );
});
