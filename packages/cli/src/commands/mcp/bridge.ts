// weft mcp: carries messages between standard input and output and the agent's own /mcp, one line each.
import { createInterface } from 'node:readline';
import { readEventStream } from '@weft/client/node';
import type { FoundAgent } from '@weft/client/node';
import type { CommandRun } from '../../spec.ts';

/** What the bridge reads of a message; the rest is carried. */
interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly requestId?: string | number;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
}

const VERSION_META = 'io.modelcontextprotocol/protocolVersion';
const INTERNAL = -32_603;
const UNPARSED = -32_700;

export const run: CommandRun = async (context) => {
  const agent = await context.agent();
  const underWay = new Map<string | number, AbortController>();
  const pending = new Set<Promise<void>>();
  for await (const line of createInterface({ input: process.stdin, signal: context.signal })) {
    if (line.trim() === '') continue;
    const message = parseLine(line);
    if (!message) write({ jsonrpc: '2.0', id: null, error: { code: UNPARSED, message: 'This line is no JSON-RPC message.' } });
    else if (message.method === 'notifications/cancelled') underWay.get(message.params?.requestId ?? '')?.abort();
    else {
      const carried = carry(line, message, agent, underWay).finally(() => pending.delete(carried));
      pending.add(carried);
    }
  }
  // What was asked before the input ended is answered; whoever wants no more ends the command.
  context.signal.addEventListener('abort', () => underWay.forEach((controller) => controller.abort()));
  await Promise.all(pending);
};

function parseLine(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Sends one message and writes what comes back; a request is always answered, unless it was cancelled. */
async function carry(line: string, message: Message, agent: FoundAgent, underWay: Map<string | number, AbortController>): Promise<void> {
  const controller = new AbortController();
  const { id } = message;
  if (id !== undefined) underWay.set(id, controller);
  try {
    const response = await fetch(`${agent.baseUrl}/mcp`, {
      method: 'POST',
      headers: headersOf(message, agent.token),
      body: line,
      signal: controller.signal,
    });
    await writeAnswer(response, id);
  } catch (error) {
    if (!controller.signal.aborted) refuse(id, `The agent did not answer: ${(error as Error).message}`);
  } finally {
    if (id !== undefined) underWay.delete(id);
  }
}

/** The headers that must repeat what the message says (MCP 2026-07-28, Streamable HTTP). */
function headersOf({ method, params }: Message, token: string): Record<string, string> {
  const version = params?._meta?.[VERSION_META];
  const isModern = typeof version === 'string';
  return {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(isModern ? { 'mcp-protocol-version': version } : {}),
    ...(isModern && method !== undefined ? { 'mcp-method': method } : {}),
    ...(isModern && method === 'tools/call' && typeof params?.name === 'string' ? { 'mcp-name': params.name } : {}),
  };
}

async function writeAnswer(response: Response, id: string | number | undefined): Promise<void> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream') && response.body) {
    for await (const { data } of readEventStream(response.body)) process.stdout.write(`${data}\n`);
    return;
  }
  const body: unknown = type.startsWith('application/json') ? await response.json() : await response.text();
  if (isRpc(body)) write(body);
  else if (!response.ok) refuse(id, sentenceOf(body) ?? `The agent answered ${response.status}.`);
}

function isRpc(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'jsonrpc' in body;
}

/** Of a refusal before the protocol had its turn, such as a token that is gone. */
function sentenceOf(body: unknown): string | undefined {
  return typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string' ? body.error : undefined;
}

function refuse(id: string | number | undefined, message: string): void {
  if (id !== undefined) write({ jsonrpc: '2.0', id, error: { code: INTERNAL, message } });
}

function write(message: unknown): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
