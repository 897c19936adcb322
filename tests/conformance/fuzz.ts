// Random Host, Origin and path triples over pipelined connections (A33): no crash, no answer but a refusal.
import assert from 'node:assert/strict';
import { connect } from 'node:net';

export interface FuzzOptions {
  readonly port: number;
  /** How many requests to send. */
  readonly count: number;
  /** The same seed sends the same requests. */
  readonly seed: number;
}

const BATCH = 64;
/** Printable ASCII in the target, no control character in a header. */
const PARSEABLE = /^GET [\x21-\x7e]+ HTTP\/1\.1\r\n([\t\x20-\x7e\x80-\xff]*\r\n)+$/;
/** What a refused request may be answered; a parser that gives up closes the connection after 400 or 431. */
const REFUSALS = new Set([400, 403, 431]);

/** Sends the requests and checks every answer; resolves with how often each status came. Throws at the first that is no refusal. */
export async function fuzzGuard({ port, count, seed }: FuzzOptions): Promise<Readonly<Record<number, number>>> {
  const random = mulberry32(seed);
  const counts: Record<number, number> = {};
  const send = async (requests: readonly string[]) => {
    const statuses = await pipeline(port, requests);
    assert.equal(statuses.length, requests.length, `one answer each to ${JSON.stringify(requests)} (seed ${seed})`);
    statuses.forEach((status, i) => {
      assert.ok(REFUSALS.has(status), `${status} to ${JSON.stringify(requests[i])} (seed ${seed})`);
      counts[status] = (counts[status] ?? 0) + 1;
    });
  };
  let batch: string[] = [];
  for (let made = 0; made < count; made++) {
    const text = randomRequest(random, port);
    // A parser that gives up takes the answers of its whole connection with it, so what it may refuse goes alone.
    if (PARSEABLE.test(text)) batch.push(text);
    else await send([text]);
    if (batch.length < BATCH) continue;
    await send(batch);
    batch = [];
  }
  await send(batch);
  return counts;
}

/** Writes all requests at once; the statuses that came before the connection ended. */
function pipeline(port: number, requests: readonly string[]): Promise<readonly number[]> {
  if (requests.length === 0) return Promise.resolve([]);
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const chunks: string[] = [];
    const finish = () => resolve(statusesOf(chunks.join('')).slice(0, requests.length));
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', finish);
    // The server closes after the last one, so that answers need no counting while they come.
    const last = requests.length - 1;
    socket.write(
      requests.map((text, i) => (i === last ? text.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n') : text)).join(''),
      'latin1',
    );
  });
}

/** Bodies of these answers hold no status line. */
function statusesOf(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
}

/** A request that must be refused: its Host or its Origin is never the agent's own. */
function randomRequest(random: () => number, port: number): string {
  const own = `127.0.0.1:${port}`;
  for (;;) {
    const host = mutate(random, own);
    const origin = random() < 0.3 ? undefined : mutate(random, `http://${own}`);
    if (host.trim() === own && (origin === undefined || origin.trim() === `http://${own}`)) continue;
    const path = `/${mutate(random, 'v1/agent').replaceAll(/[\s\u0000-\u0020]/g, '')}`;
    return `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${origin === undefined ? '' : `Origin: ${origin}\r\n`}\r\n`;
  }
}

const PIECES = [
  '127.0.0.1',
  'localhost',
  ':',
  '8131',
  '@',
  '/',
  '.',
  '[::1]',
  '%00',
  '\t',
  ' ',
  'evil.example',
  'null',
  '\u00e9',
  ',',
  'http://',
  '%2e',
  ';',
  '?',
  '#',
];

/** `text` as it is, with some characters changed, or something else altogether. */
function mutate(random: () => number, text: string): string {
  const pick = (count: number) => Math.floor(random() * count);
  const kind = pick(10);
  if (kind < 2) return text;
  if (kind < 4) return Array.from({ length: 1 + pick(5) }, () => PIECES[pick(PIECES.length)]).join('');
  const characters = [...text];
  for (let changes = 1 + pick(3); changes > 0; changes--) {
    const at = pick(characters.length + 1);
    // One in fifty is a byte that a parser refuses; more would only measure connecting again.
    const code = pick(50) === 0 ? pick(256) : 0x21 + pick(0x5e);
    const other = random() < 0.5 ? String.fromCharCode(code) : (PIECES[pick(PIECES.length)] ?? '');
    characters.splice(at, pick(2), other);
  }
  return characters.join('').replaceAll(/[\r\n]/g, 'x');
}

/** Thirty-two bits of state are enough to repeat a run. */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}
