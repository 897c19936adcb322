// Replays of workflows on pages that live and pages that were spoiled: none may be good with rows or effects other than the truth.
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
import { SPOILED, startLivingShop } from '../sites/living-shop.ts';
import type { LivingShop, PageKind, Spoiling } from '../sites/living-shop.ts';

export const roundsInTests = 40;

const KINDS = ['list', 'api', 'desk'] as const satisfies readonly PageKind[];
/** Good runs before the first replay. */
const LEARNED = 3;

/** A round is one replay; every second one is of pages that merely live. */
export async function campaign({ rounds, seed, log }: CampaignOptions): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'weft-campaign-'));
  const fetcher = createFetcher({ home, chromePath: await findBrowser(), gate: createAddressGate({ mode: 'agent' }) });
  const shop = await startLivingShop();
  try {
    await using agent = await startTestAgent({ fetcher, sessions: fetcher.sessions });
    await replay(agent.client, shop, mulberry32(seed), rounds, log);
  } finally {
    await shop.close();
    await fetcher.close();
    rmSync(home, { recursive: true });
  }
}

async function replay(
  client: AgentClient,
  shop: LivingShop,
  random: () => number,
  rounds: number,
  log: (line: string) => void,
): Promise<void> {
  const ids = new Map<PageKind, number>();
  for (const kind of KINDS) {
    const { id } = await client.workflows.create(WORKFLOWS[kind](shop.origin));
    ids.set(kind, id);
    for (let run = 0; run < LEARNED; run++) {
      shop.live(random);
      assert.equal(await runOnce(client, id, kind, shop), 'good', `${kind} is learned`);
    }
  }
  const caught = new Map<string, number>();
  const alarms: string[] = [];
  let good = 0;
  const cases = KINDS.flatMap((kind) => SPOILED[kind].map((how) => [kind, how] as const));
  for (let round = 0; round < rounds; round++) {
    const isSpoiled = round % 2 === 0;
    const [kind, how] = cases[isSpoiled ? (round / 2) % cases.length : Math.floor(random() * cases.length)] as (typeof cases)[number];
    shop.live(random, isSpoiled ? how : undefined);
    const came = await runOnce(client, ids.get(kind) ?? 0, kind, shop);
    assert.notEqual(
      came,
      'wrong',
      `round ${round}: ${kind} with ${isSpoiled ? how : 'nothing'} spoiled is succeeded with something else than the truth`,
    );
    if (isSpoiled) {
      assert.deepEqual(effectsOf(shop, kind), [], `round ${round}: ${how} has no effect`);
      const by = `${how satisfies Spoiling}: ${came}`;
      caught.set(by, (caught.get(by) ?? 0) + 1);
    } else if (came === 'good') good++;
    else alarms.push(`round ${round}: ${kind}: ${came}`);
  }
  for (const [by, count] of [...caught].sort()) log(`caught ${count} of ${by}`);
  log(`${good} of ${good + alarms.length} replays of living pages passed; false alarms: ${alarms.join(', ') || 'none'}`);
  assert.deepEqual(alarms, []);
}

/** `good`, `wrong`, or what ended the run: its guard, else the code of its failure. */
async function runOnce(client: AgentClient, id: number, kind: PageKind, shop: LivingShop): Promise<string> {
  const run = await client.workflows.run({ id, wait: true, timeout: 60 });
  if (run.status !== 'succeeded') return /Its guard \((\w+)\)/.exec(run.failure?.message ?? '')?.[1] ?? run.failure?.code ?? run.status;
  if (kind === 'desk') return JSON.stringify(shop.done()) === '["save"]' ? 'good' : 'wrong';
  const { data } = await client.runs.data({ id: run.id, limit: 100 });
  const truth = shop.books().map(({ name, price }) => (kind === 'list' ? { name, price } : { name, amount: Number(price.split(' ')[0]) }));
  return JSON.stringify(data) === JSON.stringify(truth) ? 'good' : 'wrong';
}

function effectsOf(shop: LivingShop, kind: PageKind): readonly string[] {
  return kind === 'desk' ? shop.done() : [];
}

const WORKFLOWS: Readonly<Record<PageKind, (origin: string) => NewWorkflow>> = {
  list: (origin) => ({
    name: 'List',
    lane: 'http',
    steps: [
      { id: 'open', type: 'navigate', url: `${origin}/list` },
      // Only its guards know that there are rows.
      {
        id: 'rows',
        type: 'extractList',
        selectors: ['li.book'],
        min: 0,
        fields: { name: { selectors: ['h2'] }, price: { selectors: ['.price'] } },
      },
    ],
  }),
  api: (origin) => ({
    name: 'Answers',
    lane: 'http',
    steps: [
      { id: 'ask', type: 'request', url: `${origin}/api` },
      { id: 'give', type: 'emit', rows: '{{steps.ask.out.json.items}}' },
    ],
  }),
  desk: (origin) => ({
    name: 'Desk',
    lane: 'browser',
    steps: [
      { id: 'open', type: 'navigate', url: `${origin}/desk` },
      {
        id: 'save',
        type: 'click',
        selectors: ['#save'],
        asserted_events: [{ type: 'navigation', title: 'Done - Corner shop' }],
      },
    ],
  }),
};
