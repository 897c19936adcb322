// What becomes of a selector that drifted: a repair is proposed, and a person accepts it or refuses it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Check, Run, Selector } from '@weft/contract';
import type { TestAgent } from '../agent.ts';
import { startTestAgent } from '../agent.ts';
import { startVersionedSite } from '../sites/versions.ts';
import type { VersionedSite } from '../sites/versions.ts';

const shop = (price: string, amount: string) => `<!doctype html><html lang="en"><title>Kettle - Shop</title><body>
  <header><a href="/">Shop</a> <a href="/cart">Cart</a></header>
  <main><h1>Kettle</h1><p>Boils a litre of water in three minutes.</p>
  <dl><dt>Colour</dt><dd>Blue</dd><dt>Price</dt><dd ${price}>${amount}</dd><dt>Weight</dt><dd>900 g</dd></dl></main>
  <footer>Terms and returns</footer></body></html>`;
const BEFORE = 'id="price"';
const AFTER = 'class="amount" data-testid="product-price"';

describe('repairs of selectors', () => {
  let agent: TestAgent;
  let site: VersionedSite;
  before(async () => {
    [agent, site] = await Promise.all([startTestAgent(), startVersionedSite()]);
  });
  after(async () => {
    await agent[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  async function check(id: number): Promise<Check> {
    const run = (await agent.client.monitors.run({ id, wait: true })) as Run;
    return (await agent.client.runs.results({ id: run.id })).output as Check;
  }

  /** A monitor of a page whose price has just moved to another element. */
  async function drifted(path: string): Promise<Selector> {
    site.set(path, shop(BEFORE, '25.00 EUR'));
    const { id } = await agent.client.monitors.create({
      url: `${site.origin}${path}`,
      active: false,
      selectors: [{ selector: '#price', extractors: [{ type: 'price' }] }],
    });
    await check(id);
    site.set(path, shop(AFTER, '25.00 EUR'));
    const after = await check(id);
    assert.equal(after.values[0]?.via !== 'selector' && after.values[0]?.text, '25.00 EUR', JSON.stringify(after));
    const [selector] = (await agent.client.monitors.read({ id })).selectors;
    assert.ok(selector?.proposal, JSON.stringify(after.trace));
    const tested = await agent.client.selectors.test({ id, selector_id: selector.id });
    assert.equal(tested.proposal?.selector, selector.proposal.selector);
    return selector;
  }

  test('an accepted repair is the selector, and what it finds is compared with what was there before', async () => {
    const { id, monitor_id: monitorId, proposal } = await drifted('/accepted');
    const accepted = await agent.client.selectors.accept({ id: monitorId, selector_id: id });
    assert.deepEqual([accepted.selector, accepted.proposal, accepted.baseline], [proposal?.selector, undefined, undefined]);
    site.set('/accepted', shop(AFTER, '20.00 EUR'));
    const { verdict, changes, values } = await check(monitorId);
    assert.deepEqual([verdict, changes[0]?.percent, values[0]?.via], ['changed', -20, 'selector']);
    await assert.rejects(agent.client.selectors.accept({ id: monitorId, selector_id: id }), /has no proposed repair/);
  });

  test('a refused repair is not proposed again, and what it finds is not taken for the target', async () => {
    const { id, monitor_id: monitorId } = await drifted('/refused');
    const refused = await agent.client.selectors.dismiss({ id: monitorId, selector_id: id });
    assert.deepEqual([refused.selector, refused.proposal, refused.baseline !== undefined], ['#price', undefined, true]);
    for (const missing of [1, 2]) {
      site.set('/refused', shop(AFTER, '20.00 EUR'));
      const { verdict, values, trace } = await check(monitorId);
      assert.deepEqual([verdict, values], ['trouble', []], JSON.stringify(trace));
      const [selector] = (await agent.client.monitors.read({ id: monitorId })).selectors;
      assert.deepEqual([selector?.missing, selector?.proposal], [missing, undefined]);
    }
    site.set('/refused', shop(BEFORE, '24.00 EUR'));
    const back = await check(monitorId);
    assert.deepEqual([back.verdict, back.values[0]?.text], ['changed', '24.00 EUR']);
    await assert.rejects(agent.client.selectors.dismiss({ id: monitorId, selector_id: id }), /has no proposed repair/);
  });
});
