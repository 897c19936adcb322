// Site-to-API builds of an account.
import { AppError } from '@weft/contract';
import type { CloudTable } from '@weft/contract';
import { creation } from '@weft/serve';
import type { GroupHandlers } from '@weft/serve';
import { accountOf } from '../accounts/account.ts';
import type { Builds } from './build.ts';

type Table = CloudTable['cloudBuilds'];

/** `onStarted` is called once a build waits for a worker. */
export function buildHandlers(builds: Builds, onStarted: () => void): GroupHandlers<Table> {
  return {
    start: creation<Table['start'], string>({
      effect({ actor, body }) {
        if (body.slug !== undefined && !actor.scopes.includes('admin'))
          throw new AppError('forbidden', '"slug" publishes what is proved, which needs the key of an owner.');
        return builds.start(accountOf(actor), body);
      },
      async answer(id, { actor, origin }) {
        onStarted();
        return { status: 202, body: await builds.read(accountOf(actor), id, origin) };
      },
    }),
    read: async ({ actor, params, origin }) => ({ status: 200, body: await builds.read(accountOf(actor), params.id, origin) }),
    discover: creation<Table['discover'], string>({
      effect: ({ actor, body }) => builds.discover(accountOf(actor), body),
      async answer(id, { actor, origin }) {
        onStarted();
        return { status: 202, body: await builds.read(accountOf(actor), id, origin) };
      },
    }),
  };
}
