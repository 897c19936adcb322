// What every store of deliveries must hold to: the rules that the port states, one test each.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClaimedDelivery, DeliverySettlement, DeliveryStore } from '@weft/engine';

/** A store under test, and how it is filled. */
export interface DeliveriesUnderTest {
  readonly store: DeliveryStore;
  /** Another store object on the same rows, as a second process would have it. */
  again(): DeliveryStore;
  /** The id of a new channel. */
  addChannel(name: string): Promise<string>;
  /** The id of a new delivery that is due at `dueMs`; `event` names its notice. */
  queue(channelId: string, dueMs: number, event: string): Promise<string>;
  /** The same, collected into the message that is open, of at most three notices. */
  collect(channelId: string, dueMs: number, event: string): Promise<void>;
  mute(channelId: string, untilMs: number): Promise<void>;
  enable(channelId: string, isEnabled: boolean): Promise<void>;
  deleteChannel(channelId: string): Promise<void>;
  /** Its status, and how many attempts are written. */
  look(deliveryId: string): Promise<{ readonly status: string; readonly tries: number } | undefined>;
  close(): Promise<void>;
}

const LEASE = 60;
const EVENTS = (claimed: ClaimedDelivery | undefined) => claimed?.notices.map(({ event }) => event);

function settlement(nowMs: number, over: Partial<DeliverySettlement> = {}): DeliverySettlement {
  return {
    nowMs,
    attempt: { outcome: 'sent', status: 200 },
    durationMs: 5,
    verdict: { kind: 'sent' },
    failingSinceMs: undefined,
    failures: 0,
    rest: undefined,
    disabledReason: undefined,
    reach: undefined,
    ...over,
  };
}

function failure(nowMs: number, over: Partial<DeliverySettlement> = {}): DeliverySettlement {
  const retry = { kind: 'retry', atMs: nowMs + 50 } as const;
  return settlement(nowMs, { attempt: { outcome: 'failed', status: 500 }, verdict: retry, failingSinceMs: nowMs, failures: 1, ...over });
}

async function claim(store: DeliveryStore, channelId: string, nowMs: number): Promise<ClaimedDelivery> {
  const claimed = await store.claim(channelId, nowMs, nowMs + LEASE);
  assert.ok(claimed, 'nothing to claim');
  return claimed;
}

