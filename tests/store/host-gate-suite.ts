// What every gate of hosts must do, whatever its lines are kept in.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { HostGate, HostGrant, HostLimits } from '@weft/engine';
import { HOST_PATIENCE_MS } from '../../packages/engine/src/crawl/hosts/host-pace.ts';
import { HOST_GRANT_MS } from '../../packages/engine/src/crawl/hosts/host-gate.ts';
import type { LineClock } from '../../packages/engine/src/crawl/hosts/host-gate.ts';
import { Alarms } from '../alarms.ts';

const START_MS = Date.UTC(2026, 10, 20);
const HOST = 'https://shop.test';
const TWO: HostLimits = { inFlightMax: 2, gapMs: 0 };
const ONE: HostLimits = { inFlightMax: 1, gapMs: 0 };
const OK = { status: 200, retryAtMs: undefined };

/** A clock that only the test moves; sleepers wake when it has passed their time. */
export class StandingClock implements LineClock {
  /** How often somebody lay down to sleep. */
  sleeps = 0;
  private nowMs = START_MS;
  private readonly alarms = new Alarms();

  steadyMs(): number {
    return this.nowMs;
  }

  alarm(atMs: number, ring: () => void): () => void {
    return this.alarms.at(atMs, ring);
  }

  sleepUntil(untilMs: number, signal: AbortSignal): Promise<void> {
    this.sleeps++;
    return new Promise((resolve) => {
      const stop = this.alarms.at(untilMs, resolve);
      signal.addEventListener('abort', () => (stop(), resolve()), { once: true });
    });
  }

  /** Moves on by `ms`, in steps so small that nobody oversleeps, and lets everybody have their turn. */
  async advance(ms: number, turns: () => Promise<void> = turnsOfMemory): Promise<void> {
    const endMs = this.nowMs + ms;
    while (this.nowMs < endMs) {
      this.nowMs = Math.min(endMs, this.nowMs + 50);
      this.alarms.ring(this.nowMs);
      await turns();
    }
  }
}

/** Lets everything happen that waits for no time. */
async function turnsOfMemory(): Promise<void> {
  for (let i = 0; i < 10; i++) await setImmediate();
}

/** Makes gates that share their lines, as two processes do. */
type OpenGates = (clock: StandingClock) => readonly [HostGate, HostGate];

/** Stands in line for the test: what became of each in the order of their coming. */
function stageOf(open: OpenGates) {
  const clock = new StandingClock();
  const gates = open(clock);
  const order: string[] = [];
  const stand = (who: string, limits: HostLimits = TWO, at = 0, host = HOST) => {
    const left = new AbortController();
    let hasWaited = false;
    const gate = gates[at] ?? gates[0];
    const taken = gate.take(host, limits, left.signal, () => (hasWaited = true));
    void taken.then((grant) => order.push(grant ? who : `not ${who}`));
    return { taken, leave: () => left.abort(), hasWaited: () => hasWaited };
  };
  const take = async (limits: HostLimits = TWO): Promise<HostGrant> => {
    const grant = await stand('somebody', limits).taken;
    assert.ok(grant);
    order.length = 0;
    return grant;
  };
  return { clock, gates, order, stand, take };
}

