// What main runs once the settings are known: real network, real clock, signals.
import { createAddressGate, createFetcher, createViewPool, proxyFinder } from '@weft/engine/io';
import { browserPart } from './agent/browser.ts';
import { systemClock } from './clock.ts';
import type { Config } from './config.ts';
import type { Home } from './home.ts';
import { openLog, signalled } from '@weft/serve';
import { readSettings } from './settings.ts';
import { startAgent } from './start.ts';
import type { RunningAgent } from './start.ts';
import { systemKeychain } from './vault/keychain.ts';
import { createProxyLogins } from './secrets/proxy-logins.ts';

/** From the first signal to the end of the process, whatever hangs. */
const EXIT_MS = 9500;

/** Runs the agent on its prepared home until SIGTERM or SIGINT; a second signal ends it at once. */
export async function runProgram(config: Config, home: Home): Promise<void> {
  const settings = readSettings(home.file('config.json'));
  const log = openLog(home.file('logs', 'agent.log'));
  process.on('unhandledRejection', (error) => log.error({ error }, 'unhandled rejection'));
  const clock = systemClock;
  const gate = createAddressGate({ mode: 'agent', ownPorts: [config.port, config.port + 1] });
  const { proxy, proxies } = settings;
  const proxyLogins = createProxyLogins(proxies);
  const fetcher = createFetcher({
    gate,
    userAgent: config.userAgent,
    clock,
    home: config.home,
    chromePath: config.chromePath,
    screen: config.screen,
    proxy,
    findProxy: proxyFinder(proxies, (name) => proxyLogins.find(name)),
  });
  const views = createViewPool();
  const probes = [() => browserPart(fetcher.browserState())];
  const agent = await startAgent({
    config,
    settings,
    clock,
    log,
    fetcher,
    sessions: fetcher.sessions,
    hasScreen: config.screen !== undefined,
    views,
    probes,
    proxyLogins,
    keychain: systemKeychain(),
  });
  log.info({ base_url: agent.baseUrl, https_url: agent.httpsUrl }, 'agent started');
  // Whoever reads that it listens may end it at once.
  const ended = signalled();
  process.stderr.write(banner(agent));
  await ended;
  // What hangs by then is outside the database, which the next start finds as it is after any other end.
  setTimeout(() => process.exit(0), EXIT_MS).unref();
  await agent.stop();
  await Promise.all([fetcher.close(), views.close()]);
  log.info({}, 'agent stopped');
  await log.close();
}

function banner(agent: RunningAgent): string {
  return [
    `Weft agent on ${agent.baseUrl}${agent.httpsUrl ? ` and ${agent.httpsUrl}` : ''}`,
    `Token in ${agent.tokenFile}`,
    '',
    'Try, in another terminal:',
    '  ./weft scrape https://example.com',
    '  ./weft status',
    '  ./weft doctor',
    '',
  ].join('\n');
}
