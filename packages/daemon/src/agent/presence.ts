// Where the agent is, as clients find it: its addresses, what proves it, and `runtime.json` (D11, D12).
import { randomBytes, randomUUID } from 'node:crypto';
import type { Identity } from '../auth/identity.ts';
import type { Config } from '../config.ts';
import type { Home } from '../home.ts';
import { writeRuntimeFile } from '../runtime-file.ts';
import type { Address } from './agent.ts';
import type { ProbeIdentity } from './probe.ts';

export interface Presence {
  readonly probe: ProbeIdentity;
  address(): Address;
  /** Makes the address known once the listeners have it, and writes `runtime.json`. */
  publish(address: Address): void;
  /** Writes `runtime.json` anew, with the token of now. */
  write(): void;
}

export interface PresencePorts {
  readonly home: Home;
  readonly config: Config;
  readonly identity: Identity;
  readonly startedMs: number;
}

export function createPresence({ home, config, identity, startedMs }: PresencePorts): Presence {
  const probe = { instanceId: randomUUID(), secret: randomBytes(32).toString('base64url') };
  let address: Address = { baseUrl: '', httpsUrl: undefined };
  const write = () =>
    writeRuntimeFile(home, {
      instance_id: probe.instanceId,
      pid: process.pid,
      base_url: address.baseUrl,
      ...(address.httpsUrl === undefined ? {} : { https_url: address.httpsUrl }),
      token: identity.runtimeToken(),
      probe_secret: probe.secret,
      version: config.version,
      started_at: new Date(startedMs).toISOString(),
    });
  return {
    probe,
    address: () => address,
    publish(known) {
      address = known;
      write();
    },
    write,
  };
}
