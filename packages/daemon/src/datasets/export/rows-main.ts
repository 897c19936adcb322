// A program of its own that writes rows in a format: NDJSON objects in, the bytes of a file out. The command line starts it.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { createHeldTexts } from './held-texts.ts';
import { writeRows } from './write.ts';
import type { StreamFormat } from './write.ts';

const FORMATS: readonly StreamFormat[] = ['json', 'jsonl', 'csv', 'xlsx', 'markdown', 'html'];

const [format, title = 'Rows', columns, formulas, mark] = process.argv.slice(2);
const known = FORMATS.find((name) => name === format);
if (known) await write(known);
else {
  process.stderr.write(`usage: rows-main.ts ${FORMATS.join('|')} [title] [columns as JSON] [formulas] [mark] < rows.ndjson\n`);
  process.exitCode = 2;
}

async function write(as: StreamFormat): Promise<void> {
  const rows: string[] = [];
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) if (line !== '') rows.push(line);
  const fields = columns === undefined || columns === '' ? undefined : (JSON.parse(columns) as string[]);
  const options = { title, isSafe: formulas !== 'formulas', hasMark: mark === 'mark', fields };
  for await (const piece of writeRows({ rows: () => rows }, as, options, createHeldTexts()))
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
}
