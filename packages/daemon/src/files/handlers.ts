// Group Files.
import type { DaemonTable, ExtraTable } from '@weft/contract';
import { creation } from '@weft/serve';
import type { GroupHandlers } from '@weft/serve';
import { attachmentHeader } from '@weft/serve';
import { listHeaders } from '@weft/serve';
import type { Files } from './file.ts';
import { allowsRange, parseRange } from './range.ts';

export function fileHandlers(files: Files): GroupHandlers<DaemonTable['files']> {
  return {
    list: ({ query }) => {
      const { data, total } = files.list(query);
      return { status: 200, headers: listHeaders('/v1/files', query, data.length, total), body: { data, count: data.length } };
    },
    upload: creation({
      prepare: ({ rawBody, contentType }) => files.receive(rawBody, contentType),
      discard: (file) => files.discard(file),
      effect: (_, file) => files.keep(file).id,
      answer: (id) => ({ status: 201, body: files.require(id) }),
    }),
    fromData: creation({
      prepare: ({ body, signal }) => files.write(body, signal),
      discard: (file) => files.discard(file),
      effect: (_, file) => files.keep(file).id,
      answer: (id) => ({ status: 201, body: files.require(id) }),
    }),
    read: ({ params }) => ({ status: 200, body: files.require(params.id) }),
    delete: ({ params }) => {
      files.delete(params.id);
      return { status: 204 };
    },
    content: ({ params, header }) => {
      const { file, read } = files.requireContent(params.id);
      const etag = `"${file.sha256}"`;
      const range = allowsRange(header('if-range'), etag) ? parseRange(header('range'), file.bytes) : 'whole';
      const shared = { 'accept-ranges': 'bytes', etag };
      if (range === 'beyond') {
        const error = `The range begins behind the end; the file has ${file.bytes} bytes.`;
        return { status: 416, headers: { ...shared, 'content-range': `bytes */${file.bytes}` }, body: { error, code: 'bad_request' } };
      }
      const headers = { ...shared, 'content-type': file.content_type, 'content-disposition': attachmentHeader(file.name) };
      if (range === 'whole') {
        const whole = { start: 0, end: file.bytes - 1 };
        return { status: 200, type: '*/*', headers: { ...headers, 'content-length': String(file.bytes) }, body: read(whole) };
      }
      const part = {
        'content-range': `bytes ${range.start}-${range.end}/${file.bytes}`,
        'content-length': String(range.end - range.start + 1),
      };
      return { status: 206, type: '*/*', headers: { ...headers, ...part }, body: read(range) };
    },
  };
}

export function extraFileHandlers(files: Files): GroupHandlers<ExtraTable['files']> {
  return { verify: async ({ signal }) => ({ status: 200, body: await files.verify(signal) }) };
}
