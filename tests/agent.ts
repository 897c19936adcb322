// A real agent in this process for tests: its own home, free ports, a clock that the test moves.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { AgentClock } from '../packages/daemon/src/clock.ts';
import { readConfig } from '../packages/daemon/src/config.ts';
import { startAgent } from '../packages/daemon/src/start.ts';
import type { ProxyLogins } from '../packages/daemon/src/secrets/proxy-logins.ts';
import { readSettings } from '../packages/daemon/src/settings.ts';
import type { RunningAgent } from '../packages/daemon/src/start.ts';
import type { AgentClient } from '@weft/client';
import { createClient } from '@weft/client';
import type { BrowserRecordings, BrowserSessions, Fetcher } from '@weft/engine';
import { createAddressGate } from '@weft/engine/io';
import { createHttpFetcher } from '../packages/engine/src/io/http/fetcher.ts';
import { Alarms } from './alarms.ts';
import { testViews } from './views.ts';

/** A clock that only the test moves. */
export interface TestClock extends AgentClock {
  /** Moves it by so much; appointments ring by this alone. */
  advance(ms: number): void;
  /** Sets the time of day by so much forward, or back: nothing lasts longer by that. */
  jump(ms: number): void;
}

export function testClock(startMs = Date.parse('2026-01-01T00:00:00Z')): TestClock {
  let nowMs = startMs;
  let jumpedMs = 0;
  const alarms = new Alarms();
  const appointments = new Alarms();
  const moveTo = (ms: number) => {
    nowMs = Math.max(nowMs, ms);
    alarms.ring(nowMs);
  };
  return {
    now: () => nowMs + jumpedMs,
    steadyMs: () => nowMs,
    jump: (ms) => void (jumpedMs += ms),
    advance: (ms) => {
      moveTo(nowMs + ms);
      appointments.ring(nowMs);
    },
    alarm: (atMs, ring) => alarms.at(atMs, ring),
    appointment: (atMs, ring) => appointments.at(atMs, ring),
    // Whoever sleeps moves the clock: nothing else would. All others have their turn first, for a sleeper may ask again and again.
    async sleepUntil(epochMs, signal) {
      if (Number.isFinite(epochMs)) await setImmediate();
      else if (!signal.aborted) await once(signal, 'abort');
      if (!signal.aborted) moveTo(epochMs);
    },
  };
}

export interface TestAgent extends RunningAgent {
  readonly home: string;
  readonly token: string;
  readonly port: number;
  readonly client: AgentClient;
  readonly clock: TestClock;
  /** Error lines that the agent logged. */
  readonly logged: readonly string[];
  [Symbol.asyncDispose](): Promise<void>;
}

export interface TestAgentOptions {
  readonly hasTls?: boolean;
  readonly clock?: TestClock;
  /** What the agent goes by in the place of `clock`. */
  readonly ownClock?: AgentClock;
  readonly home?: string;
  readonly fetcher?: Fetcher;
  /** Pages that are acted on. */
  readonly sessions?: BrowserSessions & BrowserRecordings;
  readonly proxyLogins?: ProxyLogins;
}

/** Starts an agent; disposing it stops it and deletes the home that it made. */
export async function startTestAgent(options: TestAgentOptions = {}): Promise<TestAgent> {
  const home = options.home ?? mkdtempSync(join(tmpdir(), 'weft-test-'));
  const clock = options.clock ?? testClock();
  const logged: string[] = [];
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (...line: unknown[]) => void logged.push(describe(line)),
    close: async () => undefined,
  };
  const fetcher = options.fetcher ?? createHttpFetcher({ gate: createAddressGate({ mode: 'agent' }) });
  const config = { ...readConfig({ SERVICE_HOME: home }), port: 0 };
  const agent = await startAgent({
    config,
    settings: readSettings(join(home, 'config.json')),
    clock: options.ownClock ?? clock,
    log,
    fetcher,
    ...(options.sessions ? { sessions: options.sessions } : {}),
    ...(options.proxyLogins ? { proxyLogins: options.proxyLogins } : {}),
    views: testViews,
    hasTls: options.hasTls ?? false,
  });
  const token = readFileSync(agent.tokenFile, 'utf8').trim();
  return {
    ...agent,
    home,
    token,
    port: Number(new URL(agent.baseUrl).port),
    client: createClient({ baseUrl: agent.baseUrl, token, retriesMax: 0 }),
    clock,
    logged,
    async [Symbol.asyncDispose]() {
      await agent.stop();
      await fetcher.close();
      if (options.home === undefined) rmSync(home, { recursive: true, force: true });
    },
  };
}

function describe(line: readonly unknown[]): string {
  return line
    .map((part) =>
      part instanceof Error ? part.stack : JSON.stringify(part, (_key, value: unknown) => (value instanceof Error ? value.stack : value)),
    )
    .join(' ');
}
