// `weft`: the command line. The two answers that need nothing are given before anything is loaded.
import module from 'node:module';
import { readEnvironment } from './environment.ts';
import { VERSION } from './version.ts';

// A reader that has seen enough, such as `head`, is no failure; what was begun is still tidied up.
const unread = new AbortController();
process.stdout.on('error', (error: NodeJS.ErrnoException) => (error.code === 'EPIPE' ? unread.abort() : process.exit(1)));

const argv = process.argv.slice(2);
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) process.stdout.write(`${VERSION}\n`);
else {
  const environment = readEnvironment(process.env);
  if (environment.compileCache !== undefined) module.enableCompileCache(environment.compileCache);
  const { runCommandLine } = await import('./run.ts');
  process.exitCode = await runCommandLine(argv, environment, unread.signal);
}
