// Buttons that a page moves and renames while they go on saying the same: the run fails, what it proposes is the button that was meant, and it acts once a person accepts.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentClient } from '@weft/client';
import type { NewWorkflow } from '@weft/contract';
import { createAddressGate, createFetcher } from '@weft/engine/io';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { startTestAgent } from '../agent.ts';
import { findBrowser } from '../browser.ts';
import { mulberry32 } from '../conformance/fuzz.ts';
import { startSite } from '../sites/crawl-sites.ts';

export const roundsInTests = 2;

/** Good runs before the page changes. */
const LEARNED = 2;
/** What may happen to the button and to what is around it, one or more at once; its words stay. */
const CHANGES = ['id', 'class', 'wrapped', 'reordered', 'moved', 'other-neighbour', 'given-away'] as const;
type Change = (typeof CHANGES)[number];

const THINGS = ['tea', 'lamp', 'chair', 'kettle', 'blanket', 'radio', 'bicycle', 'atlas'];
const ACTS = ['Order', 'Reserve', 'Compare', 'Collect', 'Wrap', 'Return'];

interface Page {
  readonly thing: string;
  /** What each button does and says; the first is the one that is meant. */
  readonly acts: readonly string[];
}

/** A round is one page that changes: nothing is done by the run that fails, and what is proposed is the button that was meant. How often is counted. */
export async function campaign({ rounds, seed, log }: CampaignOptions): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'weft-campaign-'));
  const fetcher = createFetcher({ home, chromePath: await findBrowser(), gate: createAddressGate({ mode: 'agent' }) });
  const random = mulberry32(seed);
  let shown = '';
  const done: string[] = [];
  const site = await startSite((path, url) => {
    if (path === '/done') done.push(url.searchParams.get('what') ?? '');
    return { status: 200, headers: { 'content-type': 'text/html' }, body: path === '/done' ? DONE : shown };
  });
  const missed: string[] = [];
  try {
    await using agent = await startTestAgent({ fetcher, sessions: fetcher.sessions });
    for (let round = 0; round < rounds; round++) {
      const page = { thing: pick(THINGS, random), acts: shuffled(ACTS, random).slice(0, 3) };
      const changes = CHANGES.filter(() => random() < 0.4);
      // Without one of these the selector still finds the button.
      if (!changes.includes('id') && !changes.includes('given-away')) changes.push('id');
      shown = htmlOf(page, []);
      const id = await learn(agent.client, site.origin);
      shown = htmlOf(page, changes);
      done.length = 0;
      const what = `round ${round}: ${page.acts[0]} this ${page.thing}, ${changes.join(', ')}`;
      const lost = await agent.client.workflows.run({ id, wait: true, timeout: 60 });
      assert.deepEqual([lost.status, done], ['failed', []], what);
      const { data } = await agent.client.workflows.repairs({ id });
      if (data.length === 0) {
        missed.push(what);
        continue;
      }
      await agent.client.workflows.acceptRepair({ id, step: 'act' });
      const again = await agent.client.workflows.run({ id, wait: true, timeout: 60 });
      assert.deepEqual([again.status, done], ['succeeded', [page.acts[0]]], `${what}: ${JSON.stringify(again.failure)}`);
    }
  } finally {
    await site.close();
    await fetcher.close();
    rmSync(home, { recursive: true });
  }
  const proposed = rounds - missed.length;
  log(
    `${proposed} of ${rounds} buttons that go on saying the same were proposed (.95 asked), and acted once that was accepted; 0 of others`,
  );
  for (const line of missed) log(`nothing proposed: ${line}`);
}

/** A workflow that clicks the button, after its good runs. */
async function learn(client: AgentClient, origin: string): Promise<number> {
  const steps = [
    { id: 'open', type: 'navigate', url: `${origin}/` },
    { id: 'act', type: 'click', selectors: ['#act'], timeout: 1500, asserted_events: [{ type: 'navigation', title: 'Done' }] },
  ];
  const { id } = await client.workflows.create({ name: 'Act', lane: 'browser', steps } as unknown as NewWorkflow);
  for (let run = 0; run < LEARNED; run++) {
    const { status, failure } = await client.workflows.run({ id, wait: true, timeout: 60 });
    assert.equal(status, 'succeeded', JSON.stringify(failure));
  }
  return id;
}

function htmlOf({ thing, acts }: Page, changes: readonly Change[]): string {
  const has = (change: Change) => changes.includes(change);
  const button = (act: string, id: string, style: string) =>
    `<button id="${id}" class="${style}" onclick="location='/done?what=${act}'">${act} this ${thing}</button>`;
  const [meant = '', other = '', third = ''] = acts;
  const moved = has('id') || has('given-away');
  const own = button(meant, moved ? 'b-17' : 'act', has('class') ? 'act-main' : 'buy');
  const target = has('wrapped') ? `<div class="box"><span>${own}</span></div>` : own;
  const rest = [
    button(other, has('given-away') ? 'act' : 'later', 'later'),
    ...(has('other-neighbour') ? [button(third, 'third', 'later')] : []),
  ];
  const row = has('reordered') ? [...rest, target] : [target, ...rest];
  const said = `<section><h2>What it is</h2><p>A ${thing} of which forty are made each spring, looked over and packed by hand.</p></section>`;
  const box = `<section><h2>Take it</h2><p>It comes within three working days, and can be sent back within thirty.</p>${row.join(' ')}</section>`;
  return `<!doctype html><html lang="en"><title>Shop</title><body>
<header><nav aria-label="Main"><a href="/">Home</a> <a href="/help">Help</a> <a href="/terms">Terms and conditions</a></nav></header>
<main><h1>A good ${thing}</h1>${has('moved') ? box + said : said + box}
<section><h2>Others also bought</h2><ul><li>A pot of iron</li><li>A cup of clay</li><li>A spoon of wood</li></ul></section></main>
<footer><p>The shop of three people</p></footer></body></html>`;
}

const DONE =
  '<!doctype html><html lang="en"><title>Done</title><body><main><h1>Done</h1><p>What was asked for is done now.</p></main></body></html>';

function pick<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

function shuffled<Item>(items: readonly Item[], random: () => number): readonly Item[] {
  return items
    .map((item) => [random(), item] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, item]) => item);
}
