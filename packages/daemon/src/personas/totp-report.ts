// What is told of a TOTP seed: of which kind it is, or what is wrong with it, and never the seed.
import type { TotpReport, ValidateTotp } from '@weft/contract';
import { findDrift, readSeed, secondsLeft } from '@weft/engine';
import type { Clock } from '@weft/engine';

/** Looks at a seed, and at a code of it where one is sent, now. */
export type TotpReporter = (asked: ValidateTotp) => TotpReport;

export function createTotpReporter(clock: Clock): TotpReporter {
  return (asked) => reportTotp(asked, clock.now());
}

function reportTotp({ totp_seed, code }: ValidateTotp, nowMs: number): TotpReport {
  const read = readSeed(totp_seed);
  if ('fault' in read) return { valid: false, reason: read.fault, message: read.message };
  const { totp } = read;
  const drift = code === undefined ? undefined : findDrift(totp, code, nowMs);
  return {
    valid: true,
    algorithm: totp.algorithm,
    digits: totp.digits,
    period: totp.period,
    ...(totp.issuer === undefined ? {} : { issuer: totp.issuer }),
    ...(totp.account === undefined ? {} : { account: totp.account }),
    ...(totp.warnings.length === 0 ? {} : { warnings: [...totp.warnings] }),
    seconds_left: secondsLeft(totp, nowMs),
    ...(code === undefined ? {} : { code_matches: drift !== undefined }),
    ...(drift === undefined ? {} : { code_drift: drift }),
  };
}
