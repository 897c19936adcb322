// Runs the long counts: `npm run campaign -- <name> --rounds N --seed S`. A campaign is a file of tests/campaigns.
import { randomInt } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

export interface CampaignOptions {
  /** How often to repeat what the campaign counts; at least 1. */
  readonly rounds: number;
  /** Where all of its randomness comes from: the same seed repeats the same rounds. */
  readonly seed: number;
  /** Where a campaign finds what it reads; only those that say so need one. */
  readonly folder?: string | undefined;
  /** Says how far it is; one line a call. */
  log(line: string): void;
}

/** What a file of tests/campaigns exports under the name `campaign`. It throws at the first round that breaks its promise. */
export type Campaign = (options: CampaignOptions) => Promise<void>;

const ROUNDS_DEFAULT = 100;
const SEED_MAX = 2 ** 31;

/**
 * Runs the campaign that `args` name from `folder` and says so through `log`, first with the line that repeats it.
 * Answers the exit code: 0 held, 1 broke, 2 not understood (then the names that exist are listed).
 */
export async function runCampaign(folder: string, args: readonly string[], log: (line: string) => void): Promise<number> {
  const names = campaignNames(folder);
  const usage = `npm run campaign -- <name> [--rounds N] [--seed S] [--folder F], where <name> is one of: ${names.join(', ') || '(none)'}`;
  const asked = parseCampaignArgs(args);
  if (asked === undefined || !names.includes(asked.name)) {
    log(usage);
    return 2;
  }
  log(`npm run campaign -- ${asked.name} --rounds ${asked.rounds} --seed ${asked.seed}`);
  const { campaign }: { campaign: Campaign } = await import(pathToFileURL(join(folder, `${asked.name}.ts`)).href);
  try {
    await campaign({ rounds: asked.rounds, seed: asked.seed, folder: asked.folder, log });
  } catch (error) {
    log(`${asked.name} broke with seed ${asked.seed}: ${error instanceof Error ? error.stack : String(error)}`);
    return 1;
  }
  log(`${asked.name} held for ${asked.rounds} rounds with seed ${asked.seed}`);
  return 0;
}

function campaignNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => file.slice(0, -'.ts'.length))
      .sort();
  } catch {
    return [];
  }
}

function parseCampaignArgs(
  args: readonly string[],
): { name: string; rounds: number; seed: number; folder: string | undefined } | undefined {
  try {
    const options = { rounds: { type: 'string' }, seed: { type: 'string' }, folder: { type: 'string' } } as const;
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true });
    const name = positionals[0] ?? '';
    const rounds = Number(values.rounds ?? ROUNDS_DEFAULT);
    const seed = Number(values.seed ?? randomInt(SEED_MAX));
    const isSound = positionals.length === 1 && Number.isSafeInteger(rounds) && rounds >= 1 && Number.isSafeInteger(seed) && seed >= 0;
    return isSound ? { name, rounds, seed, folder: values.folder } : undefined;
  } catch {
    return undefined;
  }
}

if (import.meta.main) {
  const folder = join(import.meta.dirname, '..', 'tests', 'campaigns');
  process.exitCode = await runCampaign(folder, process.argv.slice(2), (line) => console.log(line));
}
