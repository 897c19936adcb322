// The cloud as a program: settings, log, signals, one banner. Exit 0 after a clean stop, 1 for what can't be started.
import { ConfigError, readConfig } from './config.ts';

await main();

async function main(): Promise<void> {
  try {
    const config = readConfig(process.argv.slice(2), process.env);
    // Programs that the cloud starts have no use for it.
    delete process.env['SERVICE_MODEL_KEY'];
    const { runProgram } = await import('./program.ts');
    await runProgram(config);
  } catch (error) {
    process.stderr.write(`${startFailure(error)}\n`);
    process.exitCode = 1;
  }
}

function startFailure(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  if (error instanceof ConfigError) return `weft: the cloud could not start.\n${message}`;
  if (code === 'EADDRINUSE')
    return `weft: the cloud could not start: ${message}.\nAnother program has the port; take another one: npm run cloud -- --port 9141`;
  return `weft: the cloud could not start: ${message ?? String(error)}.`;
}
