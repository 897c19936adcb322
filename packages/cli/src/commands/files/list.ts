// weft file list
import { listPage } from '../../list-page.ts';
import { table } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, _args, options) => {
  const page = listPage(context, options);
  const client = await context.client();
  const files = await client.files.list(page.query, page.call);
  const rows = files.data.map((file) => [file.id, file.name, String(file.bytes), file.created_at, file.content_type]);
  context.show(files, rows.length > 0 ? table(['ID', 'NAME', 'BYTES', 'CREATED', 'TYPE'], rows) : NONE);
  page.tell(files.data.length);
};

const NONE = 'There are no files; to upload one: weft file put <path>';
