import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import type { Campaign } from '../../scripts/campaign.ts';
import { listFiles } from '../../scripts/modules.ts';

const SEED_MAX = 2 ** 31;

for (const file of listFiles(import.meta.dirname, '.', ['.ts']).filter((path) => !path.endsWith('.test.ts'))) {
  const name = file.replace(/\.ts$/, '');
  test(`the campaign ${name} holds for a few rounds`, async (context) => {
    const module: { campaign: Campaign; roundsInTests?: number; needs?: string } = await import(
      pathToFileURL(join(import.meta.dirname, file)).href
    );
    // What comes from outside of the project's own packages is no part of the tests, nor a machine of one's own.
    if (module.needs !== undefined) return context.skip(`needs ${module.needs}: npm run campaign -- ${name}`);
    const seed = randomInt(SEED_MAX);
    context.diagnostic(`npm run campaign -- ${name} --rounds ${module.roundsInTests ?? 1} --seed ${seed}`);
    await module.campaign({ rounds: module.roundsInTests ?? 1, seed, log: (line) => context.diagnostic(line) });
  });
}
