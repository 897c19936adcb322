// A model on loopback that says what a test tells it to, in either of the two formats, whole or as a stream. It keeps what it was asked.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { serveOnLoopback } from './on-loopback.ts';

/** What a model was asked, in the words that both formats have. */
export interface AskedModel {
  readonly format: 'openai' | 'anthropic';
  readonly headers: IncomingMessage['headers'];
  /** The whole body. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly mode: 'json_schema' | 'tool' | 'text';
  readonly isStreamed: boolean;
  readonly system: string;
  readonly text: string;
  /** The tool that is offered; empty where none is. */
  readonly tool: string;
  /** What the answer must fit; undefined where it is told in words alone. */
  readonly schema: Readonly<Record<string, unknown>> | undefined;
}

/** What it does then. `text` is said as the mode wants it; `raw` is sent as it is; `cut` breaks the connection after so many bytes. */
export type ModelReply =
  | { readonly text: string; readonly ending?: string; readonly usage?: boolean; readonly cutAfter?: number }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly message?: string }
  | { readonly raw: string | Uint8Array; readonly contentType?: string }
  | { readonly never: true };

export interface ModelServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` with the path of the format. */
  readonly baseUrl: { readonly openai: string; readonly anthropic: string };
  readonly asked: readonly AskedModel[];
}

/** Starts a model. `reply` is called for each question, in order. */
export async function startModelServer(
  reply: (asked: AskedModel, count: number) => ModelReply | Promise<ModelReply>,
): Promise<ModelServer> {
  const asked: AskedModel[] = [];
  const server = await serveOnLoopback((request, response) => {
    void (async () => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk as Uint8Array);
      // The client under test writes it.
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Readonly<Record<string, unknown>>;
      const question = readQuestion(request, body);
      asked.push(question);
      send(response, question, await reply(question, asked.length));
    })().catch(() => response.destroy());
  });
  const { origin } = server;
  return {
    baseUrl: { openai: `${origin}/v1`, anthropic: `${origin}/anthropic` },
    asked,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

interface Message {
  readonly role: string;
  readonly content: string;
}

function readQuestion({ url = '', headers }: IncomingMessage, body: Readonly<Record<string, unknown>>): AskedModel {
  const format = url.startsWith('/anthropic') ? 'anthropic' : 'openai';
  // As the client under test writes them; a test that reads something else fails by it.
  const messages = body['messages'] as readonly Message[];
  const tool = (body['tools'] as readonly Readonly<Record<string, unknown>>[] | undefined)?.[0];
  const asks = body['response_format'] as { readonly json_schema: { readonly schema: Readonly<Record<string, unknown>> } } | undefined;
  const parameters = (tool?.['function'] as { readonly parameters?: object } | undefined)?.parameters ?? tool?.['input_schema'];
  const said = (role: string) => messages.find((message) => message.role === role)?.content ?? '';
  return {
    format,
    headers,
    body,
    mode: asks ? 'json_schema' : tool ? 'tool' : 'text',
    isStreamed: body['stream'] === true,
    system: format === 'openai' ? said('system') : String(body['system']),
    text: said('user'),
    tool: (tool?.['function'] as { readonly name?: string } | undefined)?.name ?? String(tool?.['name'] ?? ''),
    schema: asks?.json_schema.schema ?? (parameters as Readonly<Record<string, unknown>> | undefined),
  };
}

function send(response: ServerResponse, question: AskedModel, reply: ModelReply): void {
  if ('never' in reply) return;
  if ('status' in reply) {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(JSON.stringify({ error: { type: 'error', message: reply.message ?? 'no' } }));
    return;
  }
  if ('raw' in reply) {
    response.writeHead(200, { 'content-type': reply.contentType ?? 'application/json' });
    response.end(reply.raw);
    return;
  }
  const { isStreamed } = question;
  const text = isStreamed ? streamOf(question, reply) : JSON.stringify(wholeOf(question, reply));
  response.writeHead(200, {
    'content-type': isStreamed ? 'text/event-stream' : 'application/json',
    ...(reply.cutAfter === undefined ? {} : { 'content-length': Buffer.byteLength(text) }),
  });
  if (reply.cutAfter === undefined) response.end(text);
  else response.write(Buffer.from(text).subarray(0, reply.cutAfter), () => response.socket?.destroy());
}

type Said = Extract<ModelReply, { readonly text: string }>;

function wholeOf(asked: AskedModel, { text, ending, usage = true }: Said): object {
  const { format, mode, schema } = asked;
  if (format === 'anthropic') {
    const block =
      mode === 'tool' && schema ? { type: 'tool_use', id: 't1', name: asked.tool, input: parsedOr(text) } : { type: 'text', text };
    return {
      type: 'message',
      content: [block],
      stop_reason: ending ?? (mode === 'tool' ? 'tool_use' : 'end_turn'),
      ...(usage ? { usage: { input_tokens: 11, output_tokens: 7 } } : {}),
    };
  }
  const call = { id: 'c1', type: 'function', function: { name: asked.tool, arguments: text } };
  const message = mode === 'tool' ? { role: 'assistant', content: null, tool_calls: [call] } : { role: 'assistant', content: text };
  return {
    choices: [{ index: 0, message, finish_reason: ending ?? (mode === 'tool' ? 'tool_calls' : 'stop') }],
    ...(usage ? { usage: { prompt_tokens: 11, completion_tokens: 7 } } : {}),
  };
}

function streamOf(asked: AskedModel, { text, ending, usage = true }: Said): string {
  const { format, mode } = asked;
  const parts = text.match(/[^]{1,20}/g) ?? [''];
  if (format === 'anthropic') {
    const delta = (part: string) =>
      mode === 'tool' ? { type: 'input_json_delta', partial_json: part } : { type: 'text_delta', text: part };
    const events = [
      { type: 'message_start', message: usage ? { usage: { input_tokens: 11, output_tokens: 1 } } : {} },
      { type: 'content_block_start', index: 0, content_block: mode === 'tool' ? { type: 'tool_use', name: asked.tool } : { type: 'text' } },
      { type: 'ping' },
      ...parts.map((part) => ({ type: 'content_block_delta', index: 0, delta: delta(part) })),
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: ending ?? (mode === 'tool' ? 'tool_use' : 'end_turn') },
        ...(usage ? { usage: { output_tokens: 7 } } : {}),
      },
      { type: 'message_stop' },
    ];
    return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  }
  const delta = (part: string) =>
    mode === 'tool' ? { tool_calls: [{ index: 0, function: { name: asked.tool, arguments: part } }] } : { content: part };
  const events = [
    { choices: [{ index: 0, delta: { role: 'assistant', content: null }, finish_reason: null }] },
    ...parts.map((part) => ({ choices: [{ index: 0, delta: delta(part), finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: ending ?? (mode === 'tool' ? 'tool_calls' : 'stop') }] },
    ...(usage ? [{ choices: [], usage: { prompt_tokens: 11, completion_tokens: 7 } }] : []),
  ];
  return `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`;
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
