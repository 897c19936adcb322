// What callers without a key may ask for (D44): so many pages of a UTC day, of a device, of all behind one address, and of the host that is asked.
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

/** What a call is for. */
export interface KeylessUse {
  /** The page that is asked for first: its host is shared by all callers. */
  readonly url: string;
  /** Pages at most. */
  readonly pages: number;
}

export interface Allowance {
  callerOf(device: string, remoteAddress: string): KeylessCaller;
  /**
   * Runs `work` for as many of the pages as there are left, at least one; those that it does not bring are given back. Throws AppError
   * `keyless_rate_limited`, and `too_many_requests` where too many calls are under way.
   */
  spend<T>(
    caller: KeylessCaller,
    use: KeylessUse,
    work: (pages: number) => Promise<{ readonly pages: number; readonly answer: T }>,
  ): Promise<T>;
  quota(caller: KeylessCaller): Promise<Quota>;
  /** Deletes what is past its time. */
  prune(): Promise<void>;
}

/** One of those that pages are counted for. */
interface Counted {
  readonly who: Uint8Array;
  readonly max: number;
  /** What it is told once they are used up. */
  readonly refusal: string;
}

/** A call under way. */
interface Flight {
  readonly id: string;
  readonly day: string;
  readonly pages: number;
  readonly counted: readonly Counted[];
}

const DAY_MS = 86_400_000;
/** A call that its process did not live to end counts for so long. */
const FLIGHT_SECONDS = 120;

/** `key` makes prints of devices and addresses that nobody can guess back. */
export function createAllowance(database: Database, clock: Clock, key: Uint8Array): Allowance {
  const { rows, find } = database;
  const print = (kind: string, text: string) => createHmac('sha256', key).update(`${kind}\0${text}`).digest();
  const today = () => new Date(clock.now()).toISOString().slice(0, 10);
  const resetAt = () => new Date((Math.floor(clock.now() / DAY_MS) + 1) * DAY_MS);
  const used = async (who: Uint8Array) =>
    (await find<{ pages: number }>('SELECT pages FROM keyless_use WHERE who = $1 AND day = $2', [who, today()]))?.pages ?? 0;

  const refusal = ({ refusal: what, max: limit }: Counted) => {
    const reset = resetAt();
    return new AppError('keyless_rate_limited', `${what} Come back at ${reset.toISOString()}, or use a key: it has no daily allowance.`, {
      retryAfterSeconds: Math.ceil((reset.getTime() - clock.now()) / 1000),
      members: { reset_at: reset.toISOString(), limit, remaining: 0 },
    });
  };
  const countedOf = ({ device, network }: KeylessCaller, host: string): readonly Counted[] => [
    { who: device, max: KEYLESS.pagesPerDay, refusal: `This device has had its ${KEYLESS.pagesPerDay} pages of today.` },
    {
      who: network,
      max: KEYLESS.pagesPerDayAndNetwork,
      refusal: `Your network has had its ${KEYLESS.pagesPerDayAndNetwork} pages of today.`,
    },
    {
      who: print('host', host),
      max: KEYLESS.pagesPerDayAndHost,
      refusal: `Callers without a key have had the ${KEYLESS.pagesPerDayAndHost} pages of ${host} that they have together today.`,
    },
  ];

  return {
    callerOf: (device, remoteAddress) => ({ device: print('device', device), network: print('network', networkOf(remoteAddress)) }),
    async spend(caller, { url, pages }, work) {
      const { host } = new URL(url);
      const counted = countedOf(caller, host);
      const flight = await begin(database, { counted, network: caller.network, host: print('host', host), pages, day: today() }, refusal);
      let brought = 0;
      try {
        const done = await work(flight.pages);
        brought = done.pages;
        return done.answer;
      } finally {
        await end(database, flight, brought);
      }
    },
    async quota({ device, network }) {
      const left = KEYLESS.pagesPerDay - (await used(device));
      const leftOfNetwork = KEYLESS.pagesPerDayAndNetwork - (await used(network));
      return { limit: KEYLESS.pagesPerDay, remaining: Math.max(0, Math.min(left, leftOfNetwork)), reset_at: resetAt().toISOString() };
    },
    async prune() {
      await rows('DELETE FROM keyless_use WHERE day < $1::date - 1', [today()]);
      await rows('DELETE FROM keyless_flight WHERE until_at < now()');
    },
  };
}

interface Beginning {
  readonly counted: readonly Counted[];
  readonly network: Uint8Array;
  readonly host: Uint8Array;
  readonly pages: number;
  readonly day: string;
}

/** Takes the pages and a place beside the other calls of the network and to the host. */
async function begin(database: Database, asked: Beginning, refusal: (counted: Counted) => AppError): Promise<Flight> {
  const { rows, find, transaction } = database;
  const { counted, network, host, day } = asked;
  return await transaction(async () => {
    let pages = asked.pages;
    // Device, network, host: each row is held from here on, so that calls beside each other are counted one after the other.
    for (const one of counted) {
      await rows('INSERT INTO keyless_use (who, day, pages) VALUES ($1, $2, 0) ON CONFLICT DO NOTHING', [one.who, day]);
      const use = await find<{ pages: number }>('SELECT pages FROM keyless_use WHERE who = $1 AND day = $2 FOR UPDATE', [one.who, day]);
      pages = Math.min(pages, one.max - (use?.pages ?? 0));
      if (pages < 1) throw refusal(one);
    }
    await rows('UPDATE keyless_use SET pages = pages + $3 WHERE who = ANY($1) AND day = $2', [counted.map(({ who }) => who), day, pages]);
    const flying = await find<{ of_network: number; of_host: number }>(
      `SELECT count(*) FILTER (WHERE network = $1) AS of_network, count(*) FILTER (WHERE host = $2) AS of_host
       FROM keyless_flight WHERE (network = $1 OR host = $2) AND until_at > now()`,
      [network, host],
    );
    if ((flying?.of_network ?? 0) >= KEYLESS.inFlightPerNetwork)
      throw busy(`${KEYLESS.inFlightPerNetwork} keyless calls at once come from your network`);
    if ((flying?.of_host ?? 0) >= KEYLESS.inFlightPerHost) throw busy(`${KEYLESS.inFlightPerHost} keyless calls at once are for this host`);
    const id = randomBytes(16).toString('base64url');
    await rows(`INSERT INTO keyless_flight (id, network, host, until_at) VALUES ($1, $2, $3, now() + $4 * interval '1 second')`, [
      id,
      network,
      host,
      FLIGHT_SECONDS,
    ]);
    return { id, day, pages, counted };
  });
}

async function end({ rows, transaction }: Database, { id, day, pages, counted }: Flight, brought: number): Promise<void> {
  await transaction(async () => {
    await rows('DELETE FROM keyless_flight WHERE id = $1', [id]);
    // In the order in which they were taken.
    for (const { who } of counted)
      await rows('UPDATE keyless_use SET pages = greatest(0, pages - $3) WHERE who = $1 AND day = $2', [
        who,
        day,
        Math.max(0, pages - brought),
      ]);
  });
}

function busy(what: string): AppError {
  return new AppError('too_many_requests', `More than ${what}; wait for one.`, { retryAfterSeconds: 1 });
}
