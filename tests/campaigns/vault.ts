// Kills an agent with SIGKILL while it changes how its vault is opened, and opens what is left with the old passphrase or the new one.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { mulberry32 } from '../conformance/fuzz.ts';
import type { Program } from '../conformance/program.ts';
import { startProgram } from '../conformance/program.ts';
import { openTestVault } from '../vault/vaults.ts';

export const roundsInTests = 4;

const VALUES = 200;
/** A change begins with one or two derivations of a key; the signal comes within so much of the time of the first one that was let through. */
const LATEST = 1.3;

/** What a round does with the vault: its first passphrase, another passphrase, another master key. */
type Act = 'first' | 'change' | 'rotate';
const ACTS: readonly Act[] = ['first', 'change', 'rotate'];

/** How a vault is opened: undefined by the device alone. */
type Passphrase = string | undefined;

interface Tally {
  old: number;
  new: number;
  /** Kills that left values under two keys. */
  halfway: number;
}

/** One round is one change and one kill. */
export async function campaign({ rounds, seed, log }: CampaignOptions): Promise<void> {
  const random = mulberry32(seed);
  const tally: Tally = { old: 0, new: 0, halfway: 0 };
  const durations = new Map<Act, number>();
  for (let round = 0; round < rounds; round++) {
    const act = ACTS[round % ACTS.length] ?? 'first';
    const home = mkdtempSync(join(tmpdir(), 'weft-vault-kill-'));
    try {
      const before: Passphrase = act === 'first' ? undefined : `before round ${round}`;
      await fill(home, before);
      const after: Passphrase = act === 'rotate' ? before : `after round ${round}`;
      const known = durations.get(act);
      if (known === undefined) durations.set(act, await changeWhole(home, act, before, after));
      else {
        await changeUntilKilled(home, act, before, after, random() * known * LATEST);
        await check(home, before, after, tally);
      }
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
    if ((round + 1) % 10 === 0 || round + 1 === rounds)
      log(
        `${round + 1} changes: ${tally.old} opened as before, ${tally.new} as after, ${tally.halfway} of them halfway; every value was there`,
      );
  }
}

async function fill(home: string, passphrase: Passphrase): Promise<void> {
  await using kept = openTestVault({ home });
  for (let i = 0; i < VALUES; i++) kept.vault.put(placeOf(i), textOf(i));
  if (passphrase !== undefined) await kept.vault.unlock({ new_passphrase: passphrase });
}

/** Milliseconds that the change takes when nobody kills it. */
async function changeWhole(home: string, act: Act, before: Passphrase, after: Passphrase): Promise<number> {
  await using program = await startProgram({ home });
  const token = await program.ready();
  const startMs = performance.now();
  const response = await ask(program, token, act, before, after);
  assert.equal(response.status, 200, await response.text());
  return performance.now() - startMs;
}

async function changeUntilKilled(home: string, act: Act, before: Passphrase, after: Passphrase, delayMs: number): Promise<void> {
  await using program = await startProgram({ home });
  const token = await program.ready();
  const asked = ask(program, token, act, before, after).catch(() => undefined);
  await sleep(delayMs);
  program.process.kill('SIGKILL');
  await Promise.all([asked, program.exit]);
}

function ask(program: Program, token: string, act: Act, passphrase: Passphrase, after: Passphrase): Promise<Response> {
  const body = { ...(passphrase === undefined ? {} : { passphrase }), ...(act === 'rotate' ? {} : { new_passphrase: after }) };
  return fetch(`${program.baseUrl}${act === 'rotate' ? '/x/vault/rotate' : '/v1/vault/unlock'}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Opens what is left, and looks at every value before and after another start. */
async function check(home: string, before: Passphrase, after: Passphrase, tally: Tally): Promise<void> {
  for (let start = 0; start < 2; start++) {
    await using kept = openTestVault({ home });
    const epochs = kept.database.fast.prepare('SELECT count(DISTINCT epoch) AS n FROM vault_value').get() as { n: number };
    const isAfter = await opens(kept.vault.unlock(bodyOf(after)));
    assert.ok(isAfter || (await opens(kept.vault.unlock(bodyOf(before)))), 'neither the old nor the new opens the vault');
    for (let i = 0; i < VALUES; i++) assert.equal(kept.vault.find(placeOf(i))?.toString(), textOf(i));
    const { damaged, reseal_pending } = kept.vault.status();
    assert.deepEqual([damaged, reseal_pending], [[], 0]);
    if (start > 0) continue;
    tally[isAfter ? 'new' : 'old']++;
    if (epochs.n > 1) tally.halfway++;
  }
}

function bodyOf(passphrase: Passphrase) {
  return passphrase === undefined ? {} : { passphrase };
}

/** A vault that is opened in another way answers 400 or 423. */
async function opens(unlocked: Promise<unknown>): Promise<boolean> {
  return await unlocked.then(
    () => true,
    ({ code }: { code?: string }) => {
      assert.ok(code === 'vault_locked' || code === 'bad_request', code);
      return false;
    },
  );
}

function placeOf(i: number) {
  return { owner: 'secret', record: `r${i}`, field: 'value' };
}

function textOf(i: number): string {
  return `value ${i} `.repeat(50);
}
