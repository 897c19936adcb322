// Puts the kernel and the sockets in front of the agent's nouns. Nothing here decides anything.
import { performance } from 'node:perf_hooks';
import { DAEMON_TABLE, EXTRA_TABLE } from '@weft/contract';
import { createKernel, createNouns, createStreamRegistry, documentRoute } from '@weft/serve';
import type { Kernel, SocketOptions, StreamRegistry } from '@weft/serve';
import type { Address } from './agent/agent.ts';
import { agentPolicy } from './auth/policy.ts';
import { ensureSecret } from '@weft/serve';
import { explainFault, explainFileFault } from './db/fault.ts';
import { createIdempotencyStore } from './db/idempotency.ts';
import type { Database } from './db/open.ts';
import { GROUPS } from './generated/groups.ts';
import type { Home } from './home.ts';
import { handlersOf, routesOf } from './group.ts';
import type { LogFailure, Nouns, Outside } from './group.ts';
import { createRequestLog } from '@weft/serve';
import type { Executor } from './runs/executor.ts';
import { serveScreen } from './screens/socket.ts';
import { serveRunEvents } from './ws-ticket/topics.ts';

export type { Outside } from './group.ts';

export interface Services {
  readonly kernel: Kernel;
  readonly sockets: SocketOptions;
  readonly streams: StreamRegistry;
  readonly executor: Executor;
  readonly instanceId: string;
  /** Makes the address known once the listeners have it, and writes `runtime.json`. */
  publish(address: Address): void;
  /** Deletes what is past its retention. */
  prune(): Promise<void>;
  /** Ends the threads that read. */
  close(): Promise<void>;
}

export function createServices(outside: Outside, home: Home, database: Database): Services {
  const { config, settings, clock, log, monotonicMs = () => performance.now() } = outside;
  const logError = (message: string, error: unknown) => log.error({ error }, message);
  const logFailure: LogFailure = (of, { code, message: reason }) => log.warn({ ...of, code, reason }, 'failed');
  const closing = new AbortController();
  const streams = createStreamRegistry();
  const given = { ...outside, home, database, streams, groups: GROUPS, logError, logFailure };
  const nouns = createNouns<Nouns>(
    given,
    GROUPS.map((group) => group.nouns),
  );
  for (const group of GROUPS) group.open?.(nouns);
  const { identity, runStore, notifier, tickets, presence, executor, screenPorts } = nouns;
  const document = { version: config.version, address: () => presence.address().baseUrl };
  const policy = agentPolicy({ identity, ownerOfRun: (id) => runStore.ownerOf(id), rates: settings.limits.rate });

  const kernel = createKernel({
    policy,
    surfaces: [
      { table: DAEMON_TABLE, handlers: handlersOf(nouns, 'specified') },
      { table: EXTRA_TABLE, handlers: handlersOf(nouns, 'extra') },
    ],
    open: {
      ...routesOf(nouns),
      '/openapi.json': documentRoute(DAEMON_TABLE, {
        ...document,
        title: 'Weft local agent',
        description: 'The operations of the interface specification that this agent serves.',
      }),
      '/openapi-extra.json': documentRoute(EXTRA_TABLE, {
        ...document,
        title: 'Weft local agent: beyond the specification',
        description: 'Operations under /x/.',
      }),
    },
    idempotency: createIdempotencyStore(database, clock, ensureSecret(home.file('print.key'))),
    streams,
    now: monotonicMs,
    log: createRequestLog(log, monotonicMs),
    explain: (error) => explainFault(error) ?? explainFileFault(error),
  });

  return {
    kernel,
    sockets: {
      policy,
      spendTicket: (ticket) => tickets.spend(ticket),
      streams,
      serve: (socket, actor, signal) => {
        serveRunEvents(socket, actor, signal, { store: runStore, notifier });
        serveScreen(socket, actor, signal, screenPorts);
      },
      now: monotonicMs,
    },
    streams,
    executor,
    instanceId: presence.probe.instanceId,
    publish: (address) => presence.publish(address),
    async prune() {
      for (const group of GROUPS) if (!closing.signal.aborted) await group.prune?.(nouns, closing.signal);
    },
    async close() {
      closing.abort();
      await Promise.all(GROUPS.map((group) => group.close?.(nouns)));
    },
  };
}
