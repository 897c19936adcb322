// How to bring each operation of files to each status that it declares.
import type { FileDescriptor } from '@weft/contract';
import type { KernelAgent, KernelCall } from '../kernel.ts';
import type { Reach, Way } from '../ways.ts';
import { PAGE_URL, get, plain, post, startCrawl, withRun } from '../ways.ts';

const FROM_DATA = { dataset_id: 1, format: 'csv' };
const UPLOAD: KernelCall = {
  method: 'POST',
  target: '/v1/files',
  headers: ['Content-Type', 'multipart/form-data; boundary=edge'],
  body: '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhello\r\n--edge--\r\n',
};

export const reach: Readonly<Record<string, Reach>> = {
  'files.list': { base: get('/v1/files'), ways: { 200: withFile(() => get('/v1/files?limit=1')) } },
  'files.upload': { base: UPLOAD, ways: { 201: plain(UPLOAD, { file: 1, blob: 1 }), 409: { prepare: spendUploadKey } } },
  'files.fromData': {
    base: post('/v1/files/from-data', FROM_DATA),
    ways: {
      201: withRun(() => post('/v1/files/from-data', FROM_DATA), PAGE_URL, { file: 1, blob: 1 }),
      404: plain(post('/v1/files/from-data', { workflow_id: 999, format: 'csv' })),
      409: { prepare: spendExportKey },
    },
  },
  'files.read': {
    base: get('/v1/files/file_1'),
    ways: { 200: withFile((id) => get(`/v1/files/${id}`)), 404: plain(get('/v1/files/file_none')) },
  },
  'files.delete': {
    base: { method: 'DELETE', target: '/v1/files/file_1' },
    ways: {
      204: withFile((id) => ({ method: 'DELETE', target: `/v1/files/${id}` }), { file: -1, blob: -1 }),
      404: plain({ method: 'DELETE', target: '/v1/files/file_none' }),
    },
  },
  'files.content': {
    base: get('/v1/files/file_1/content'),
    ways: {
      200: withFile((id) => get(`/v1/files/${id}/content`)),
      206: withFile((id) => ({ ...get(`/v1/files/${id}/content`), headers: ['Range', 'bytes=0-0'] })),
      404: plain(get('/v1/files/file_none/content')),
      416: withFile((id) => ({ ...get(`/v1/files/${id}/content`), headers: ['Range', 'bytes=99-'] })),
    },
  },
  'files.verify': { base: post('/x/files/verify'), ways: { 200: plain(post('/x/files/verify')) } },
};

function withFile(call: (id: string) => KernelCall, rows?: Way['rows']): Way {
  return {
    prepare: async (agent) => {
      const response = await agent.call({ ...UPLOAD, token: agent.token });
      return call(((await response.json()) as FileDescriptor).id);
    },
    ...(rows ? { rows } : {}),
  };
}

async function spendUploadKey(agent: KernelAgent): Promise<KernelCall> {
  const call = { ...UPLOAD, headers: [...(UPLOAD.headers ?? []), 'Idempotency-Key', 'spent'] };
  await agent.call({ ...call, token: agent.token });
  return call;
}

/** The same key with another body. */
async function spendExportKey(agent: KernelAgent): Promise<KernelCall> {
  await startCrawl(agent, PAGE_URL);
  const call = { ...post('/v1/files/from-data', FROM_DATA), headers: ['Idempotency-Key', 'spent'] };
  await agent.call({ ...call, token: agent.token });
  return { ...call, body: { ...FROM_DATA, format: 'json' } };
}
