// The official client of the Model Context Protocol against the agent: with a token, over standard input, and given nothing but the URL.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import type { OAuthClientInformationMixed, OAuthClientProvider, OAuthDiscoveryState, OAuthTokens } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { TestAgent } from '../agent.ts';
import { startTestAgent } from '../agent.ts';
import { launchBrowser } from '../browser.ts';
import { startRawServer, reply } from '../sites/raw-server.ts';
import type { RawServer } from '../sites/raw-server.ts';
import { until } from '../until.ts';

const BOOKS = reply({ headers: { 'Content-Type': 'text/html' }, body: '<ul><li class=b>Iliad</li><li class=b>Odyssey</li></ul>' });

interface CallAnswer {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: Readonly<Record<string, unknown>> | undefined;
}

suite('the agent as a server of the Model Context Protocol', { timeout: 600_000 }, () => {
  let agent: TestAgent;
  let site: RawServer;

  before(async () => {
    site = await startRawServer(({ path }) => (path.startsWith('/books') ? BOOKS : path === '/held' ? () => undefined : undefined));
    agent = await startTestAgent();
    const steps = [
      { id: 'open', type: 'navigate', url: `${site.origin}/{{inputs.shelf}}` },
      { id: 'rows', type: 'extractList', selectors: ['li.b'], fields: { title: {} } },
    ] as const;
    const inputs = { type: 'object', properties: { shelf: { type: 'string' } }, required: ['shelf'], additionalProperties: false };
    await agent.client.workflows.create({ name: 'Books', slug: 'books', expose: true, inputs, steps: [...steps] });
    await agent.client.workflows.create({ name: 'Hidden', slug: 'hidden', inputs, steps: [...steps] });
  });
  after(async () => {
    await agent[Symbol.asyncDispose]();
    await site.close();
  });

  const mcpUrl = () => new URL('/mcp', agent.baseUrl);
  const withToken = (token: string) =>
    new StreamableHTTPClientTransport(mcpUrl(), { requestInit: { headers: { authorization: `Bearer ${token}` } } });
  const call = async (client: Client, name: string, input: Record<string, unknown>): Promise<CallAnswer> =>
    // What the adapter sends is an object.
    (await client.callTool({ name, arguments: input })) as CallAnswer;

  for (const mode of ['auto', 'legacy'] as const)
    test(`lists what is exposed and runs it, in the revision that ${mode} agrees on`, async () => {
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
      await client.connect(withToken(agent.token));
      try {
        const { tools } = await client.listTools();
        assert.deepEqual(
          tools.map(({ name, inputSchema }) => [name, inputSchema.required]),
          [['books', ['shelf']]],
        );
        const { isError, structuredContent } = await call(client, 'books', { shelf: 'books' });
        assert.deepEqual(
          [isError, structuredContent?.['status'], structuredContent?.['rows']],
          [false, 'succeeded', [{ title: 'Iliad' }, { title: 'Odyssey' }]],
        );
      } finally {
        await client.close();
      }
    });

  test('tells the model what is wrong: an input that does not fit, a run that failed, a tool that is not there', async () => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(withToken(agent.token));
    try {
      const wrong = await call(client, 'books', { shelf: 7 });
      assert.deepEqual([wrong.isError, wrong.structuredContent?.['code']], [true, 'bad_request']);
      const failed = await call(client, 'books', { shelf: 'none' });
      assert.deepEqual([failed.isError, failed.structuredContent?.['status']], [true, 'failed']);
      await assert.rejects(call(client, 'hidden', { shelf: 'books' }), /no tool "hidden"/);
    } finally {
      await client.close();
    }
  });

  test('ends the run of a call that nobody waits for any more', async () => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(withToken(agent.token));
    const leaving = new AbortController();
    const called = client.callTool({ name: 'books', arguments: { shelf: 'held' } }, { signal: leaving.signal });
    await until(async () => (await agent.client.runs.list({ status: 'running' })).count === 1);
    leaving.abort();
    await assert.rejects(called);
    await until(async () => (await agent.client.runs.list({ status: 'cancelled' })).count === 1);
    await client.close();
  });

  test('speaks over standard input and output as `weft mcp`', async () => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: ['packages/cli/src/main.ts', 'mcp'],
      env: { SERVICE_API_URL: agent.baseUrl, SERVICE_TOKEN: agent.token, SERVICE_HOME: agent.home },
    });
    await client.connect(transport);
    try {
      assert.equal((await client.listTools()).tools.length, 1);
      const answers = await Promise.all([1, 2, 3].map(() => call(client, 'books', { shelf: 'books' })));
      assert.deepEqual(
        answers.map(({ structuredContent }) => structuredContent?.['rows_extracted']),
        [2, 2, 2],
      );
    } finally {
      await client.close();
    }
  });

  test('answers what was asked before its input ended', async () => {
    const program = spawn(process.execPath, ['packages/cli/src/main.ts', 'mcp'], {
      env: { SERVICE_API_URL: agent.baseUrl, SERVICE_TOKEN: agent.token, SERVICE_HOME: agent.home },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    program.stdin.end('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\nno message\n');
    const lines = (await program.stdout.setEncoding('utf8').toArray()).join('').trim().split('\n');
    const answers = lines.map((line) => JSON.parse(line) as { id: number | null; error?: { code: number }; result?: { tools: unknown[] } });
    assert.deepEqual(answers.map(({ id, error, result }) => [id, error?.code ?? result?.tools.length]).toSorted(), [
      [null, -32_700],
      [1, 1],
    ]);
  });

  test('lets a client in that is given the URL alone: it registers, a person approves, it lists and calls', async () => {
    const program = createServer((_request, response) => response.end('You can close this page.'));
    await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve));
    const browser = await launchBrowser();
    const person = new Person(`http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`);
    try {
      const asking = new StreamableHTTPClientTransport(mcpUrl(), { authProvider: person });
      await assert.rejects(new Client({ name: 'asking', version: '1' }).connect(asking), UnauthorizedError);
      const page = await browser.newPage();
      await page.goto(person.ledTo?.href ?? '');
      await page.fill('#code', (await agent.client.oauth.approve()).code);
      await page.click('text=Let it in');
      await page.waitForURL(`${person.redirectUrl}?*`);
      await asking.finishAuth(new URL(page.url()).searchParams);

      const client = new Client({ name: 'let in', version: '1' }, { versionNegotiation: { mode: 'auto' } });
      await client.connect(new StreamableHTTPClientTransport(mcpUrl(), { authProvider: person }));
      assert.equal((await client.listTools()).tools[0]?.name, 'books');
      assert.equal((await call(client, 'books', { shelf: 'books' })).isError, false);
      await client.close();
    } finally {
      await browser.close();
      program.closeAllConnections();
      program.close();
      await once(program, 'close');
    }
  });
});

/** What the client is given of its own program: where it is answered, and where it keeps what it gets. */
class Person implements OAuthClientProvider {
  readonly redirectUrl: string;
  ledTo: URL | undefined;
  private client: OAuthClientInformationMixed | undefined;
  private kept: OAuthTokens | undefined;
  private verifier = '';
  private found: OAuthDiscoveryState | undefined;

  constructor(redirectUrl: string) {
    this.redirectUrl = redirectUrl;
  }

  get clientMetadata() {
    return { client_name: 'Editor', redirect_uris: [this.redirectUrl], token_endpoint_auth_method: 'none' };
  }
  clientInformation = () => this.client;
  saveClientInformation = (client: OAuthClientInformationMixed) => void (this.client = client);
  tokens = () => this.kept;
  saveTokens = (tokens: OAuthTokens) => void (this.kept = tokens);
  redirectToAuthorization = (url: URL) => void (this.ledTo = url);
  saveDiscoveryState = (found: OAuthDiscoveryState) => void (this.found = found);
  discoveryState = () => this.found;
  saveCodeVerifier = (verifier: string) => void (this.verifier = verifier);
  codeVerifier = () => this.verifier;
}
