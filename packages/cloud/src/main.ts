// The cloud as a program: settings, log, signals, one banner. Exit 0 after a clean stop, 1 for what can't be started. `accounts` as its first word administers accounts instead: one JSON document; exit 2 for a wrong order, 5 for an account that there is not.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { ConfigError, helpText, readAdminConfig, readConfig } from './config.ts';

await main(process.argv.slice(2));

async function main([first, ...rest]: readonly string[]): Promise<void> {
  if (first === 'accounts') return await administration(rest);
  if ([first, ...rest].some((arg) => arg === '--help' || arg === '-h')) return void process.stdout.write(`${helpText()}\n`);
  try {
    const config = readConfig(first === undefined ? [] : [first, ...rest], process.env);
    // Programs that the cloud starts have no use for it.
    delete process.env['SERVICE_MODEL_KEY'];
    keepCompiled(config.home);
    const { runProgram } = await import('./program.ts');
    await runProgram(config);
  } catch (error) {
    process.stderr.write(`${startFailure(error)}\n`);
    process.exitCode = 1;
  }
}

/** Before the first large import, once there is a home: Node makes folders of its own way. Threads take it from the environment. */
function keepCompiled(home: string): void {
  if (!existsSync(home)) return;
  process.env['NODE_COMPILE_CACHE'] ??= join(home, 'cache', 'compile');
  module.enableCompileCache(process.env['NODE_COMPILE_CACHE']);
}

async function administration(args: readonly string[]): Promise<void> {
  try {
    const order = readAdminConfig(args, process.env);
    const { administer } = await import('./admin.ts');
    process.stdout.write(`${JSON.stringify(await administer(order))}\n`);
  } catch (error) {
    const { message, code } = error as { readonly message?: string; readonly code?: string };
    process.stderr.write(`weft: ${message ?? String(error)}\n`);
    process.exitCode = error instanceof ConfigError ? 2 : code === 'not_found' ? 5 : 1;
  }
}

function startFailure(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  if (error instanceof ConfigError) return `weft: the cloud could not start.\n${message}`;
  if (code === 'EADDRINUSE')
    return `weft: the cloud could not start: ${message}.\nAnother program has the port; take another one: npm run cloud -- --port 9141`;
  return `weft: the cloud could not start: ${message ?? String(error)}.`;
}
