// Searches of saved sites become functions: those that are proved give the rows that people marked, and no others.
import assert from 'node:assert/strict';
import { DEFAULT_BUILD_LIMITS, draftable } from '@weft/engine';
import { buildFunction } from '../../packages/engine/src/build/functions/build-function.ts';
import { mechanicalDraft } from '../../packages/engine/src/build/mechanical-draft.ts';
import type { BuiltFunction, Candidate } from '@weft/engine';
import { findDataset } from '../../bench/quality/dataset.ts';
import { textsShown } from '../../bench/quality/proof/examples.ts';
import { scoreItems } from '../../bench/quality/lists/score.ts';
import { SiteAsking } from '../../packages/engine/src/build/asking/site-asking.ts';
import { readRows } from '../../packages/engine/src/build/proof/read-rows.ts';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { startBuildStage } from '../build-stage.ts';
import type { BuildStage } from '../build-stage.ts';
import { fastClock } from '../fast-clock.ts';
import { mulberry32 } from '../conformance/fuzz.ts';
import { readSplitSites } from '../../bench/quality/proof/split-pages.ts';
import { readSavedSites, serveSavedSite } from '../../bench/quality/proof/saved-searches.ts';
import type { SavedSite } from '../../bench/quality/proof/saved-searches.ts';

export const needs = 'saved result pages, where they are';

/** Rows that are less like those that people marked are another list (research/workflow-peers.md 4). */
const WRONG_BELOW = 0.3;
const WRONG_MAX = 0.02;
const OBJECTIVE = 'search by keyword';
const REQUESTS_MAX = 60;
/** Nearly all of a round is waiting politely for loopback: so many times as fast. */
const PACE = 50;

/**
 * A round is one site. `--folder` takes other sites of the kind; the public ones are used where none is given, and with `--folder split` the
 * pages of the other public sets that declare a list.
 */
export async function campaign({ rounds, seed, folder, log }: CampaignOptions): Promise<void> {
  const home = folder ?? findDataset('lists');
  if (home === undefined) return log('SKIPPED: no folder of saved sites. Give one: --folder <path>');
  const random = mulberry32(seed);
  const sites = (home === 'split' ? readSplitSites() : readSavedSites(home))
    .filter(({ searches }) => searches.length >= 3 && searches.every(({ truth }) => truth.length >= 2))
    .map((site) => ({ site, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .slice(0, rounds);
  await using stage = startBuildStage(undefined, { hosts: fastClock(PACE) });
  const counts = { right: 0, wrong: 0, unproved: 0, none: 0 };
  for (const { site } of sites) {
    const end = await buildSite(site, stage);
    counts[end.kind]++;
    log(`${site.name}: ${end.kind}${end.detail}`);
  }
  const all = sites.length || 1;
  const share = (count: number) => `${count} of ${sites.length} (${(count / all).toFixed(3)})`;
  log(
    `proved and right ${share(counts.right)}, proved and wrong ${share(counts.wrong)}, not proved ${share(counts.unproved)}, no list found ${share(counts.none)}`,
  );
  assert.ok(counts.wrong / all <= WRONG_MAX, `${share(counts.wrong)} are proved and wrong; at most ${WRONG_MAX} may be.`);
}

interface SiteEnd {
  readonly kind: 'right' | 'wrong' | 'unproved' | 'none';
  readonly detail: string;
}

async function buildSite(site: SavedSite, stage: BuildStage): Promise<SiteEnd> {
  await using server = await serveSavedSite(site);
  const options = { url: server.url, objective: OBJECTIVE, isDiscovery: true };
  const { catalogue, ladder } = await stage.build(options);
  const searches = { ...catalogue, candidates: catalogue.candidates.filter(({ kind }) => kind === 'search').map(withoutPages) };
  if (draftable(searches).length === 0) {
    const form = catalogue.forms.find(({ unused }) => unused !== undefined);
    return { kind: 'none', detail: `: ${form?.unused ?? ladder.at(0)?.measured ?? ''}` };
  }
  const ports = { ...stage.ports, privateTargets: [new URL(server.url).host] };
  const limits = { ...DEFAULT_BUILD_LIMITS, pagesMax: REQUESTS_MAX, proofCallsMax: REQUESTS_MAX };
  const asking = new SiteAsking({ ...options, respectRobots: true, aiSupervise: false, limits }, ports, {
    requestsMax: REQUESTS_MAX,
    price: 1,
  });
  let last = '';
  for (const draft of mechanicalDraft(searches, OBJECTIVE).functions) {
    const candidate = searches.candidates.find(({ id }) => id === draft.candidate_id);
    const made = candidate && (await buildFunction(draft, candidate, asking, new AbortController().signal));
    if (!made || typeof made === 'string') continue;
    const f1 = await scoreOf(made, site, stage);
    last = `, F1 ${f1.toFixed(2)}: ${made.certificate.reason}`;
    if (made.certificate.state === 'proved') return { kind: f1 < WRONG_BELOW ? 'wrong' : 'right', detail: last };
  }
  return { kind: 'unproved', detail: last };
}

/** Page 2 was not saved. */
function withoutPages({ paging: _paging, ...candidate }: Candidate): Candidate {
  return candidate;
}

/** How well the rows of the recorded call are those that people marked. */
async function scoreOf({ certificate }: BuiltFunction, { searches }: SavedSite, { answers }: BuildStage): Promise<number> {
  const recorded = certificate.probes.find(({ role }) => role === 'recorded');
  const search = searches.find(({ word }) => word.toLowerCase() === String(Object.values(recorded?.inputs ?? {})[0] ?? '').toLowerCase());
  const body = recorded?.answer && answers.get(recorded.answer.sha256);
  if (!recorded?.answer || !search || !body) return 0;
  const { reading } = certificate;
  const answer = { ...recorded.answer, contentType: recorded.answer.contentType, body };
  return scoreItems(textsShown(reading, answer, await readRows(reading, answer)), search.truth).f1;
}
