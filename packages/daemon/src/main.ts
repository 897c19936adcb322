// The agent as a program: settings, log, signals, one banner. Exit 0 after a clean stop, 1 for what can't be started.
import module from 'node:module';
import { ConfigError, readConfig } from './config.ts';
import { prepareHome } from './home.ts';

/** The first with what the agent stands on (docs/decisions/0001-toolchain.md). */
const NODE_MAJOR_MIN = 24;

if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN) await main();
else {
  process.stderr.write(
    `weft: the agent needs Node ${NODE_MAJOR_MIN} or later, this is ${process.version}. Start it through ./weft or npm start.\n`,
  );
  process.exitCode = 1;
}

async function main(): Promise<void> {
  try {
    const config = readConfig(process.env);
    // Programs that the agent starts have no use for it.
    delete process.env['SERVICE_MODEL_KEY'];
    const home = prepareHome(config.home);
    // Before the first large import: the second start is three times as quick. Threads take it from the environment, which a launcher may have set.
    process.env['NODE_COMPILE_CACHE'] ??= home.file('cache', 'compile');
    module.enableCompileCache(process.env['NODE_COMPILE_CACHE']);
    const { runProgram } = await import('./program.ts');
    await runProgram(config, home);
  } catch (error) {
    process.stderr.write(`${startFailure(error)}\n`);
    process.exitCode = 1;
  }
}

function startFailure(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  if (error instanceof ConfigError) return `weft: the agent could not start.\n${message}`;
  if (code === 'EADDRINUSE')
    return `weft: the agent could not start: ${message}.\nAnother program has the port. See which: ss -ltnp | grep ${(error as { port?: number }).port ?? ''}; or take another port: SERVICE_PORT=9131 npm start`;
  return `weft: the agent could not start: ${message ?? String(error)}.\nTry: ./weft doctor`;
}
