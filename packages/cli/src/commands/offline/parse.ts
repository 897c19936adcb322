// weft parse: every view of a saved page, without a network.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeBatch, runJob } from '../../batch-process.ts';
import { CommandError, EXIT } from '../../exit.ts';
import { shellWord } from '../../shell-word.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, [file], options) => {
  if (options['batch'] === true) return await pipeBatch('parse');
  const url = options['url'];
  if (file === undefined || typeof url !== 'string') {
    const missing =
      file === undefined
        ? 'Name the file (or - for standard input).'
        : 'Say with --url where the page was found: its links are read by that.';
    const next = `weft parse ${shellWord(file ?? 'page.html')} --url ${typeof url === 'string' ? shellWord(url) : 'https://example.com/'}`;
    throw new CommandError(missing, { exitCode: EXIT.usage, code: 'bad_request', next: [next] });
  }
  if (file !== '-' && !existsSync(file))
    throw new CommandError(`${file} can't be read: there is no such file.`, { exitCode: EXIT.usage, code: 'bad_request' });
  const want = typeof options['want'] === 'string' ? { want: options['want'].split(',') } : {};
  const job = { ...want, ...(options['hidden'] === true ? { include_hidden: true } : {}) };
  const result = file === '-' ? await parseInput(url, job) : await runJob('parse', { path: resolve(file), url, ...job });
  const { error } = result as { error?: { code: string; message: string } };
  if (error)
    throw new CommandError(`${file} could not be read. ${error.message}`, {
      exitCode: EXIT.failed,
      code: error.code,
      next: ['weft parse --help'],
    });
  context.print(JSON.stringify(result, null, 2));
};

/** The batch program reads files, so standard input becomes one for the moment. */
async function parseInput(url: string, job: object): Promise<Record<string, unknown>> {
  const folder = mkdtempSync(join(tmpdir(), 'weft-parse-'));
  try {
    const path = join(folder, 'page');
    writeFileSync(path, await buffer(process.stdin));
    return { ...(await runJob('parse', { path, url, ...job })), path: '-' };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
