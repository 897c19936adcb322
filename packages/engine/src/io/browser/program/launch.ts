// Starts a browser that goes through our proxy only, and ends it for sure.
import { tmpdir } from 'node:os';
import type { Browser } from 'playwright-core';
import { noBrowserError } from './find.ts';
import type { BrowserCandidate, BrowserPlaces, BrowserProgram } from './find.ts';
import { findBrowsers } from './find.ts';
import { within } from '../deadline.ts';
import { registerPageWorld } from '../live/page-world.ts';

/** A running browser, and the way to be rid of it. */
export interface LaunchedBrowser {
  readonly browser: Browser;
  readonly candidate: BrowserCandidate;
  /** The browser's main process, leader of a process group of its own. */
  readonly pid: number;
  /** Asks it to end, and kills its process group when it does not within five seconds. */
  close(): Promise<void>;
}

/** What tells a program where its windows go: the variables of X11 or Wayland, none where windows need none. */
export type Screen = Readonly<Record<string, string>>;

const LAUNCH_MS = 30_000;
const CLOSE_MS = 5_000;

/**
 * What Playwright turns off (the last list that a browser is given is the only one it takes; a test holds both against each other), and what
 * makes a page wait for its next frame with all that an input began: a step that waits for that took half as long again.
 */
const FEATURES_OFF = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'msEdgeUpdateLaunchServicesPreferredVersion',
  'msForceBrowserSignIn',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
  'DeferRendererTasksAfterInput',
];

/** What keeps a browser quiet, and its traffic in the proxy: no QUIC, no look-ups of its own, no UDP past the proxy. */
const FLAGS = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-domain-reliability',
  '--no-pings',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--disk-cache-size=33554432',
  `--disable-features=${FEATURES_OFF.join(',')}`,
];

/**
 * Starts the first browser of `places` that starts. `proxyUrl` takes what no context's own proxy takes. With `screen` it has a
 * window there. Throws PageError `browser`.
 */
export async function launchBrowser(places: BrowserPlaces, proxyUrl: string, screen?: Screen): Promise<LaunchedBrowser> {
  let failure: unknown;
  for (const candidate of findBrowsers(places)) {
    try {
      return await launchCandidate(candidate, await candidate.ready(), proxyUrl, screen);
    } catch (error) {
      // A wrapper without its browser, a library that is missing: the next one may start.
      failure ??= error;
    }
  }
  throw noBrowserError(places, failure);
}

async function launchCandidate(
  candidate: BrowserCandidate,
  program: BrowserProgram,
  proxyUrl: string,
  screen: Screen | undefined,
): Promise<LaunchedBrowser> {
  // Loaded with the first page that needs it: 14 MB that most programs never use.
  const { chromium, selectors } = await import('playwright-core');
  await registerPageWorld(selectors);
  const isRoot = process.getuid?.() === 0;
  const browser = await chromium.launch({
    executablePath: program.path,
    headless: screen === undefined,
    args: FLAGS,
    // Pop-ups without a click stay blocked.
    ignoreDefaultArgs: ['--disable-popup-blocking'],
    chromiumSandbox: !isRoot,
    proxy: { server: proxyUrl, bypass: '<-loopback>' },
    timeout: LAUNCH_MS,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    ...(process.platform === 'linux' ? { env: { ...bareEnvironment(), ...program.env, ...screen } } : {}),
  });
  const pid = await findPid(browser).catch(async (error: unknown) => {
    await browser.close().catch(() => undefined);
    throw error;
  });
  return { browser, candidate, pid, close: () => closeBrowser(browser, pid) };
}

/** Not this process's own variables: they hold keys and proxies, and pages run code in there. */
function bareEnvironment(): Readonly<Record<string, string>> {
  return { HOME: tmpdir(), PATH: '/usr/local/bin:/usr/bin:/bin', TMPDIR: tmpdir(), LANG: 'C.UTF-8' };
}

async function findPid(browser: Browser): Promise<number> {
  const session = await within(browser.newBrowserCDPSession(), CLOSE_MS, 'opening the browser');
  const { processInfo } = await within(session.send('SystemInfo.getProcessInfo'), CLOSE_MS, 'asking the browser for its process');
  const pid = processInfo.find(({ type }) => type === 'browser')?.id;
  if (pid === undefined) throw new Error('The browser does not tell its process id.');
  return pid;
}

async function closeBrowser(browser: Browser, pid: number): Promise<void> {
  await within(browser.close(), CLOSE_MS, 'closing the browser').catch(() => undefined);
  endProcessGroup(pid);
}

/** Ends a browser with all its helpers at once. Harmless when it is gone. */
function endProcessGroup(pid: number): void {
  try {
    // Playwright starts it as leader of a group of its own; on Windows it ends the whole tree itself.
    if (process.platform !== 'win32') process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left in the group.
  }
}
