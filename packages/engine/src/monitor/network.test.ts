import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NetworkWatch } from './network.ts';
import type { AnsweringHost } from './network.ts';

const host = (name: string): AnsweringHost => ({ origin: `http://${name}.test`, privateTargets: [] });

/** A watch over hosts, those of `up` answer when they are asked again. */
function watching(...up: readonly string[]) {
  const told: boolean[] = [];
  const asked: string[] = [];
  const watch = new NetworkWatch((isOffline) => void told.push(isOffline));
  return {
    told,
    asked,
    watch,
    answer: (...names: readonly string[]) => names.forEach((name) => watch.answered(host(name))),
    async fail(...names: readonly string[]): Promise<readonly boolean[]> {
      const outcomes: boolean[] = [];
      for (const name of names)
        outcomes.push(
          await watch.failed(host(name).origin, 'connect', async ({ origin }) => {
            asked.push(origin);
            return up.some((one) => host(one).origin === origin);
          }),
        );
      return outcomes;
    },
  };
}

describe('the watch over the network', () => {
  test('three silent hosts and none that ever answered: the machine is offline, told once', async () => {
    const { fail, told } = watching();
    assert.deepEqual(await fail('a', 'a', 'b', 'c', 'd'), [false, false, false, true, true]);
    assert.deepEqual(told, [true]);
  });

  test('any answer ends it, told once', async () => {
    const { fail, answer, told } = watching();
    await fail('a', 'b', 'c');
    answer('d', 'e');
    assert.deepEqual(told, [true, false]);
  });

  test('three hosts that fail at once are their own trouble while another still answers', async () => {
    const { fail, answer, told, asked } = watching('well');
    answer('a', 'b', 'c', 'well');
    assert.deepEqual(await fail('a', 'b', 'c'), [false, false, false]);
    assert.deepEqual([told, asked], [[], ['http://well.test']]);
  });

  test('a host that answered last and is silent now is asked no more than others', async () => {
    const { fail, answer, told, asked } = watching('old');
    answer('old', 'x', 'y');
    assert.deepEqual(await fail('a', 'y', 'b'), [false, false, false]);
    assert.deepEqual([told, asked], [[], ['http://x.test', 'http://old.test']]);
  });

  test('offline where the hosts that answered last are silent too', async () => {
    const { fail, answer, told } = watching();
    answer('x', 'y', 'z');
    assert.deepEqual(await fail('a', 'b', 'c'), [false, false, true]);
    assert.deepEqual(told, [true]);
  });

  test('hosts that were down before tell nothing, until they answered', async () => {
    const { fail, answer, told } = watching();
    await fail('a', 'b');
    answer('c');
    assert.deepEqual(await fail('a', 'b', 'd', 'e'), [false, false, false, false]);
    answer('a');
    await fail('a', 'x', 'y');
    assert.deepEqual(told, [true]);
  });

  test('what a host says is no sign of the network', async () => {
    const { watch } = watching();
    for (const name of ['a', 'b', 'c', 'd']) assert.equal(await watch.failed(name, 'http_status', async () => false), false);
  });

  test('offline one check in fifteen seconds may try, else each', async () => {
    const { watch, fail, answer } = watching();
    assert.deepEqual([watch.mayTry(0), watch.mayTry(0)], [true, true]);
    await fail('a', 'b', 'c');
    assert.deepEqual(
      [14_999, 15_000, 15_001].map((ms) => watch.mayTry(ms)),
      [false, true, false],
    );
    answer('a');
    assert.deepEqual([watch.mayTry(15_002), watch.mayTry(15_002)], [true, true]);
  });
});
