// A server with what the protocol's conformance suite asks for by name, behind the adapter, kernel and listener of both surfaces.
import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { z } from 'zod';
import { CLOUD_TABLE } from '@weft/contract';
import { McpAdapter, createKernel, createStreamRegistry, listen, mcpHandlers } from '@weft/serve';
import type { IdempotencyStore } from '@weft/serve';
import { cloudPolicy } from '../packages/cloud/src/auth/policy.ts';
import type { McpLibrary } from '../packages/serve/src/mcp/adapter.ts';

type McpServer = InstanceType<McpLibrary['McpServer']>;
type ServerContext = Parameters<ReturnType<McpLibrary['createRequestStateCodec']>['verify']>[1];
type CallToolResult = McpLibrary['isCallToolResult'] extends ((value: unknown) => value is infer Result) ? Result : never;
type InputRequiredResult = ReturnType<McpLibrary['inputRequired']>;

export interface McpFixtures {
  readonly baseUrl: string;
  /** Lets in, as an API key of a cloud does. */
  readonly token: string;
  /** What went wrong inside. */
  readonly failed: readonly unknown[];
  close(): Promise<void>;
}

/** A picture of one pixel and a tenth of a second of silence. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';

/** Starts it on a free port of loopback. */
export async function startMcpFixtures(token: string): Promise<McpFixtures> {
  const failed: unknown[] = [];
  const adapter = new McpAdapter(fixtureServer);
  const actor = { id: 'key_fixture', family: 'wt', scopes: ['read', 'run'] } as const;
  const known = { account: { findActor: async (shown: string) => (shown === token ? actor : undefined) } };
  const kernel = createKernel({
    policy: cloudPolicy({ ...known, consumer: { findActor: async () => undefined } }, { rate: { perSecond: 1e6, burst: 1e6 } }),
    surfaces: [{ table: { mcp: CLOUD_TABLE.mcp }, handlers: { mcp: mcpHandlers(adapter) } }],
    open: {},
    idempotency: NOTHING_IS_REPEATED,
    streams: createStreamRegistry(),
    now: () => performance.now(),
    log: (entry) => void (entry.status >= 500 && failed.push(entry)),
  });
  const listener = await listen(kernel, { address: '127.0.0.1', port: 0 });
  return {
    baseUrl: listener.own.origin,
    token,
    failed,
    async close() {
      await listener.close(1000);
      await adapter.close();
    },
  };
}

/** The row of the protocol takes no key for repeated calls. */
const NOTHING_IS_REPEATED: IdempotencyStore = {
  printKey: randomBytes(32),
  find: () => undefined,
  once: async (_id, effect) => ({ isRepeated: false, effect: await effect() }),
};
/** Of the states that callers hand back. */
const STATE_KEY = randomBytes(32);

type State = { readonly step: number; readonly name?: string };
type States = ReturnType<McpLibrary['createRequestStateCodec']> & { mint(state: State): Promise<string> };
type Asked = CallToolResult | InputRequiredResult;

function fixtureServer(sdk: McpLibrary): McpServer {
  const states: States = sdk.createRequestStateCodec({ key: STATE_KEY });
  const server = new sdk.McpServer(
    { name: 'weft-fixtures', version: '1.0.0' },
    { capabilities: { logging: {}, completions: {}, resources: { subscribe: true } }, requestState: { verify: states.verify } },
  );
  addTools(server, sdk);
  addAskingTools(server, sdk, states);
  addPrompts(server, sdk);
  addResources(server, sdk);
  return server;
}

const text = (said: string) => ({ type: 'text' as const, text: said });
const said = (words: string): CallToolResult => ({ content: [text(words)] });
const picture = { type: 'image' as const, data: PNG, mimeType: 'image/png' };
const resource = (uri: string, mimeType: string, content: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: content },
});

