// What the agent says of itself: a light status and a deep look at its parts.
import { statfsSync } from 'node:fs';
import type { AgentStatus, Health, HealthPart } from '@weft/contract';
import type { CrawlClock } from '@weft/engine';
import type { Config } from '../config.ts';
import type { Database } from '../db/open.ts';
import { durably } from '../db/open.ts';
import type { Home } from '../home.ts';
import type { Runs } from '../runs/run.ts';
import type { Vault } from '../vault/vault.ts';
import { toInstant } from '@weft/serve';

/** Where the agent listens; known once it does. */
export interface Address {
  readonly baseUrl: string;
  readonly httpsUrl: string | undefined;
}

export interface AgentPorts {
  readonly config: Config;
  readonly home: Home;
  readonly database: Database;
  readonly runs: Runs;
  readonly vault: Pick<Vault, 'summary'>;
  readonly clock: CrawlClock;
  readonly instanceId: string;
  readonly startedMs: number;
  address(): Address;
  /** Parts that live elsewhere and know their own state: certificate, browser. */
  readonly probes: readonly (() => HealthPart)[];
}

const FREE_BYTES_WARN = 500_000_000;
/** What a write-ahead log grows by at a time, many times over: below it some writes still pass, and others do not. */
const FREE_BYTES_FAIL = 5_000_000;

export function readStatus(ports: AgentPorts): AgentStatus {
  const vault = ports.vault.summary();
  const { baseUrl, httpsUrl } = ports.address();
  return {
    name: 'weft',
    version: ports.config.version,
    instance_id: ports.instanceId,
    base_url: baseUrl,
    ...(httpsUrl === undefined ? {} : { https_url: httpsUrl }),
    started_at: toInstant(ports.startedMs),
    uptime_seconds: Math.max(0, Math.floor((ports.clock.steadyMs() - ports.startedMs) / 1000)),
    runs: { ...ports.runs.countLive() },
    ...(vault ? { vault } : {}),
  };
}

export function readHealth(ports: AgentPorts): Health {
  const parts = [databasePart(ports), diskPart(ports.home), namePart(ports.config), ...ports.probes.map((probe) => probe())];
  const worst = parts.some((part) => part.status === 'fail') ? 'fail' : parts.some((part) => part.status === 'warn') ? 'warn' : 'ok';
  return { status: worst, parts };
}

/** Commits a row, because a database on a full or read-only disk still answers reads, and takes what is rolled back. */
function databasePart({ database, home }: AgentPorts): HealthPart {
  try {
    durably(database.fast, () => database.fast.exec('UPDATE health_probe SET at = at'));
    return { name: 'database', status: 'ok', message: 'The database can be read and written.' };
  } catch (error) {
    return {
      name: 'database',
      status: 'fail',
      message: `The database can't be written: ${(error as Error).message}.`,
      fix: `Free space or mend the permissions of ${home.path}.`,
    };
  }
}

/** How sites see the agent. A name without a contact is honest, but who is troubled by it can only block it. */
function namePart({ userAgent, contact }: Config): HealthPart {
  const advice = contact === undefined ? ' SERVICE_CONTACT, a page or a mail address, tells them whom to ask.' : '';
  return { name: 'user agent', status: 'ok', message: `Sites see "${userAgent}".${advice}` };
}

function diskPart(home: Home): HealthPart {
  const stats = statfsSync(home.path);
  const freeBytes = stats.bavail * stats.bsize;
  const message = `${Math.floor(freeBytes / 1_000_000)} MB are free on the disk of the home folder.`;
  if (freeBytes >= FREE_BYTES_WARN) return { name: 'disk', status: 'ok', message };
  return { name: 'disk', status: freeBytes < FREE_BYTES_FAIL ? 'fail' : 'warn', message, fix: `Free space on the disk of ${home.path}.` };
}
