// What the operator of a cloud does with its accounts, at the database itself: one order, one JSON document. Exit 0, 2 for a wrong order, 5 for an account that there is not, 1 for all else.
import { ConfigError, readAdminConfig } from './config.ts';

await main();

async function main(): Promise<void> {
  try {
    const order = readAdminConfig(process.argv.slice(2), process.env);
    const { administer } = await import('./admin.ts');
    process.stdout.write(`${JSON.stringify(await administer(order))}\n`);
  } catch (error) {
    const { message, code } = error as { readonly message?: string; readonly code?: string };
    process.stderr.write(`weft: ${message ?? String(error)}\n`);
    process.exitCode = error instanceof ConfigError ? 2 : code === 'not_found' ? 5 : 1;
  }
}
