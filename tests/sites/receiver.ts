// A receiver of webhooks and of chat messages: keeps what came, and answers as a test says.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { serveOnLoopback } from './on-loopback.ts';
import type { LoopbackServer } from './on-loopback.ts';

export interface ReceivedCall {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface ReceiverAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An answer, or what a test does with the response itself. */
export type Answering = (call: ReceivedCall, response: ServerResponse) => ReceiverAnswer | undefined;

export interface Receiver extends LoopbackServer {
  readonly calls: readonly ReceivedCall[];
}

export async function serveReceiver(answering: Answering): Promise<Receiver> {
  const calls: ReceivedCall[] = [];
  const server = await serveOnLoopback((request, response) => {
    void text(request).then((body) => {
      const call = { path: request.url ?? '', headers: request.headers, body };
      calls.push(call);
      const answer = answering(call, response);
      if (answer) response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  });
  return Object.assign(server, { calls });
}
