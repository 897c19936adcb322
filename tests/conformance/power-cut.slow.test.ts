// What was acknowledged last before the power went, on a real disk with a journal: nothing is synced but what the agent syncs.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { findPrivate } from '../../packages/serve/src/base/private-files.ts';
import { startSite } from '../sites/crawl-sites.ts';
import type { LocalSite } from '../sites/crawl-sites.ts';
import { mountJournalledDisk, whyNoDisk } from './disks.ts';
import { startProgram } from './program.ts';

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

type Send = (method: string, path: string, body?: object) => Promise<Answer>;

interface Promised {
  readonly name: string;
  /** Until what counts is acknowledged; it is the last that is. */
  act(send: Send): Promise<string>;
  /** Throws when what `act` answered is lost. */
  check(send: Send, acted: string): Promise<void>;
}

let site: LocalSite;
let disk: ReturnType<typeof mountJournalledDisk>;
const crawlOptions = () => ({ url: `${site.origin}/`, sitemap: 'skip' });

async function find(send: Send, path: string): Promise<Answer['body']> {
  const { status, body } = await send('GET', path);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

async function make(send: Send, path: string, body: object): Promise<string> {
  const made = await send('POST', path, body);
  assert.ok([201, 202].includes(made.status), JSON.stringify(made));
  return `${path}/${String(made.body['slug'] ?? made.body['id'])}`;
}

function upload(): FormData {
  const form = new FormData();
  form.append('file', new Blob(['What it holds. '.repeat(1000)], { type: 'text/plain' }), 'upload.txt');
  return form;
}

const saved = (send: Send) => make(send, '/v1/crawl/definitions', { ...crawlOptions(), name: 'Saved' });

const PROMISES: readonly Promised[] = [
  {
    name: 'that the token was changed',
    act: async (send) => String((await send('POST', '/x/token/rotate')).body['token']),
    check: async (_send, token) => assert.equal(findPrivate(join(disk.path, 'token'))?.trim(), token),
  },
  {
    name: 'a key',
    act: (send) => make(send, '/v1/keys', { name: 'of a client', scopes: 'read' }),
    check: async (send, path) => void (await find(send, path)),
  },
  {
    name: 'an uploaded file, with its bytes',
    act: (send) => make(send, '/v1/files', upload()),
    check: async (send, path) => void (await find(send, path), await find(send, `${path}/content`)),
  },
  {
    name: 'a crawl, which goes on',
    act: (send) => make(send, '/v1/crawl', crawlOptions()),
    check: async (send, path) => assert.match(String((await find(send, path))['status']), /^(queued|running)$/),
  },
  {
    name: 'that a crawl was cancelled',
    async act(send) {
      const path = await make(send, '/v1/crawl', crawlOptions());
      assert.equal((await send('POST', `${path}/cancel`)).status, 200);
      return path;
    },
    check: async (send, path) => assert.equal((await find(send, path))['status'], 'cancelled'),
  },
  { name: 'a saved crawl', act: saved, check: async (send, path) => void (await find(send, path)) },
  {
    name: 'a change of a saved crawl',
    async act(send) {
      const path = await saved(send);
      assert.equal((await send('PATCH', path, { name: 'Changed' })).status, 200);
      return path;
    },
    check: async (send, path) => assert.equal((await find(send, path))['name'], 'Changed'),
  },
  {
    name: 'that a saved crawl was deleted',
    async act(send) {
      const path = await saved(send);
      assert.equal((await send('DELETE', path)).status, 204);
      return path;
    },
    check: async (send, path) => assert.equal((await send('GET', path)).status, 404),
  },
];

suite('a power cut takes nothing that was acknowledged', { skip: whyNoDisk(mountJournalledDisk), timeout: 600_000 }, () => {
  // Pages of the site never come, so that a crawl of it writes nothing more.
  before(async () => {
    site = await startSite(() => new Promise(() => undefined));
    disk = mountJournalledDisk();
  });
  after(async () => {
    disk[Symbol.dispose]();
    await site.close();
  });

  for (const { name, act, check } of PROMISES)
    test(name, async () => {
      const acted = await liveOn(disk.path, async (send) => {
        const done = await act(send);
        disk.cutPower();
        return done;
      });
      disk.remount();
      await liveOn(disk.path, (send) => check(send, acted));
    });
});

/** One life of an agent on a home, ended by SIGKILL. */
async function liveOn<T>(home: string, work: (send: Send) => Promise<T>): Promise<T> {
  await using program = await startProgram({ home });
  const authorization = `Bearer ${await program.ready()}`;
  return await work(async (method, path, body) => {
    const isForm = body instanceof FormData;
    const headers = { authorization, ...(isForm ? {} : { 'content-type': 'application/json' }) };
    const sent = body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) };
    const response = await fetch(`${program.baseUrl}${path}`, { method, headers, ...sent });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, body: isJson ? (JSON.parse(text) as Answer['body']) : { text } };
  });
}
