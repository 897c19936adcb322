// A program of its own that unpacks the browser: `weft browser install` starts it with the home folder. One JSON line: the browser, or why not.
import { PageError } from '../../../errors.ts';
import { installBrowser } from './find.ts';

const [home] = process.argv.slice(2);
try {
  if (home === undefined) throw new Error('Name the home folder.');
  write(await installBrowser(home));
} catch (error) {
  write({ error: { code: error instanceof PageError ? error.code : 'internal', message: (error as Error).message } });
  process.exitCode = 1;
}

function write(result: object): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