export function deliveryStoreSuite(name: string, open: () => Promise<DeliveriesUnderTest>): void {
  const check = (promise: string, hold: (deliveries: DeliveriesUnderTest) => Promise<void>) =>
    test(promise, async () => {
      const deliveries = await open();
      try {
        await hold(deliveries);
      } finally {
        await deliveries.close();
      }
    });

  describe(`${name} delivery store: what is ready`, () => {
    check('is nothing where nothing waits', async ({ store, addChannel }) => {
      const channel = await addChannel('a');
      assert.deepEqual(await store.ready(1_000, 10), []);
      assert.equal(await store.nextReadyMs(), undefined);
      assert.equal(await store.claim(channel, 1_000, 2_000), undefined);
    });

    check('is each channel whose first delivery is due, those that wait longest first', async ({ store, addChannel, queue }) => {
      const [a, b, c] = [await addChannel('a'), await addChannel('b'), await addChannel('c')];
      await queue(a, 300, 'late');
      await queue(b, 200, 'two');
      await queue(c, 100, 'one');
      assert.equal(await store.nextReadyMs(), 100);
      assert.deepEqual(await store.ready(99, 10), []);
      assert.deepEqual(await store.ready(250, 10), [c, b]);
      assert.deepEqual(await store.ready(250, 1), [c]);
    });

    check('is no channel that rests, is muted or switched off, until it no longer is', async (deliveries) => {
      const { store, addChannel, queue, mute, enable } = deliveries;
      const [resting, muted, off] = [await addChannel('a'), await addChannel('b'), await addChannel('c')];
      for (const channel of [resting, muted, off]) await queue(channel, 10, 'x');
      await store.rest(resting, { untilMs: 400, because: 'quiet_hours' });
      await mute(muted, 500);
      await enable(off, false);
      assert.deepEqual(await store.ready(399, 10), []);
      assert.equal(await store.nextReadyMs(), 400);
      for (const channel of [resting, muted, off]) assert.equal(await store.claim(channel, 399, 1_000), undefined);
      assert.deepEqual(await store.ready(500, 10), [resting, muted]);
      await enable(off, true);
      assert.deepEqual(await store.ready(500, 10), [off, resting, muted]);
    });

    check('is no deleted channel', async ({ store, addChannel, queue, deleteChannel }) => {
      const channel = await addChannel('a');
      await queue(channel, 10, 'x');
      await deleteChannel(channel);
      assert.deepEqual(await store.ready(100, 10), []);
      assert.equal(await store.find(channel), undefined);
      assert.equal(await store.claim(channel, 100, 200), undefined);
    });

    check('of one channel hides none of another, however long its queue is', async ({ store, addChannel, queue }) => {
      const [long, short] = [await addChannel('long'), await addChannel('short')];
      for (let i = 0; i < 500; i++) await queue(long, 1, 'x');
      await queue(short, 50, 'y');
      await claim(store, long, 60);
      assert.deepEqual(await store.ready(60, 1), [short]);
    });
  });

  describe(`${name} delivery store: a claim`, () => {
    check('takes what is due longest, and the channel with it', async ({ store, again, addChannel, queue }) => {
      const channel = await addChannel('a');
      await queue(channel, 20, 'second');
      await queue(channel, 10, 'first');
      const claimed = await claim(store, channel, 30);
      assert.deepEqual([EVENTS(claimed), claimed.attempt, claimed.channelId], [['first'], 1, channel]);
      assert.deepEqual(await store.ready(30, 10), []);
      assert.equal(await again().claim(channel, 30, 90), undefined);
    });

    check('that nobody settles ends with its lease, and the next has the same message', async ({ store, again, addChannel, queue }) => {
      const channel = await addChannel('a');
      await queue(channel, 10, 'x');
      const lost = await claim(store, channel, 10);
      assert.equal(await store.nextReadyMs(), 10 + LEASE);
      const next = await claim(again(), channel, 10 + LEASE);
      assert.deepEqual([next.id, next.messageId, next.attempt], [lost.id, lost.messageId, 2]);
    });

    check('of before changes nothing any more', async ({ store, again, addChannel, queue, look }) => {
      const channel = await addChannel('a');
      const id = await queue(channel, 10, 'x');
      const stale = await claim(store, channel, 10);
      const current = await claim(again(), channel, 10 + LEASE);
      assert.equal(await store.settle(stale, failure(100, { disabledReason: 'gone' })), false);
      await store.release(stale);
      assert.deepEqual(await look(id), { status: 'pending', tries: 0 });
      assert.equal(await store.claim(channel, 101, 200), undefined, 'the lease of the later claim holds');
      assert.equal(await store.settle(current, settlement(100)), true);
      assert.equal(await store.settle(current, settlement(100)), false, 'what is settled is settled');
    });

    check('that is released is as if it had not been', async ({ store, addChannel, queue, look }) => {
      const channel = await addChannel('a');
      const id = await queue(channel, 10, 'x');
      await store.release(await claim(store, channel, 10));
      assert.deepEqual(await look(id), { status: 'pending', tries: 0 });
      assert.equal((await claim(store, channel, 10)).attempt, 1);
    });
  });

  describe(`${name} delivery store: what follows of an attempt`, () => {
    check('that arrived: the delivery is sent, and the channel takes the next', async ({ store, addChannel, queue, look }) => {
      const channel = await addChannel('a');
      const id = await queue(channel, 10, 'first');
      await queue(channel, 20, 'second');
      assert.equal(await store.settle(await claim(store, channel, 30), settlement(31, { reach: 'public' })), true);
      assert.deepEqual(await look(id), { status: 'sent', tries: 1 });
      assert.equal((await store.find(channel))?.reach, 'public');
      assert.deepEqual(EVENTS(await claim(store, channel, 31)), ['second']);
    });

    check('that failed: others go first, and it comes back at its time', async ({ store, addChannel, queue, look }) => {
      const channel = await addChannel('a');
      const id = await queue(channel, 10, 'first');
      await queue(channel, 20, 'second');
      await store.settle(await claim(store, channel, 30), failure(30));
      assert.deepEqual(await look(id), { status: 'pending', tries: 1 });
      const failing = await store.find(channel);
      assert.deepEqual([failing?.failingSinceMs, failing?.failures], [30, 1]);
      await store.settle(await claim(store, channel, 30), settlement(40));
      assert.equal((await store.find(channel))?.failingSinceMs, undefined);
      assert.equal(await store.nextReadyMs(), 80);
      const again = await claim(store, channel, 80);
      assert.deepEqual([EVENTS(again), again.attempt], [['first'], 2]);
    });

    check('that asks for a rest: nothing of the channel is due before', async ({ store, addChannel, queue }) => {
      const channel = await addChannel('a');
      await queue(channel, 10, 'first');
      await queue(channel, 10, 'second');
      await store.settle(await claim(store, channel, 10), failure(10, { rest: { untilMs: 900, because: 'retry_after' } }));
      assert.deepEqual(await store.ready(899, 10), []);
      assert.equal(await store.nextReadyMs(), 900);
      assert.deepEqual(await store.ready(900, 10), [channel]);
    });

    check('that was the last: the delivery has failed, and stays so', async ({ store, addChannel, queue, look }) => {
      const channel = await addChannel('a');
      const id = await queue(channel, 10, 'x');
      await store.settle(await claim(store, channel, 10), failure(10, { verdict: { kind: 'failed', reason: 'enough' } }));
      assert.deepEqual(await look(id), { status: 'failed', tries: 1 });
      assert.equal(await store.nextReadyMs(), undefined);
    });

    check('that switches the channel off: its queue stays, and goes on once it is enabled', async (deliveries) => {
      const { store, addChannel, queue, enable } = deliveries;
      const channel = await addChannel('a');
      await queue(channel, 10, 'first');
      await queue(channel, 10, 'second');
      await store.settle(await claim(store, channel, 10), failure(10, { disabledReason: 'It answered 410.' }));
      assert.equal(await store.nextReadyMs(), undefined);
      await enable(channel, true);
      assert.deepEqual(EVENTS(await claim(store, channel, 10)), ['second']);
    });
  });

  describe(`${name} delivery store: a digest`, () => {
    check('is one message of what was collected, in the order in which it came', async ({ store, addChannel, collect }) => {
      const channel = await addChannel('a');
      await collect(channel, 500, 'one');
      await collect(channel, 700, 'two');
      assert.equal(await store.nextReadyMs(), 500, 'the first decides when it is sent');
      assert.deepEqual(EVENTS(await claim(store, channel, 500)), ['one', 'two']);
      assert.equal(await store.nextReadyMs(), 500 + LEASE);
    });

    check('takes nothing more once it is claimed, and is the same in the next attempt', async ({ store, addChannel, collect }) => {
      const channel = await addChannel('a');
      await collect(channel, 500, 'one');
      const first = await claim(store, channel, 500);
      await collect(channel, 900, 'later');
      await store.settle(first, failure(501));
      const again = await claim(store, channel, 551);
      assert.deepEqual([EVENTS(again), again.messageId], [['one'], first.messageId]);
      await store.settle(again, settlement(552));
      assert.deepEqual(EVENTS(await claim(store, channel, 900)), ['later']);
    });

    check('that is full is followed by another at the same time', async ({ store, addChannel, collect }) => {
      const channel = await addChannel('a');
      for (const event of ['one', 'two', 'three', 'four']) await collect(channel, 500, event);
      const first = await claim(store, channel, 500);
      assert.deepEqual(EVENTS(first), ['one', 'two', 'three']);
      await store.settle(first, settlement(501));
      assert.deepEqual(EVENTS(await claim(store, channel, 501)), ['four']);
    });
  });
}
