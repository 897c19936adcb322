// Site-to-API builds of an account.
import { AppError } from '@weft/contract';
import type { AccountTable, CloudTable } from '@weft/contract';
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

/** `onDue` is called once something waits for a worker. */
export function accountBuildHandlers(builds: Builds, onDue: () => void): GroupHandlers<AccountTable['accountBuilds']> {
  return {
    async update({ actor, params: { id }, body, origin }) {
      await builds.update(accountOf(actor), id, body);
      return { status: 200, body: await builds.read(accountOf(actor), id, origin) };
    },
    async check({ actor, params: { id }, origin }) {
      await builds.check(accountOf(actor), id);
      onDue();
      return { status: 202, body: await builds.read(accountOf(actor), id, origin) };
    },
    async rebuild({ actor, params, origin }) {
      const id = await builds.rebuild(accountOf(actor), params.id);
      onDue();
      return { status: 202, body: await builds.read(accountOf(actor), id, origin) };
    },
    async accept({ actor, params: { id }, origin }) {
      await builds.accept(accountOf(actor), id);
      return { status: 200, body: await builds.read(accountOf(actor), id, origin) };
    },
    async decline({ actor, params: { id }, origin }) {
      await builds.decline(accountOf(actor), id);
      return { status: 200, body: await builds.read(accountOf(actor), id, origin) };
    },
  };
}
