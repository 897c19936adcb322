// A picture for whoever has a link to it.
import type { AccountTable } from '@weft/contract';
import { attachmentHeader } from '@weft/serve';
import type { GroupHandlers } from '@weft/serve';
import type { Pictures } from './picture.ts';

export function pictureHandlers(pictures: Pictures): GroupHandlers<AccountTable['pictures']> {
  return {
    async read({ params, query }) {
      const { contentType, name, bytes } = await pictures.read(params.id, query);
      const headers = {
        'content-type': contentType,
        'content-disposition': attachmentHeader(name),
        'content-length': String(bytes.byteLength),
      };
      return { status: 200, type: '*/*', headers, body: once(bytes) };
    },
  };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