/** Tools that answer at once. */
function addTools(server: McpServer, sdk: McpLibrary): void {
  const add = (name: string, answer: (context: ServerContext) => CallToolResult | Promise<CallToolResult>) =>
    server.registerTool(name, { description: `The suite's ${name}.` }, (context) => answer(context));
  add('test_simple_text', () => said('This is a simple text response for testing.'));
  add('test_image_content', () => ({ content: [picture] }));
  add('test_audio_content', () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }));
  add('test_embedded_resource', () => ({
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }));
  add('test_multiple_content_types', () => ({
    content: [
      text('Multiple content types test:'),
      picture,
      resource('test://mixed-content-resource', 'application/json', JSON.stringify({ test: 'data', value: 123 })),
    ],
  }));
  add('test_error_handling', () => ({ isError: true, ...said('This tool intentionally returns an error for testing') }));
  add('test_tool_with_progress', async ({ mcpReq: { _meta: meta, notify } }) => {
    const progressToken = meta?.progressToken;
    for (const progress of [0, 50, 100])
      if (progressToken !== undefined) await notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
    return said('Done.');
  });
  const logs = async ({ mcpReq }: ServerContext) => {
    for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) await mcpReq.log('info', line);
    return said('Logged.');
  };
  add('test_tool_with_logging', logs);
  add('test_logging_tool', logs);
  add('test_trigger_tool_change', () => said('The list of tools is what it was.'));
  add('test_trigger_prompt_change', () => said('The list of prompts is what it was.'));
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Shows its schema.', inputSchema: sdk.fromJsonSchema(SCHEMA_2020_12) },
    () => said('Shown.'),
  );
}

