// What callers without a key may ask for (D44): so many pages of a UTC day, of a device and of all devices behind one address.
import { createHmac, randomBytes } from 'node:crypto';
import { AppError, KEYLESS } from '@weft/contract';
import type { CloudTable, ReplyOf } from '@weft/contract';
import type { Clock } from '@weft/engine';
import type { Database } from '../db/queries.ts';
import { networkOf } from './network.ts';

type Quota = ReplyOf<CloudTable['keyless']['quota']>['body'];

/** Who calls, as it is kept: neither device nor address can be read from it. */
export interface KeylessCaller {
  readonly device: Uint8Array;
  readonly network: Uint8Array;
}

export interface Allowance {
  callerOf(device: string, remoteAddress: string): KeylessCaller;
  /** Runs `work` for one page, which is given back where it gave none. Throws AppError `keyless_rate_limited`. */
  spend<T>(caller: KeylessCaller, work: () => Promise<{ readonly hasPage: boolean; readonly answer: T }>): Promise<T>;
  quota(caller: KeylessCaller): Promise<Quota>;
}

const DAY_MS = 86_400_000;
/** A call that its process did not live to end counts for so long. */
const FLIGHT_SECONDS = 120;

/** `key` makes prints of devices and addresses that nobody can guess back. */
export function createAllowance(database: Database, clock: Clock, key: Uint8Array): Allowance {
  const { rows, find, transaction } = database;
  const print = (kind: string, text: string) => createHmac('sha256', key).update(`${kind}\0${text}`).digest();
  const today = () => new Date(clock.now()).toISOString().slice(0, 10);
  const resetAt = () => new Date((Math.floor(clock.now() / DAY_MS) + 1) * DAY_MS);
  const used = async (who: Uint8Array) =>
    (await find<{ pages: number }>('SELECT pages FROM keyless_use WHERE who = $1 AND day = $2', [who, today()]))?.pages ?? 0;

  const refusal = (what: string, limit: number) => {
    const reset = resetAt();
    return new AppError('keyless_rate_limited', `${what} Come back at ${reset.toISOString()}, or use a key: it has no daily allowance.`, {
      retryAfterSeconds: Math.ceil((reset.getTime() - clock.now()) / 1000),
      members: { reset_at: reset.toISOString(), limit, remaining: 0 },
    });
  };

  /** One more page of `who`; false where that would be more than `max`. */
  const take = async (who: Uint8Array, max: number) => {
    const within = 'ON CONFLICT (who, day) DO UPDATE SET pages = keyless_use.pages + 1 WHERE keyless_use.pages < $3';
    return (
      (await rows(`INSERT INTO keyless_use (who, day, pages) VALUES ($1, $2, 1) ${within} RETURNING 1`, [who, today(), max])).length > 0
    );
  };

  const begin = ({ device, network }: KeylessCaller) =>
    transaction(async () => {
      if (!(await take(device, KEYLESS.pagesPerDay)))
        throw refusal(`This device has had its ${KEYLESS.pagesPerDay} pages of today.`, KEYLESS.pagesPerDay);
      // The row of the network is held from here on, so that calls beside each other are counted one after the other.
      if (!(await take(network, KEYLESS.pagesPerDayAndNetwork)))
        throw refusal(`Your network has had its ${KEYLESS.pagesPerDayAndNetwork} pages of today.`, KEYLESS.pagesPerDayAndNetwork);
      await rows('DELETE FROM keyless_flight WHERE network = $1 AND until_at < now()', [network]);
      const flying = await find<{ n: number }>('SELECT count(*) AS n FROM keyless_flight WHERE network = $1', [network]);
      if ((flying?.n ?? 0) >= KEYLESS.inFlightPerNetwork)
        throw new AppError(
          'too_many_requests',
          `More than ${KEYLESS.inFlightPerNetwork} keyless calls at once come from your network; wait for one.`,
          {
            retryAfterSeconds: 1,
          },
        );
      const id = randomBytes(16).toString('base64url');
      await rows(`INSERT INTO keyless_flight (id, network, until_at) VALUES ($1, $2, now() + $3 * interval '1 second')`, [
        id,
        network,
        FLIGHT_SECONDS,
      ]);
      return { id, day: today() };
    });

  const end = ({ device, network }: KeylessCaller, { id, day }: { id: string; day: string }, hasPage: boolean) =>
    transaction(async () => {
      await rows('DELETE FROM keyless_flight WHERE id = $1', [id]);
      if (hasPage) return;
      for (const who of [device, network])
        await rows('UPDATE keyless_use SET pages = pages - 1 WHERE who = $1 AND day = $2 AND pages > 0', [who, day]);
    });

  return {
    callerOf: (device, remoteAddress) => ({ device: print('device', device), network: print('network', networkOf(remoteAddress)) }),
    async spend(caller, work) {
      const flight = await begin(caller);
      let hasPage = false;
      try {
        const done = await work();
        hasPage = done.hasPage;
        return done.answer;
      } finally {
        await end(caller, flight, hasPage);
      }
    },
    async quota({ device, network }) {
      const left = KEYLESS.pagesPerDay - (await used(device));
      const leftOfNetwork = KEYLESS.pagesPerDayAndNetwork - (await used(network));
      return { limit: KEYLESS.pagesPerDay, remaining: Math.max(0, Math.min(left, leftOfNetwork)), reset_at: resetAt().toISOString() };
    },
  };
}
