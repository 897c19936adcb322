// What a build stands on, in a test: the engine's own fetcher, gate and readers, a folder in memory for answers, and a log of what was told.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_BUILD_LIMITS, MemoryHostGate, ReachMemory, beginLadder, createRobotsSources, runBuild } from '@weft/engine';
import type { BuildKeeping, BuildOptions, BuildPorts, BuildProgress, BuildResult } from '@weft/engine';
import { createAddressGate, createCookieStore, createFetcher, systemClock } from '@weft/engine/io';
import { testViews } from './views.ts';

/** A stage that builds. */
export interface BuildStage extends AsyncDisposable {
  readonly ports: BuildPorts;
  /** By SHA-256. */
  readonly answers: Map<string, Uint8Array>;
  readonly told: BuildProgress[];
  /** Ports that may reach the site at this address. */
  portsFor(url: string): BuildPorts;
  /** Builds from the first rung on; ids are `bld_1`, `bld_2`, ... */
  build(options: Partial<BuildOptions> & Pick<BuildOptions, 'url'>, ports?: Partial<BuildPorts>): Promise<BuildResult>;
}

/** What time is read from. */
interface StageClocks {
  readonly clock?: BuildPorts['clock'];
  readonly hosts?: BuildPorts['clock'];
}

const AGENT = 'WeftBot';

/**
 * Begins without a browser unless one is named by its path. `hosts` is the clock by which hosts are left in peace: a fast one where thousands of
 * requests go to loopback. A fast `clock` shortens the time that a page and a step may take as well.
 */
export function startBuildStage(chromePath?: string, { clock = systemClock, hosts = clock }: StageClocks = {}): BuildStage {
  const home = mkdtempSync(join(tmpdir(), 'weft-build-'));
  const gate = createAddressGate({ mode: 'agent' });
  const fetcher = createFetcher({ home, gate, userAgent: AGENT, ...(chromePath === undefined ? {} : { chromePath }) });
  const asking = { fetcher, gate: new MemoryHostGate(hosts), clock, agent: AGENT };
  const answers = new Map<string, Uint8Array>();
  const told: BuildProgress[] = [];
  const ports: BuildPorts = {
    ...asking,
    robotsFor: createRobotsSources(asking),
    views: testViews,
    sessions: chromePath === undefined ? undefined : fetcher.sessions,
    cookies: (state) => createCookieStore(state?.cookies ?? []),
    privateTargets: [],
    names: new ReachMemory(),
    keepAnswer: async (sha256, bytes) => void answers.set(sha256, bytes),
    tell: async (progress) => void told.push(progress),
    spend: async () => true,
    newBuildId: () => `bld_${(next += 1)}`,
    nonsense: () => Array.from(randomBytes(12), (byte) => String.fromCharCode(97 + (byte % 26))).join(''),
  };
  let next = 1;
  const portsFor = (url: string): BuildPorts => ({ ...ports, privateTargets: [new URL(url).host] });
  const optionsOf = (options: Partial<BuildOptions> & Pick<BuildOptions, 'url'>): BuildOptions => ({
    objective: '',
    respectRobots: true,
    aiSupervise: false,
    isDiscovery: false,
    limits: DEFAULT_BUILD_LIMITS,
    ...options,
  });
  return {
    ports,
    answers,
    told,
    portsFor,
    async build(options, own = {}) {
      next = 1;
      const whole = optionsOf(options);
      const keeping: BuildKeeping = { ladder: beginLadder('bld_1', whole), keep: async () => undefined };
      return await runBuild(whole, { ...portsFor(options.url), ...own }, keeping, new AbortController().signal);
    },
    async [Symbol.asyncDispose]() {
      await fetcher.close();
      rmSync(home, { recursive: true });
    },
  };
}
