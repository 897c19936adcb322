// A second server on the kernel, as different from the agent as a policy can make it: run as a process, on a database that several share.
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '@weft/contract';
import type { Operation } from '@weft/contract';
import { createKernel, createStreamRegistry, findBearer, findHeader, jsonAnswer, listen } from '@weft/serve';
import { readBody } from '../../packages/serve/src/wire/body.ts';
import type { AnyCreation, IdempotencyNote, IdempotencyStore, Incoming, Policy, RateLimiter } from '@weft/serve';
import { z } from 'zod';
import { BURST, KNOWN } from './settings.ts';

const Book = z.strictObject({ id: z.string(), title: z.string() });
const Reference = z.strictObject({ id: z.string() });
const RpcCall = z.object({ jsonrpc: z.literal('2.0'), id: z.int(), method: z.string() });
const json = (schema: z.ZodType) => ({ 'application/json': schema });

const ROWS = {
  create: {
    id: 'shelf.create',
    method: 'POST',
    path: '/api/shelf',
    summary: 'Puts a book on the shelf.',
    scopes: ['run'],
    body: z.strictObject({ title: z.string() }),
    replies: { 201: { description: 'the book', content: json(Book) } },
    idempotency: 'replay',
  },
  read: {
    id: 'shelf.read',
    method: 'GET',
    path: '/api/shelf/{id}',
    summary: 'A book, for whom it is.',
    scopes: ['read', 'run:own'],
    params: Reference,
    replies: { 200: { description: 'the book', content: json(Book) } },
    errors: ['not_found'],
    owned: 'run',
  },
  count: {
    id: 'shelf.count',
    method: 'GET',
    path: '/api/count',
    summary: 'How many books there are, told to anybody.',
    scopes: ['read'],
    credentials: ['none', 'keyless'],
    replies: { 200: { description: 'a number', content: json(z.strictObject({ count: z.int() })) } },
  },
  call: {
    id: 'shelf.call',
    method: 'POST',
    path: '/rpc',
    summary: 'The same by JSON-RPC.',
    scopes: ['run'],
    bodyType: 'json-rpc',
    body: RpcCall,
    replies: { 200: { description: 'a result', content: json(z.strictObject({ jsonrpc: z.string(), id: z.int(), result: z.string() })) } },
  },
} as const satisfies Readonly<Record<string, Operation>>;

