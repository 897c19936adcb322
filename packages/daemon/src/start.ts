// Starts the agent step by step and stops it in the opposite order.
import { attachWebSocket, listen } from '@weft/serve';
import type { Kernel, Listener } from '@weft/serve';
import { openDatabase } from './db/open.ts';
import type { Home } from './home.ts';
import { prepareHome, remainsOf } from './home.ts';
import { takeInstanceLock } from './lock.ts';
import { removeRuntimeFile } from './runtime-file.ts';
import { createServices } from './services.ts';
import type { Outside, Services } from './services.ts';

export interface AgentOptions extends Outside {
  /** False where a test needs no HTTPS twin. */
  readonly hasTls?: boolean;
}

export interface RunningAgent {
  readonly baseUrl: string;
  readonly httpsUrl: string | undefined;
  readonly tokenFile: string;
  /** Ends streams, stops runs, lets short answers finish, closes the database; within ten seconds. */
  stop(): Promise<void>;
}

const GRACE_MS = 7000;
const PRUNE_MS = 6 * 3_600_000;

/** Starts the agent. Rejects with ConfigError or the system's error for a home, port or database that can't be used; nothing is left behind then. */
export async function startAgent(options: AgentOptions): Promise<RunningAgent> {
  const { config, clock, log } = options;
  const home = prepareHome(config.home);
  const undo = new AsyncDisposableStack();
  try {
    const lock = takeInstanceLock(home.file('agent.lock'));
    undo.defer(() => lock.release());
    const database = openDatabase({
      path: home.file('weft.db'),
      backups: home.file('backups'),
      nowMs: clock.now(),
      remains: remainsOf(home),
    });
    undo.defer(() => database.close());
    const services = createServices(options, home, database);
    undo.defer(() => services.close());

    services.executor.takeOver();
    const plain = await listen(services.kernel, { port: config.port });
    undo.defer(() => plain.close(GRACE_MS));
    const twin = options.hasTls === false ? undefined : await listenSecurely(services.kernel, home, options, undo);
    for (const listener of [plain, twin]) if (listener) attachWebSocket(listener, services.sockets);

    const address = { baseUrl: plain.own.origin, httpsUrl: twin?.own.origin };
    services.publish(address);
    undo.defer(() => removeRuntimeFile(home, services.instanceId));
    const prune = () => services.prune().catch((error: unknown) => log.error({ error }, 'what is past its time could not be deleted'));
    const pruning = setInterval(prune, PRUNE_MS).unref();
    undo.defer(() => clearInterval(pruning));
    services.executor.start();
    undo.defer(() => drain(twin ? [plain, twin] : [plain], services));
    return { ...address, tokenFile: home.file('token'), stop: () => undo.disposeAsync() };
  } catch (error) {
    await undo.disposeAsync();
    log.error({ error }, 'agent could not start');
    throw error;
  }
}

/** Takes no more calls, ends streams, stops runs and lets short answers finish: all at once, so that together they take GRACE_MS at most. */
async function drain(listeners: readonly Listener[], { streams, executor }: Services): Promise<void> {
  const closing = listeners.map((listener) => listener.close(GRACE_MS));
  streams.endAll();
  await Promise.all([executor.stop(GRACE_MS), ...closing]);
}

/** The HTTPS twin on the next port. Its certificate is renewed without a restart. */
async function listenSecurely(kernel: Kernel, home: Home, options: AgentOptions, undo: AsyncDisposableStack): Promise<Listener> {
  const { config, clock, log } = options;
  const { ensureAuthority, leafSource } = await import('./tls/index.ts');
  let twin: Listener | undefined;
  const leaf = await leafSource({
    authority: await ensureAuthority(home.path, clock),
    clock,
    every: (intervalMs, run) => {
      const timer = setInterval(run, intervalMs).unref();
      return () => clearInterval(timer);
    },
    onRenewed: (secure) => {
      if (twin && 'setSecureContext' in twin.server) twin.server.setSecureContext(secure);
    },
    onError: (error) => log.error({ error }, 'the certificate could not be renewed'),
  });
  undo.defer(() => leaf.close());
  twin = await listen(kernel, { port: config.port === 0 ? 0 : config.port + 1, tls: leaf.secureOptions() });
  const listener = twin;
  undo.defer(() => listener.close(GRACE_MS));
  return listener;
}
