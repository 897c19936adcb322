// Of sites that answer untruly no function is proved, and of their honest twins nearly all are. Each rule of a proof is needed for one of them.
import assert from 'node:assert/strict';
import type { BuildResult, Certificate, ProofRule } from '@weft/engine';
import { readRows } from '../../packages/engine/src/build/proof/read-rows.ts';
import { RULES, decideProof } from '../../packages/engine/src/build/proof/rules.ts';
import { factsOf } from '../../packages/engine/src/build/proof/verify.ts';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { startBuildStage } from '../build-stage.ts';
import type { BuildStage } from '../build-stage.ts';
import { fastClock } from '../fast-clock.ts';
import { LIES, startLiar } from '../sites/liars.ts';

/** Nearly all of a round is waiting politely for loopback: so many times as fast. */
const PACE = 50;
const TWINS_MIN = 0.95;
/** A round shows which rules its own lies need; over this many each rule has been the only one. */
const ROUNDS_THAT_NEED_EACH = 8;
const OBJECTIVE = 'things with name, maker and price';

/** What came of one lie, over its rounds. */
interface Tally {
  lies: number;
  proved: number;
  twins: number;
}

/** A round is each lie once, with its twin. */
export async function campaign({ rounds, seed, log }: CampaignOptions): Promise<void> {
  await using stage = startBuildStage(undefined, { hosts: fastClock(PACE) });
  const tallies = new Map<string, Tally>();
  const needed = new Set<ProofRule>();
  for (let round = 0; round < rounds; round++) {
    for (const name of Object.keys(LIES)) {
      const tally = tallies.get(name) ?? { lies: 0, proved: 0, twins: 0 };
      tallies.set(name, tally);
      await tryLie(name, seed + round, stage, tally, needed);
    }
  }
  for (const [name, { lies, proved, twins }] of tallies) log(`${name}: ${proved} of ${lies} lies proved, ${twins} of ${lies} honest twins`);
  const all = [...tallies.values()];
  const sum = (of: (tally: Tally) => number) => all.reduce((total, tally) => total + of(tally), 0);
  const lies = sum((tally) => tally.lies);
  log(`${sum(({ proved }) => proved)} of ${lies} lies proved; of honest twins ${(sum(({ twins }) => twins) / lies).toFixed(3)}`);
  assert.equal(
    sum(({ proved }) => proved),
    0,
    'a lie is proved',
  );
  assert.ok(sum(({ twins }) => twins) / lies >= TWINS_MIN, `fewer than ${TWINS_MIN} of the honest twins are proved`);
  const idle = RULES.filter(({ rule }) => !needed.has(rule)).map(({ rule }) => rule);
  log(`needed alone for some lie: ${[...needed].join(', ')}`);
  if (rounds >= ROUNDS_THAT_NEED_EACH) assert.deepEqual(idle, [], 'rules without which no lie would be proved');
}

/** Builds on a liar and its twin. */
export async function tryLie(name: string, seed: number, stage: BuildStage, tally: Tally, needed: Set<ProofRule>): Promise<void> {
  tally.lies++;
  const lied = await certificatesOf(name, seed, false, stage);
  if (lied.some(({ state }) => state === 'proved')) tally.proved++;
  for (const certificate of lied) for (const rule of await neededRules(certificate, stage)) needed.add(rule);
  if ((await certificatesOf(name, seed, true, stage)).some(({ state }) => state === 'proved')) tally.twins++;
}

/** The certificates of the functions that ask the site in the way in which it lies. */
async function certificatesOf(name: string, seed: number, isHonest: boolean, stage: BuildStage): Promise<readonly Certificate[]> {
  await using site = await startLiar(name, seed, isHonest);
  stage.answers.clear();
  const result = await stage.build({ url: site.url, objective: OBJECTIVE });
  return ownFunctions(LIES[name]?.asking ?? 'word', result);
}

function ownFunctions(asking: string, { functions }: BuildResult): readonly Certificate[] {
  const own = functions.filter(({ candidate, certificate }) => {
    if (asking === 'page') return candidate.kind === 'list' && certificate.hasPages;
    if (asking === 'detail') return candidate.kind === 'detail';
    return asking === 'path' ? candidate.kind === 'list' && certificate.hasInput : candidate.kind === 'search';
  });
  return own.map(({ certificate }) => certificate);
}

/** The rules without which the function would be proved. */
async function neededRules(certificate: Certificate, { answers }: BuildStage): Promise<readonly ProofRule[]> {
  const rows: Record<string, Awaited<ReturnType<typeof readRows>>> = {};
  for (const { role, answer, failure } of certificate.probes) {
    const body = answer && answers.get(answer.sha256);
    if (!answer || !body) continue;
    rows[role] = failure === undefined ? await readRows(certificate.reading, { ...answer, contentType: answer.contentType, body }) : [];
  }
  const facts = factsOf(certificate, rows);
  return RULES.filter(
    ({ rule }) =>
      decideProof(
        facts,
        RULES.filter((each) => each.rule !== rule),
      ).state === 'proved',
  ).map(({ rule }) => rule);
}