/** Keywords of 2020-12 that a schema must keep on its way to the caller. */
const SCHEMA_2020_12 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: { address: { $anchor: 'addressDef', type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line no-thenable
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
} as const;

/** Tools that ask back before they answer. */
function addAskingTools(server: McpServer, sdk: McpLibrary, states: States): void {
  const { inputRequired, acceptedContent } = sdk;
  const add = (name: string, answer: (context: ServerContext) => Asked | Promise<Asked>) =>
    server.registerTool(name, { description: `The suite's ${name}.` }, (context) => answer(context));
  const form = (message: string, member: string, type: { readonly type: 'string' } | { readonly type: 'boolean' } = { type: 'string' }) =>
    inputRequired.elicit({ message, requestedSchema: { type: 'object', properties: { [member]: type }, required: [member] } });
  const sampling = (question: string, maxTokens: number) =>
    inputRequired.createMessage({ messages: [{ role: 'user', content: text(question) }], maxTokens });
  const accepted = ({ mcpReq }: ServerContext, name: string, member: string) => acceptedContent(mcpReq.inputResponses, name)?.[member];
  const answers = ({ mcpReq }: ServerContext, ...names: readonly string[]) =>
    names.every((name) => sdk.inputResponse(mcpReq.inputResponses, name).kind !== 'missing');

  const asksName = (context: ServerContext): Asked => {
    const name = accepted(context, 'user_name', 'name');
    if (typeof name === 'string') return said(`Hello, ${name}!`);
    return inputRequired({ inputRequests: { user_name: form('What is your name?', 'name') } });
  };
  add('test_input_required_result_elicitation', asksName);
  add('test_streaming_elicitation', asksName);
  const asksModel = (context: ServerContext): Asked => {
    const answer = sdk.inputResponse(context.mcpReq.inputResponses, 'capital_question');
    if (answer.kind === 'sampling') return said(`The model said: ${JSON.stringify(answer.result)}`);
    return inputRequired({ inputRequests: { capital_question: sampling('What is the capital of France?', 100) } });
  };
  add('test_input_required_result_sampling', asksModel);
  add('test_missing_capability', asksModel);
  add('test_input_required_result_list_roots', (context) => {
    const answer = sdk.inputResponse(context.mcpReq.inputResponses, 'client_roots');
    if (answer.kind === 'roots') return said(`Roots: ${JSON.stringify(answer.roots)}`);
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  const confirms = async (context: ServerContext): Promise<Asked> => {
    if (context.mcpReq.requestState<State>()?.step === 1 && answers(context, 'confirm')) return said('state-ok');
    return inputRequired({
      inputRequests: { confirm: form('Please confirm', 'ok', { type: 'boolean' }) },
      requestState: await states.mint({ step: 1 }),
    });
  };
  add('test_input_required_result_request_state', confirms);
  add('test_input_required_result_tampered_state', confirms);
  add('test_input_required_result_multiple_inputs', async (context) => {
    if (answers(context, 'user_name', 'greeting', 'client_roots')) return said('All three came.');
    return inputRequired({
      inputRequests: {
        user_name: form('What is your name?', 'name'),
        greeting: sampling('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await states.mint({ step: 1 }),
    });
  });
  add('test_input_required_result_multi_round', async (context) => {
    const state = context.mcpReq.requestState<State>();
    const color = accepted(context, 'step2', 'color');
    if (state?.step === 2 && color !== undefined) return said(`${state.name} likes ${String(color)}.`);
    const name = accepted(context, 'step1', 'name');
    const first = { step1: form('Step 1: What is your name?', 'name') };
    if (name === undefined) return inputRequired({ inputRequests: first, requestState: await states.mint({ step: 1 }) });
    const second = { step2: form('Step 2: What is your favorite color?', 'color') };
    return inputRequired({ inputRequests: second, requestState: await states.mint({ step: 2, name: String(name) }) });
  });
  add('test_input_required_result_capabilities', (context) => {
    const { elicitation, sampling: samples, roots } = capabilitiesOf(context);
    if (answers(context, ...(elicitation ? ['user_name'] : []), ...(samples ? ['greeting'] : []), ...(roots ? ['client_roots'] : [])))
      return said('Asked for no more than the caller can.');
    return inputRequired({
      inputRequests: {
        ...(elicitation ? { user_name: form('What is your name?', 'name') } : {}),
        ...(samples ? { greeting: sampling('Generate a greeting', 50) } : {}),
        ...(roots ? { client_roots: inputRequired.listRoots() } : {}),
      },
    });
  });
}

/** What the caller of this request says that it can. */
function capabilitiesOf({ mcpReq }: ServerContext): Readonly<Record<string, unknown>> {
  // A request of the later revision says it among what it says of itself.
  const about: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
  return (about['io.modelcontextprotocol/clientCapabilities'] ?? {}) as Readonly<Record<string, unknown>>;
}

function addPrompts(server: McpServer, sdk: McpLibrary): void {
  const user = <Content>(content: Content) => ({ role: 'user' as const, content });
  server.registerPrompt('test_simple_prompt', { description: 'Simple.' }, () => ({
    messages: [user(text('This is a simple prompt for testing.'))],
  }));
  const two = z.object({
    arg1: sdk.completable(z.string(), (value) => ['paris', 'park', 'party'].filter((one) => one.startsWith(value))),
    arg2: z.string(),
  });
  server.registerPrompt('test_prompt_with_arguments', { description: 'Two arguments.', argsSchema: two }, ({ arg1, arg2 }) => ({
    messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
  }));
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'A resource.', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [
        user(resource(resourceUri, 'text/plain', 'Embedded resource content for testing.')),
        user(text('Please process the embedded resource above.')),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'A picture.' }, () => ({
    messages: [user(picture), user(text('Please analyze the image above.'))],
  }));
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks back.' }, ({ mcpReq }) => {
    const context = sdk.acceptedContent(mcpReq.inputResponses, 'user_context')?.['context'];
    if (context !== undefined) return { messages: [user(text(`In the context of ${String(context)}.`))] };
    const requestedSchema = { type: 'object' as const, properties: { context: { type: 'string' as const } }, required: ['context'] };
    const asks = sdk.inputRequired.elicit({ message: 'What context should the prompt use?', requestedSchema });
    return sdk.inputRequired({ inputRequests: { user_context: asks } });
  });
}

function addResources(server: McpServer, sdk: McpLibrary): void {
  const plain = { description: 'A text.', mimeType: 'text/plain' };
  server.registerResource('static-text', 'test://static-text', plain, () => ({
    contents: [{ uri: 'test://static-text', mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  }));
  server.registerResource('static-binary', 'test://static-binary', { description: 'A picture.', mimeType: 'image/png' }, () => ({
    contents: [{ uri: 'test://static-binary', mimeType: 'image/png', blob: PNG }],
  }));
  server.registerResource('watched-resource', 'test://watched-resource', plain, () => ({
    contents: [{ uri: 'test://watched-resource', mimeType: 'text/plain', text: 'It never changes.' }],
  }));
  const template = new sdk.ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, { description: 'Data by id.', mimeType: 'application/json' }, ({ href }, { id }) => ({
    contents: [
      { uri: href, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }) },
    ],
  }));
}
