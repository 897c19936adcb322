// Orders of an operator, beside the cloud that serves or without one.
import { AppError } from '@weft/contract';
import { listAccounts, openAccount } from './accounts/account.ts';
import { deleteAccount } from './accounts/closing.ts';
import { createAccountKeys } from './accounts/key.ts';
import type { AdminConfig } from './config.ts';
import { createCredits } from './credits/credits.ts';
import { openDatabase } from './db/database.ts';
import { startOwnServer } from './db/own-server.ts';
import type { Database } from './db/queries.ts';

/** What came of an order, as JSON. Throws AppError `not_found`, ConfigError and the server's errors. */
export async function administer(order: AdminConfig): Promise<object> {
  const { home, databaseUrl } = order;
  const server = databaseUrl === undefined ? await startOwnServer(`${home}/postgres`) : undefined;
  try {
    const database = await openDatabase(server?.url ?? databaseUrl ?? '');
    try {
      return await execute(order, database);
    } finally {
      await database.close();
    }
  } finally {
    // One that serves a cloud goes on.
    if (server?.isTakenOver === false) await server.stop();
  }
}

async function execute({ verb, of, credits }: AdminConfig, database: Database): Promise<object> {
  const ports = { database, keys: createAccountKeys(database), credits: createCredits(database) };
  if (verb === 'list') return { data: await listAccounts(database) };
  if (verb === 'open') return { ...(await openAccount(of, credits, ports)), name: of, credits };
  if (!(await database.find('SELECT 1 FROM account WHERE id = $1 AND (closed_at IS NULL OR $2)', [of, verb === 'delete'])))
    throw new AppError('not_found', `There is no account "${of}".`);
  if (verb === 'grant') {
    await ports.credits.grant(of, credits, 'granted by the operator');
    return { id: of, granted: credits, available: (await ports.credits.balance(of)).available };
  }
  if (verb === 'key') return await ports.keys.mint(of, { name: 'by the operator', role: 'owner' });
  // The pictures that it had are swept by the cloud.
  await deleteAccount(database, of);
  return { id: of, deleted: true };
}
