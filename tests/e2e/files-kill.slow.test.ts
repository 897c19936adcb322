// Uploads to an agent that dies: what was answered is whole after the next start, what was not has left nothing.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { FileDescriptor } from '@weft/contract';
import { createClient } from '@weft/client';
import { startProgram } from '../conformance/program.ts';
import type { Program } from '../conformance/program.ts';
import { until } from '../until.ts';

const HALF_BYTES = 1_000_000;

test('F54 a SIGKILL in the middle of an upload loses what was not answered and nothing else', { timeout: 600_000 }, async () => {
  const home = mkdtempSync(join(tmpdir(), 'weft-upload-'));
  const drafts = join(home, 'blobs', 'drafts');
  const bytes = randomBytes(300_000);
  try {
    let kept: FileDescriptor;
    {
      await using program = await startProgram({ home });
      const token = await program.ready();
      kept = await upload(program, token, bytes);
      sendHalf(program, token);
      await until(() => readdirSync(drafts).some((name) => statSync(join(drafts, name)).size > 0));
      program.process.kill('SIGKILL');
      await program.exit;
    }
    await using program = await startProgram({ home });
    const client = createClient({ baseUrl: program.baseUrl, token: await program.ready() });
    assert.deepEqual(readdirSync(drafts), []);
    assert.deepEqual((await client.files.list()).data, [kept]);
    const content = await client.transport.send({ method: 'GET', path: `/v1/files/${kept.id}/content` });
    assert.ok(Buffer.from(await content.arrayBuffer()).equals(bytes));
  } finally {
    rmSync(home, { recursive: true });
  }
});

async function upload({ baseUrl }: Program, token: string, bytes: Uint8Array<ArrayBuffer>): Promise<FileDescriptor> {
  const form = new FormData();
  form.set('file', new Blob([bytes]), 'kept.bin');
  const response = await createClient({ baseUrl, token }).transport.send({ method: 'POST', path: '/v1/files', body: form });
  return (await response.json()) as FileDescriptor;
}

/** Sends half of what it declares, and then nothing. */
function sendHalf({ baseUrl }: Program, token: string): void {
  const sent = request(`${baseUrl}/v1/files`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'multipart/form-data; boundary=edge',
      'content-length': String(2 * HALF_BYTES),
    },
  });
  sent.on('error', () => undefined);
  sent.write('--edge\r\nContent-Disposition: form-data; name="file"; filename="half"\r\n\r\n');
  sent.write(randomBytes(HALF_BYTES));
}
