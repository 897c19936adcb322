// For whom hosts are asked: accounts take turns at a host and in the browser, and who stays for the answer goes first.
import { createHash } from 'node:crypto';
import type { AskingPorts, FetchRequest, HostGate, RobotsSource } from '@weft/engine';

/** Which account, and whether somebody waits for the answer. */
export type Asker = Required<Pick<FetchRequest, 'tenant' | 'isUrgent'>>;

/** All callers without a key: devices are free to make, so that they take turns as one. */
export const KEYLESS_ASKER: Asker = { tenant: 'keyless', isUrgent: true };

const PACE = { inFlightMax: 2, gapMs: 0 };

/** `ports`, whose requests are all of one asker: pages, rules of robots.txt, and places in the lines of hosts. */
export function askingFor<Ports extends Pick<AskingPorts, 'fetcher' | 'gate' | 'robotsFor'>>(ports: Ports, asker: Asker): Ports {
  const inLine = { ...asker, tenant: nameInLines(asker.tenant) };
  return {
    ...ports,
    fetcher: { fetch: (request, signal) => ports.fetcher.fetch({ ...request, ...asker }, signal) },
    gate: gateFor(ports.gate, inLine),
    robotsFor: (privateTargets, proxy) => rulesFor(ports.robotsFor(privateTargets, proxy), inLine),
  };
}

function gateFor(gate: HostGate, asker: Asker): HostGate {
  return {
    take: (host, limits, signal, onWait) => gate.take(host, { ...limits, ...asker }, signal, onWait),
    learnGap: (host, ownGapMs) => gate.learnGap(host, ownGapMs),
    restOf: (host) => gate.restOf(host),
  };
}

function rulesFor(source: RobotsSource, asker: Asker): RobotsSource {
  return {
    rulesFor: (host, signal, limits = PACE, sinceMs, names) => source.rulesFor(host, signal, { ...limits, ...asker }, sinceMs, names),
  };
}

/** Lines are remembered longer than accounts may last: of one that is deleted nothing is left that says whose it was. */
function nameInLines(tenant: string): string {
  return createHash('sha256').update(tenant).digest('base64url').slice(0, 12);
}
