// weft file list
import { table } from '../table.ts';
import type { CommandRun } from '../tree.ts';

export const run: CommandRun = async (context) => {
  const client = await context.client();
  const files = await client.files.list({ limit: 500 }, { signal: context.signal });
  context.show(
    files,
    table(
      ['ID', 'NAME', 'TYPE', 'BYTES', 'CREATED'],
      files.data.map((file) => [file.id, file.name, file.content_type, String(file.bytes), file.created_at]),
    ),
  );
};
