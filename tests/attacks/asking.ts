// Asks an agent that is a process of its own, over a connection for each question: what is cut off is seen as that.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Program } from '../conformance/program.ts';

export interface Question {
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RemoteAgent {
  readonly program: Program;
  readonly token: string;
}

/** The head of an answer; its body is the caller's to read. Throws where the connection ends without a status. */
export async function askHead({ program, token }: RemoteAgent, { method, path, body, headers }: Question): Promise<IncomingMessage> {
  const asked = request(`${program.baseUrl}${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    agent: false,
  });
  asked.end(body === undefined ? undefined : JSON.stringify(body));
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return answer;
}

/** The status and the whole text of an answer; who is told to come back later does. */
export async function ask(agent: RemoteAgent, question: Question): Promise<{ status: number; text: string; link: string | undefined }> {
  for (;;) {
    const answer = await askHead(agent, question);
    const pieces: Buffer[] = [];
    for await (const piece of answer) pieces.push(piece as Buffer);
    assert.ok(answer.complete, `the answer to ${question.path} was cut`);
    const { statusCode: status = 0 } = answer;
    const after = Number(answer.headers['retry-after']);
    if (status === 429 && after > 0) await sleep(after * 1000);
    else return { status, text: Buffer.concat(pieces).toString(), link: /<(.*)>/.exec(String(answer.headers.link ?? ''))?.[1] };
  }
}

/** The JSON that an answer of one of `statuses` holds. */
export async function askJson<T>(agent: RemoteAgent, question: Question, statuses: readonly number[] = [200, 201, 202]): Promise<T> {
  const { status, text } = await ask(agent, question);
  assert.ok(statuses.includes(status), `${status} for ${question.path}: ${text.slice(0, 200)}`);
  return JSON.parse(text) as T;
}
