// llmock of PyPI on loopback: a model that nobody here wrote, which breaks its answers on demand and judges whoever asks.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bringPackages } from '../../bench/apps/packages.ts';
import { ownPrograms } from '../../bench/apps/programs.ts';
import { freePort } from '../../bench/src/processes.ts';
import { SETTINGS } from '../../bench/src/settings.ts';

export const LLMOCK = '0.2.2';

/** What one of the next requests meets, in its words: `fail`, `reply`, `stream_fault`, `tool_fault`, `delay`, ... */
export interface Behavior {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** Its judgement of whoever asked since the last time it forgot. */
export interface Verdict {
  readonly passed: boolean;
  readonly calls: number;
  readonly attempts: number;
  readonly faults_injected: number;
  readonly errors: number;
  readonly warnings: number;
  readonly findings: readonly { readonly code: string; readonly title: string }[];
}

export interface LlMock extends AsyncDisposable {
  readonly baseUrl: { readonly openai: string; readonly anthropic: string };
  /** Queues what the next requests meet. */
  expect(behaviors: readonly Behavior[]): Promise<void>;
  verdict(): Promise<Verdict>;
  /** Forgets requests and behaviours. */
  forget(): Promise<void>;
}

/** Installs it on first use and starts it. Throws with a sentence that says what is lacking. */
export async function startLlMock(): Promise<LlMock> {
  const home = join(SETTINGS.appsFolder, 'llmock');
  mkdirSync(home, { recursive: true });
  await bringPackages({ pip: [`llmock==${LLMOCK}`] }, SETTINGS.appsFolder, home);
  const folder = mkdtempSync(join(tmpdir(), 'weft-llmock-'));
  const programs = ownPrograms(join(folder, 'log'));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  programs.start(
    join(home, 'python/bin/llmock'),
    ['serve', '--host', '127.0.0.1', '--port', String(port), '--log-level', 'warning', '--stream-chunk-delay-ms', '5'],
    {
      env: { HOME: folder },
    },
  );
  await programs.answers(`${origin}/health`);
  const admin = async (path: string, body?: unknown): Promise<unknown> => {
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) };
    const response = await fetch(`${origin}/_llmock/${path}`, path === 'verdict' ? {} : post);
    const said = await response.text();
    assert.ok(response.ok, `${path}: ${response.status} ${said.slice(0, 300)}`);
    return JSON.parse(said);
  };
  return {
    baseUrl: { openai: `${origin}/v1`, anthropic: `${origin}/anthropic` },
    expect: async (behaviors) => void (await admin('scenario', { behaviors })),
    // Its own words for it.
    verdict: async () => (await admin('verdict')) as Verdict,
    forget: async () => void (await admin('reset')),
    async [Symbol.asyncDispose]() {
      await programs.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
