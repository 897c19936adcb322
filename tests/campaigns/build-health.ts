// Health of built functions: harmless edits of a site degrade nothing, and each way in which a function breaks is named.
import assert from 'node:assert/strict';
import { DEFAULT_BUILD_LIMITS, recheckFunction } from '@weft/engine';
import type { BuiltFunction, Recheck } from '@weft/engine';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { startBuildStage } from '../build-stage.ts';
import { mulberry32 } from '../conformance/fuzz.ts';
import { BREAKS, startEditedShop } from '../sites/edited-shop.ts';
import type { Break } from '../sites/edited-shop.ts';

/** Edits that one proof lives through before the site is built anew. */
const EDITS_PER_BUILD = 25;
export const roundsInTests = 12;

/** A round is one edit: all functions are proved again after it. After every 25 the site is broken in each way once, and mended. */
export async function campaign({ rounds, seed, log }: CampaignOptions): Promise<void> {
  const random = mulberry32(seed);
  await using stage = startBuildStage();
  const shop = await startEditedShop();
  try {
    const counts = { edits: 0, proofs: 0, degraded: 0, breaks: 0 };
    while (counts.edits < rounds) {
      const options = { ...OPTIONS, url: `${shop.origin}/` };
      const { functions } = await stage.build(options);
      const proved = functions.filter(({ certificate }) => certificate.state === 'proved');
      assert.ok(proved.length > 0, `nothing was proved: ${functions.map(({ certificate }) => certificate.reason).join(' ')}`);
      const recheck = async (built: BuiltFunction): Promise<Recheck['change']> =>
        (await recheckFunction(built, options, stage.portsFor(options.url), new AbortController().signal)).change;
      for (let i = 0; i < EDITS_PER_BUILD && counts.edits < rounds; i++) {
        shop.edit(random);
        counts.edits++;
        for (const built of proved) {
          counts.proofs++;
          const change = await recheck(built);
          if (!change) continue;
          counts.degraded++;
          log(`edit ${counts.edits}: ${built.name} ${change.kind}: ${change.message}`);
        }
      }
      counts.breaks += await breakAll(proved, shop, recheck);
    }
    log(
      `${counts.edits} harmless edits, ${counts.proofs} proofs made again, ${counts.degraded} degraded; ${counts.breaks} breaks, all named`,
    );
    assert.equal(counts.degraded, 0);
  } finally {
    await shop.close();
  }
}

const OPTIONS = {
  objective: 'search products by name',
  respectRobots: true,
  aiSupervise: false,
  isDiscovery: false,
  limits: DEFAULT_BUILD_LIMITS,
};

/** A function without an input can't ignore one. */
async function breakAll(
  proved: readonly BuiltFunction[],
  shop: { spoil(how?: Break): void },
  recheck: (built: BuiltFunction) => Promise<Recheck['change']>,
): Promise<number> {
  let breaks = 0;
  for (const [how, kind] of Object.entries(BREAKS) as [Break, string][]) {
    shop.spoil(how);
    for (const built of proved.filter(({ candidate }) => how !== 'ignores' || candidate.kind === 'search')) {
      const change = await recheck(built);
      assert.equal(change?.kind, kind, `${how} of ${built.name} is told as ${change?.kind}: ${change?.message}`);
      breaks++;
    }
    shop.spoil();
    for (const built of proved) assert.equal(await recheck(built), undefined, `${built.name} holds again once ${how} is mended`);
  }
  return breaks;
}