/** Runs the suite. `turns` lets happen what waits for no time. */
export function hostGateSuite(name: string, open: OpenGates, turns: () => Promise<void> = turnsOfMemory): void {
  suite(name, () => {
    const stage = () => stageOf(open);

    test('gives so many places at once, and the next when one is given back', async () => {
      const { order, stand } = stage();
      const [first] = [stand('a'), stand('b'), stand('c')];
      await turns();
      assert.deepEqual(order, ['a', 'b']);
      await (await first?.taken)?.end(OK);
      await turns();
      assert.deepEqual(order, ['a', 'b', 'c']);
    });

    test('tells those who must wait that they do, and only them', async () => {
      const { stand } = stage();
      const [first, second] = [stand('a', ONE), stand('b', ONE)];
      await turns();
      assert.deepEqual([first?.hasWaited(), second?.hasWaited()], [false, true]);
    });

    test('lets the host rest between two, and wakes for that no more often than it asks', async () => {
      const { clock, order, stand, take } = stage();
      const spaced = { inFlightMax: 1, gapMs: 1_000 };
      await (await take(spaced)).end(OK);
      const { taken } = stand('a', spaced);
      await clock.advance(950, turns);
      assert.deepEqual(order, []);
      await clock.advance(50, turns);
      assert.deepEqual(order, ['a']);
      await (await taken)?.end(OK);
    });

    test('keeps what robots.txt asks for, whoever asks next', async () => {
      const { clock, gates, order, stand } = stage();
      await gates[0].learnGap(HOST, 300);
      stand('a', { inFlightMax: 8, gapMs: 50 }, 1);
      await clock.advance(250, turns);
      assert.deepEqual(order, []);
      await clock.advance(50, turns);
      assert.deepEqual(order, ['a']);
      assert.equal((await gates[1].restOf(HOST)).restsUntilMs, START_MS + 600);
    });

    test('holds everybody back for as long as the host asks, and says so', async () => {
      const { clock, gates, order, stand, take } = stage();
      await (await take()).end({ status: 429, retryAtMs: START_MS + 9_000 });
      stand('a');
      stand('b', TWO, 1, 'https://other.test');
      await clock.advance(8_950, turns);
      assert.deepEqual(order, ['b']);
      const { refusedSinceMs, blockedUntilMs } = await gates[1].restOf(HOST);
      assert.deepEqual([refusedSinceMs, blockedUntilMs], [START_MS, START_MS + 9_000]);
      await clock.advance(50, turns);
      assert.deepEqual(order, ['b', 'a']);
    });

    test('sends away at once whose time comes before their turn, and at their time who may still have hoped', async () => {
      const { clock, order, stand, take } = stage();
      const held = await take(ONE);
      stand('hoping', { ...ONE, untilMs: START_MS + 1_000 });
      await turns();
      assert.deepEqual(order, []);
      await clock.advance(1_000, turns);
      assert.deepEqual(order, ['not hoping']);
      await held.end({ status: 429, retryAtMs: START_MS + 60_000 });
      stand('hopeless', { ...ONE, untilMs: START_MS + 30_000 });
      await clock.advance(100, turns);
      assert.deepEqual(order, ['not hoping', 'not hopeless']);
    });

    test('sends everybody away where the host wants to be left alone for too long', async () => {
      const { clock, order, stand, take } = stage();
      const held = await take(ONE);
      stand('a', ONE);
      await turns();
      await held.end({ status: 429, retryAtMs: START_MS + HOST_PATIENCE_MS + 1_000 });
      stand('b', ONE);
      await clock.advance(100, turns);
      assert.deepEqual(order, ['not a', 'not b']);
    });

    test('closes up behind those who leave', async () => {
      const { clock, order, stand, take } = stage();
      const held = await take(ONE);
      const [, second] = [stand('a', ONE), stand('b', ONE), stand('c', ONE)];
      await turns();
      second?.leave();
      await turns();
      await held.end(OK);
      await clock.advance(100, turns);
      assert.deepEqual(order, ['not b', 'a']);
      const gone = stand('gone', ONE);
      gone.leave();
      await clock.advance(100, turns);
      assert.deepEqual(order, ['not b', 'a', 'not gone']);
    });

    test('takes a place back that was not used, as if nobody had come', async () => {
      const { gates, order, stand, take } = stage();
      const spaced = { inFlightMax: 1, gapMs: 5_000 };
      await (await take(spaced)).giveBack();
      assert.ok((await gates[0].restOf(HOST)).restsUntilMs <= START_MS);
      stand('a', spaced);
      await turns();
      assert.deepEqual(order, ['a']);
    });

    test('gives the place of one who is gone to the next once it expires, and takes it back from nobody else', async () => {
      const { clock, gates, order, stand, take } = stage();
      const lost = await take(ONE);
      const next = stand('next', ONE);
      await clock.advance(HOST_GRANT_MS - 50, turns);
      assert.deepEqual(order, []);
      await clock.advance(150, turns);
      assert.deepEqual(order, ['next']);
      await lost.end({ status: 429, retryAtMs: clock.steadyMs() + 60_000 });
      assert.equal((await gates[0].restOf(HOST)).refusedSinceMs, undefined);
      stand('third', ONE);
      await turns();
      assert.deepEqual(order, ['next']);
      await (await next.taken)?.end(OK);
    });
  });
}

/** Whose turn is next, whichever gate they came to. A host goes from one gate to the next within two seconds. */
export function hostLineSuite(name: string, open: OpenGates, turns: () => Promise<void> = turnsOfMemory): void {
  suite(name, () => {
    /** Who had a place, in the order of that: `line` comes one after another while somebody has the only one, each to a gate. */
    async function served(line: readonly (readonly [who: string, of: Pick<HostLimits, 'tenant' | 'isUrgent'>, at: number])[]) {
      const { clock, order, stand, take } = stageOf(open);
      let held = new Map([['', await take({ ...ONE, tenant: 'nobody' })]]);
      const places = new Map<string, HostGrant>();
      for (const [who, of, at] of line) {
        void stand(who, { ...ONE, ...of }, at).taken.then((grant) => grant && places.set(who, grant));
        // Longer than between two looks of a process.
        await clock.advance(500, turns);
      }
      for (let ended = 0; ended < line.length; ended++) {
        assert.equal(held.size, 1, `one at a time: ${[...held.keys()].join(', ')}`);
        // Whoever has it hears meanwhile that others want it.
        await clock.advance(150, turns);
        for (const grant of held.values()) await grant.end(OK);
        for (let waited = 0; order.length <= ended && waited < 2_000; waited += 50) await clock.advance(50, turns);
        await turns();
        held = new Map([...places].filter(([who]) => order.indexOf(who) >= ended));
      }
      for (const grant of held.values()) await grant.end(OK);
      return order.join(' ');
    }

    test('serves first who came first, from wherever they came', async () => {
      const line = Array.from({ length: 12 }, (_, i) => [String(i), {}, i % 2] as const);
      assert.equal(await served(line), line.map(([who]) => who).join(' '));
    });

    test('lets those go first who stay for their answers', async () => {
      const urgent = { isUrgent: true };
      assert.equal(
        await served([
          ['crawl', {}, 0],
          ['other crawl', {}, 1],
          ['scrape', urgent, 1],
          ['other scrape', urgent, 0],
        ]),
        'scrape other scrape crawl other crawl',
      );
    });

    test('gives of four places one to those who do not stay, however many others do', async () => {
      const scrapes = Array.from({ length: 8 }, (_, i) => [`s${i}`, { isUrgent: true }, i % 2] as const);
      const order = await served([...scrapes, ['crawl', {}, 0], ['other crawl', {}, 1]]);
      assert.equal(order, 's0 s1 s2 crawl s3 s4 s5 other crawl s6 s7');
    });

    test('lets accounts take turns, however many of one wait', async () => {
      const order = await served([
        ['a1', { tenant: 'a' }, 0],
        ['a2', { tenant: 'a' }, 1],
        ['a3', { tenant: 'a' }, 0],
        ['b1', { tenant: 'b' }, 1],
        ['b2', { tenant: 'b' }, 1],
        ['c1', { tenant: 'c' }, 0],
      ]);
      assert.equal(order, 'a1 b1 c1 a2 b2 a3');
    });
  });
}