/** Every store answers later than it is asked, and a rate is one for all processes. */
class Shared implements IdempotencyStore, RateLimiter {
  readonly printKey = Buffer.alloc(32, 7);
  readonly sql: DatabaseSync;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.sql = new DatabaseSync(path, { timeout: 10_000 });
    this.sql.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;
      CREATE TABLE IF NOT EXISTS book (id TEXT PRIMARY KEY, title TEXT NOT NULL, owner TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS note (id TEXT PRIMARY KEY, print TEXT NOT NULL, effect TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS bucket (id TEXT PRIMARY KEY, taken INTEGER NOT NULL);`);
  }

  async find(id: string): Promise<IdempotencyNote | undefined> {
    await nextTurn();
    const row = this.sql.prepare('SELECT print, effect FROM note WHERE id = ?').get(id) as { print: string; effect: string } | undefined;
    return row && { print: row.print, effect: JSON.parse(row.effect) as unknown };
  }

  async once<E>(id: string, work: () => E | Promise<E>, noteOf: (effect: E) => IdempotencyNote) {
    return await this.transaction(async () => {
      const note = await this.find(id);
      if (note) return { isRepeated: true, note } as const;
      const effect = await work();
      await nextTurn();
      const made = noteOf(effect);
      this.sql.prepare('INSERT INTO note VALUES (?, ?, ?)').run(id, made.print, JSON.stringify(made.effect));
      return { isRepeated: false, effect } as const;
    });
  }

  async take(key: string) {
    return await this.transaction(async () => {
      await nextTurn();
      const { taken } = this.sql
        .prepare('INSERT INTO bucket VALUES (?, 1) ON CONFLICT (id) DO UPDATE SET taken = taken + 1 RETURNING taken')
        .get(key) as { taken: number };
      return { allowed: taken <= BURST, remaining: Math.max(0, BURST - taken), retryAfterSeconds: taken <= BURST ? 0 : 3600 };
    });
  }

  /** One at a time in this process; the file's lock holds the others. */
  private async transaction<T>(work: () => Promise<T>): Promise<T> {
    const run = async () => {
      this.sql.exec('BEGIN IMMEDIATE');
      try {
        const result = await work();
        this.sql.exec('COMMIT');
        return result;
      } catch (error) {
        this.sql.exec('ROLLBACK');
        throw error;
      }
    };
    const turn = this.turn.then(run, run);
    this.turn = turn.catch(() => undefined);
    return await turn;
  }
}

const [path = '', name = ''] = process.argv.slice(2);
const shared = new Shared(path);
const read = (id: string) => shared.sql.prepare('SELECT id, title FROM book WHERE id = ?').get(id) as z.output<typeof Book> | undefined;

const policy: Policy = {
  addressesOf: ({ host }) => [{ host: `shelf.test:${host.split(':')[1]}`, origin: `http://shelf.test:${host.split(':')[1]}` }],
  isInside: (at) => at.startsWith('/api/') || at === '/rpc',
  credentials: ['wt', 'csk'],
  findCredential(request) {
    const id = findHeader(request, 'x-client-id');
    return id === undefined ? findBearer(request) : { kind: 'keyless', text: id };
  },
  showsAny: (request) => findHeader(request, 'authorization') !== undefined || findHeader(request, 'x-client-id') !== undefined,
  async authenticate({ kind, text }) {
    await nextTurn();
    if (kind === 'keyless') return /^[a-z]{16}$/.test(text) ? { id: `client ${text}`, family: 'keyless', scopes: ['read'] } : undefined;
    const known = KNOWN[text];
    return known && { ...known, family: kind };
  },
  anonymous: ({ remoteAddress }) => ({ id: `address ${remoteAddress}`, family: 'none', scopes: ['read'] }),
  async ownerOfRun(id) {
    await nextTurn();
    return (shared.sql.prepare('SELECT owner FROM book WHERE id = ?').get(id) as { owner: string } | undefined)?.owner;
  },
  rateOf: () => ({ perSecond: 1 / 3600, burst: BURST }),
  challenge: () => 'Bearer',
  sentences: {
    foreign: (addresses) => `Call ${addresses.map(({ origin }) => origin).join(' or ')}.`,
    missing: (operation) => `Show a key that ${operation?.id ?? 'this path'} takes.`,
    unknown: () => 'This key is not known.',
    runtimeOnly: 'Nobody may do this.',
    internal: 'The shelf broke.',
  },
};

const shelf: AnyCreation = {
  async effect({ body, actor }) {
    const { title } = body as { title: string };
    const id = `book_${title}_${name}_${shared.sql.prepare('SELECT count(*) AS n FROM book').get()?.['n']}`;
    await nextTurn();
    if (title === 'torn') throw new AppError('conflict', 'A torn book is not taken.', { members: { balance: 3 } });
    shared.sql.prepare('INSERT INTO book VALUES (?, ?, ?)').run(id, title, actor.id);
    return id;
  },
  answer: (id) => ({ status: 201, body: read(String(id)) }),
};

const kernel = createKernel({
  policy,
  surfaces: [
    {
      table: { shelf: ROWS },
      handlers: {
        shelf: {
          create: shelf,
          read: ({ params }) => ({ status: 200, body: read(Reference.parse(params).id) }),
          count: () => ({ status: 200, body: { count: shared.sql.prepare('SELECT count(*) AS n FROM book').get()?.['n'] } }),
          call: ({ body }) => {
            const { id, method } = RpcCall.parse(body);
            return { status: 200, body: { jsonrpc: '2.0', id, result: method } };
          },
        },
      },
    },
  ],
  open: {
    '/consent': { methods: ['GET', 'POST'], isNavigable: true, answer: consent },
    '/lines': {
      methods: ['GET'],
      answer: () => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: lines() }),
    },
  },
  idempotency: shared,
  limiter: shared,
  streams: createStreamRegistry(),
  now: () => performance.now(),
  log: () => undefined,
});

/** A page with a form, which the shared policy for content would not let a person send. */
async function consent(request: Incoming) {
  if (request.method === 'POST') return jsonAnswer(200, { sent: Buffer.from(await readBody(request.body, 100)).toString() });
  const headers = { 'content-type': 'text/html', 'content-security-policy': "default-src 'none'; form-action 'self'" };
  return { status: 200, headers, body: '<form method="post"><button>Allow</button></form>' };
}

async function* lines() {
  for (let i = 1; i <= 3; i++) {
    await nextTurn();
    yield `line ${i}\n`;
  }
}

const listener = await listen(kernel, { port: 0 });
process.stdout.write(`${listener.port}\n`);
