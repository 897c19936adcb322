// Files through the agent's kernel: what is sent, what is kept on disk, what comes back. Case numbers: docs/decisions/0002-conformance-cases.md.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, suite, test } from 'node:test';
import type { FileDescriptor } from '@weft/contract';
import { receiveUpload } from '../../packages/daemon/src/files/upload.ts';
import { createBlobs } from '../../packages/daemon/src/blobs/blob.ts';
import { startTestAgent } from '../agent.ts';
import type { KernelAgent } from '../conformance/kernel.ts';
import { startKernelAgent } from '../conformance/kernel.ts';

const BOUNDARY = 'edge';
const END = `--${BOUNDARY}--\r\n`;

interface Part {
  readonly name?: string;
  /** The header's value after `filename=`; left out for a field. */
  readonly filename?: string | undefined;
  readonly type?: string;
  readonly content?: string;
}

function part({ name = 'file', filename, type = 'text/plain', content = 'hello' }: Part): string {
  const named = filename === undefined ? '' : `; filename=${filename}`;
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${named}\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`;
}

const FILE = part({ filename: '"a.txt"' });

/** Files below the agent's blobs, drafts among them. */
function stored({ home }: KernelAgent): string[] {
  return readdirSync(join(home, 'blobs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
}

async function send(agent: KernelAgent, body: string | Uint8Array, contentType = `multipart/form-data; boundary=${BOUNDARY}`) {
  const headers = ['Content-Type', contentType];
  const response = await agent.call({ method: 'POST', target: '/v1/files', token: agent.token, headers, body });
  return { status: response.status, body: (await response.json()) as FileDescriptor & { error: string; code: string } };
}

async function download(agent: KernelAgent, id: string, headers: readonly string[] = []) {
  const response = await agent.call({ target: `/v1/files/${id}/content`, token: agent.token, headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Bodies that are no form, and forms that are broken; none may leave anything behind. */
const REFUSED: readonly (readonly [name: string, body: string, contentType?: string])[] = [
  ['F53 a form without a boundary', FILE + END, 'multipart/form-data'],
  ['F53 a form with an empty boundary', FILE + END, 'multipart/form-data; boundary='],
  ['F53 a form with another boundary', FILE + END, 'multipart/form-data; boundary=other'],
  ['F53 a form without its end', FILE.slice(0, -2)],
  ['F53 a form that ends inside a header', `--${BOUNDARY}\r\nContent-Disposition: form-`],
  ['F53 an empty body', ''],
  ['F53 a form without parts', END],
  ['F53 a form with fields alone', part({ name: 'a' }) + END],
  ['F53 a form whose file has a line break in its name', part({ filename: '"a\nb"' }).replace('Content-Type: text/plain', 'X: y') + END],
];

/** Forms with odd names: the name is shown safely and the bytes are kept by their hash. */
const NAMES: readonly (readonly [filename: string, shown: string])[] = [
  ['"../../x"', 'x'],
  ['"/etc/passwd"', 'passwd'],
  ['"C:\\\\a\\\\b.txt"', 'b.txt'],
  ['"con"', '_con'],
  [`"${'x'.repeat(300)}"`, 'x'.repeat(200)],
  ['"a\u202eb.txt"', 'ab.txt'],
  ['"."', 'file'],
  ['""', 'file'],
  ['"\u0444\u0430\u0439\u043b.txt"', '\u0444\u0430\u0439\u043b.txt'],
];

suite('files', () => {
  let agent: KernelAgent;
  before(async () => void (agent = await startKernelAgent()));
  after(() => agent[Symbol.asyncDispose]());

  for (const [name, body, contentType] of REFUSED)
    test(`${name} is refused and leaves nothing behind`, async () => {
      const before = stored(agent);
      const answer = await send(agent, body, contentType);
      assert.deepEqual([answer.status, answer.body.code], [400, 'bad_request'], JSON.stringify(answer.body));
      assert.deepEqual(stored(agent), before);
    });

  for (const [filename, shown] of NAMES)
    test(`F52 an upload called ${filename.slice(0, 24)} is shown as ${shown.slice(0, 24)}`, async () => {
      const { status, body } = await send(agent, part({ filename, content: filename }) + END);
      assert.deepEqual([status, body.name], [201, shown]);
      assert.ok(existsSync(join(agent.home, 'blobs', body.sha256.slice(0, 2), body.sha256.slice(2))));
    });

  test('F53 of two files the first is kept', async () => {
    const { body } = await send(agent, part({ filename: '"1"', content: 'one' }) + part({ filename: '"2"', content: 'two' }) + END);
    assert.equal((await download(agent, body.id)).text, 'one');
  });

  test('F53 a hundred thousand parts are read to the end without keeping any behind the first hundred', async () => {
    const { status, body } = await send(agent, part({ filename: '"1"' }) + part({ name: 'x', content: '' }).repeat(100_000) + END);
    assert.deepEqual([status, body.bytes], [201, 5]);
  });

  test('F53 a part that lies about its length is as long as it is', async () => {
    const body = FILE.replace('\r\n\r\n', '\r\nContent-Length: 99999\r\n\r\n') + END;
    assert.equal((await send(agent, body)).body.bytes, 5);
  });

  test('F53 a form inside a file stays bytes', async () => {
    const content = `--inner\r\nContent-Disposition: form-data; name="x"; filename="y"\r\n\r\nz\r\n--inner--`;
    assert.equal((await send(agent, part({ filename: '"a"', content }) + END)).body.bytes, content.length);
  });

  test('F54 an empty file is a file', async () => {
    const { status, body } = await send(agent, part({ filename: '"a"', content: '' }) + END);
    assert.deepEqual([status, body.bytes], [201, 0]);
    const { status: read, text } = await download(agent, body.id);
    assert.deepEqual([read, text], [200, '']);
    assert.equal((await download(agent, body.id, ['Range', 'bytes=0-0'])).status, 416);
  });

  test('F54 a file above the limit is refused while it comes, and leaves nothing behind', async () => {
    const blobs = createBlobs(join(agent.home, 'blobs'), agent.database, agent.clock);
    const before = stored(agent);
    const form = (async function* () {
      yield Buffer.from(part({ filename: '"a"', content: '' }).slice(0, -2));
      for (let i = 0; i < 30; i++) yield randomBytes(100_000);
    })();
    const take = (given: { readonly content: AsyncIterable<Uint8Array> }) => blobs.write(given.content);
    await assert.rejects(
      receiveUpload(form, `multipart/form-data; boundary=${BOUNDARY}`, take, blobs.discard, 1_000_000),
      /larger than 1000000 bytes/,
    );
    assert.deepEqual(stored(agent), before);
  });

  test('F54 an upload whose sender goes away, or whose disk is full, leaves nothing behind', async () => {
    const blobs = createBlobs(join(agent.home, 'blobs'), agent.database, agent.clock);
    const before = stored(agent);
    const broken = (async function* () {
      yield Buffer.from(FILE);
      throw new Error('aborted');
    })();
    const type = `multipart/form-data; boundary=${BOUNDARY}`;
    await assert.rejects(
      receiveUpload(broken, type, (given) => blobs.write(given.content), blobs.discard),
      { code: 'bad_request' },
    );
    const full = { ...blobs, write: createBlobs(join(agent.home, 'blobs'), agent.database, agent.clock, () => 1).write };
    const endless = (async function* () {
      yield Buffer.from(part({ filename: '"a"', content: '' }).slice(0, -2));
      for (let i = 0; i < 30; i++) yield randomBytes(100_000);
    })();
    await assert.rejects(
      receiveUpload(endless, type, (given) => full.write(given.content), blobs.discard),
      { code: 'device_capacity' },
    );
    assert.deepEqual(stored(agent), before);
  });

  test('F20 a file that can not be noted leaves nothing behind, and takes nothing from one with the same bytes', async () => {
    await using own = await startKernelAgent();
    const kept = await send(own, FILE + END);
    const [content] = stored(own);
    const other = new DatabaseSync(join(own.home, 'weft.db'));
    other.exec('BEGIN IMMEDIATE');
    for (const form of [FILE, part({ filename: '"b.txt"', content: 'other bytes' })]) {
      const { status, body } = await send(own, form + END);
      assert.deepEqual([status, body.code], [500, 'internal']);
      assert.match(body.error, /Another program holds the database/);
      assert.deepEqual(stored(own), [content]);
    }
    other.close();
    assert.equal((await download(own, kept.body.id)).text, 'hello');
    assert.equal((await send(own, FILE + END)).status, 201);
  });

  test('F54 what a dead process left behind is gone after the next start; what is used stays', async () => {
    const { body } = await send(agent, part({ filename: '"kept"', content: 'kept content' }) + END);
    writeFileSync(join(agent.home, 'blobs', 'drafts', 'left'), 'half');
    const { sha256 } = body;
    const [orphan, stranger] = ['f', 'e'].map((digit) => join(agent.home, 'blobs', sha256.slice(0, 2), digit.repeat(62)));
    for (const path of [orphan, stranger]) writeFileSync(path as string, 'content');
    // A process noted what it was moving, and died before anything used it.
    agent.database.fast.prepare('INSERT INTO blob_move (hash) VALUES (?), (?)').run(sha256.slice(0, 2) + 'f'.repeat(62), sha256);
    const blobs = createBlobs(join(agent.home, 'blobs'), agent.database, agent.clock);
    assert.deepEqual(blobs.sweep(), { drafts: 1, blobs: 1 });
    assert.deepEqual([existsSync(orphan as string), existsSync(stranger as string), stored(agent).includes('left')], [false, true, false]);
    assert.equal((await download(agent, body.id)).text, 'kept content');
    assert.deepEqual(blobs.sweep(), { drafts: 0, blobs: 0 });
    rmSync(stranger as string);
  });

  test('F5 a database that was restored from an older copy takes nothing from files that it does not know', async () => {
    const before = stored(agent);
    const older = await startKernelAgent();
    try {
      await send(agent, part({ filename: '"later"', content: 'came after the copy' }) + END);
      createBlobs(join(agent.home, 'blobs'), older.database, agent.clock).sweep();
      assert.equal(stored(agent).length, before.length + 1);
    } finally {
      await older[Symbol.asyncDispose]();
    }
  });

  for (const [name, content] of [
    ['plain', randomBytes(200_000).toString('latin1')],
    ['packed', 'word '.repeat(100_000)],
  ] as const)
    for (const [damage, change] of [
      ['a turned bit', (bytes: Buffer) => bytes.fill((bytes[bytes.length >> 1] ?? 0) ^ 1, bytes.length >> 1, (bytes.length >> 1) + 1)],
      ['a lost end', (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)],
      ['nothing left', () => Buffer.alloc(0)],
    ] as const)
      test(`attack 10: ${damage} in a ${name} content is never served as good, and is told`, async () => {
        await using own = await startKernelAgent();
        const { body } = await send(own, part({ filename: '"kept"', content }) + END);
        const path = join(own.home, 'blobs', body.sha256.slice(0, 2), body.sha256.slice(2));
        const healthy = (await own.json('GET', '/v1/health')).body as { parts: { name: string; status: string }[] };
        const statusOf = (health: typeof healthy) => health.parts.find((one) => one.name === 'files')?.status;
        assert.equal(statusOf(healthy), 'ok');
        writeFileSync(path, change(readFileSync(path)));
        const read = async (headers: readonly string[] = []) => {
          const response = await own.call({ target: `/v1/files/${body.id}/content`, token: own.token, headers });
          return await response.arrayBuffer();
        };
        await assert.rejects(read());
        await assert.rejects(read(['Range', 'bytes=0-9']));
        assert.equal(statusOf((await own.json('GET', '/v1/health')).body as typeof healthy), 'fail');
        const { damaged } = (await own.json('POST', '/x/files/verify')).body as { damaged: { id: string }[] };
        assert.deepEqual(
          damaged.map(({ id }) => id),
          [body.id],
        );
        assert.equal(own.logged.length, 2);
        assert.equal((await send(own, part({ filename: '"again"', content }) + END)).status, 201);
        assert.equal((await read()).byteLength, body.bytes);
      });

  test('the same bytes are kept once, until the last file that has them is deleted', async () => {
    const form = part({ filename: '"twin"', content: 'twin bytes' }) + END;
    const [one, two] = [(await send(agent, form)).body, (await send(agent, form)).body];
    assert.notEqual(one.id, two.id);
    assert.equal(stored(agent).filter((name) => name === one.sha256.slice(2)).length, 1);
    await agent.json('DELETE', `/v1/files/${one.id}`);
    assert.equal((await download(agent, two.id)).text, 'twin bytes');
    await agent.json('DELETE', `/v1/files/${two.id}`);
    assert.ok(!stored(agent).includes(one.sha256.slice(2)));
  });

  for (const [name, content] of [
    ['text that compresses', 'The shelf holds books. '.repeat(20_000)],
    ['bytes that do not', randomBytes(300_000).toString('latin1')],
  ] as const)
    test(`F55 gives back any part of ${name}`, async () => {
      const bytes = Buffer.from(content, 'latin1');
      const form = Buffer.concat([Buffer.from(part({ filename: '"r"', content: '' }).slice(0, -2)), bytes, Buffer.from(`\r\n${END}`)]);
      const { body } = await send(agent, form);
      assert.equal(body.sha256, createHash('sha256').update(bytes).digest('hex'));
      const { size, etag } = { size: bytes.length, etag: `"${body.sha256}"` };
      for (const [headers, status, start, end] of [
        [[], 200, 0, size],
        [['Range', 'bytes=0-0'], 206, 0, 1],
        [['Range', 'bytes=70000-200000'], 206, 70_000, 200_001],
        [['Range', 'bytes=-10'], 206, size - 10, size],
        [['Range', 'bytes=0-1,5-6'], 200, 0, size],
        [['Range', 'bytes=0-0', 'If-Range', etag], 206, 0, 1],
        [['Range', 'bytes=0-0', 'If-Range', '"other"'], 200, 0, size],
      ] as const) {
        const response = await agent.call({ target: `/v1/files/${body.id}/content`, token: agent.token, headers });
        const got = Buffer.from(await response.arrayBuffer());
        assert.deepEqual([response.status, got.equals(bytes.subarray(start, end))], [status, true], headers.join(' '));
        assert.equal(response.headers.get('content-length'), String(end - start));
        if (status === 206) assert.equal(response.headers.get('content-range'), `bytes ${start}-${end - 1}/${size}`);
      }
      const beyond = await download(agent, body.id, ['Range', `bytes=${size}-`]);
      assert.deepEqual([beyond.status, beyond.headers.get('content-range')], [416, `bytes */${size}`]);
    });

  test('F55 bytes that were removed under us are a 404 with a way out', async () => {
    const { body } = await send(agent, part({ filename: '"gone"', content: 'to be removed' }) + END);
    rmSync(join(agent.home, 'blobs', body.sha256.slice(0, 2), body.sha256.slice(2)));
    const answer = await download(agent, body.id);
    assert.equal(answer.status, 404);
    assert.match(answer.text, /gone from the disk/);
  });

  for (const [name, type, content] of [
    ['page.png', 'text/html', '<script>alert(1)</script>'],
    ['picture.svg', 'image/svg+xml', '<svg onload="alert(1)"/>'],
    ['polyglot.gif', 'image/gif', 'GIF89a/*<script>*/=1'],
  ] as const)
    test(`F56 ${name} is downloaded and never shown on our origin`, async () => {
      const { body } = await send(agent, part({ filename: `"${name}"`, type, content }) + END);
      const { headers } = await download(agent, body.id);
      assert.match(headers.get('content-disposition') ?? '', new RegExp(`^attachment; filename="${name}"`));
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('content-security-policy'), "sandbox; default-src 'none'");
    });

  test('F52 a name in any script stands in the header without breaking it', async () => {
    const { body } = await send(agent, part({ filename: '"\u0444 %41\'.txt"' }) + END);
    const header = (await download(agent, body.id)).headers.get('content-disposition');
    assert.equal(header, `attachment; filename="_ _41'.txt"; filename*=UTF-8''%D1%84%20%2541%27.txt`);
  });
});

test('a refusal reaches a sender who is still sending', async () => {
  await using agent = await startTestAgent();
  rmSync(join(agent.home, 'blobs'), { recursive: true });
  const form = new FormData();
  form.set('file', new Blob([randomBytes(20_000_000)]), 'large.bin');
  const headers = { authorization: `Bearer ${agent.token}` };
  const response = await fetch(`${agent.baseUrl}/v1/files`, { method: 'POST', body: form, headers });
  assert.equal(response.status, 500);
  assert.equal(((await response.json()) as { code: string }).code, 'internal');
});

test('a file goes through a real connection: uploaded, listed, read, deleted', async () => {
  await using agent = await startTestAgent();
  const bytes = randomBytes(3_000_000);
  const form = new FormData();
  form.set('file', new Blob([bytes], { type: 'application/x-test' }), 'ra\u00efl.bin');
  const response = await agent.client.transport.send({ method: 'POST', path: '/v1/files', body: form });
  const file = (await response.json()) as FileDescriptor;
  assert.deepEqual([file.name, file.content_type, file.bytes], ['ra\u00efl.bin', 'application/x-test', bytes.length]);
  assert.deepEqual((await agent.client.files.list()).data, [file]);
  const content = await agent.client.transport.send({ method: 'GET', path: `/v1/files/${file.id}/content` });
  assert.ok(Buffer.from(await content.arrayBuffer()).equals(bytes));
  await agent.client.files.delete({ id: file.id });
  assert.equal((await agent.client.files.list()).count, 0);
  assert.deepEqual(agent.logged, []);
});
