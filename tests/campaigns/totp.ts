// Random seeds, algorithms, digits, periods and instants: the codes are those of oathtool (OATH Toolkit), which nobody here wrote.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { codeAt } from '../../packages/engine/src/totp/codes.ts';
import { readSeed } from '../../packages/engine/src/totp/seed.ts';
import { mulberry32 } from '../conformance/fuzz.ts';

export const needs = 'oathtool (apt-get install oathtool)';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const ALGORITHMS = ['SHA1', 'SHA256', 'SHA512'] as const;
const PERIODS = [15, 30, 60] as const;
/** To the end of the year 2286. */
const SECONDS_MAX = 9_999_999_999;

/** One round is one seed at one instant. */
export async function campaign({ rounds, seed, log }: CampaignOptions): Promise<void> {
  const random = mulberry32(seed);
  const below = (count: number) => Math.floor(random() * count);
  for (let round = 0; round < rounds; round++) {
    const secret = Array.from({ length: 8 * (2 + below(12)) }, () => ALPHABET[below(32)]).join('');
    const [algorithm = 'SHA1', period = 30] = [ALGORITHMS[below(3)], PERIODS[below(3)]];
    const [digits, seconds] = [6 + below(3), below(SECONDS_MAX)];
    const read = readSeed(`otpauth://totp/x?secret=${secret}&algorithm=${algorithm}&digits=${digits}&period=${period}`);
    assert.ok('totp' in read, `${secret} is a seed`);
    const args = [`--totp=${algorithm}`, '--base32', `--digits=${digits}`, `--time-step-size=${period}s`, `--now=@${seconds}`, '-'];
    const { status, stdout, stderr } = spawnSync('oathtool', args, { input: secret, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    assert.equal(codeAt(read.totp, seconds * 1000), stdout.trim(), `${args.join(' ')} of ${secret}`);
  }
  log(`${rounds} codes are those of oathtool`);
}
