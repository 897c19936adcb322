// Renews the leaf of a running HTTPS server while clients call it: no request may fail, and each renewal must be seen.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { ensureAuthority } from '../../packages/daemon/src/tls/authority.ts';
import { DAY_MS } from '../../packages/daemon/src/tls/certificate.ts';
import { type SecureOptions, leafSource } from '../../packages/daemon/src/tls/leaf.ts';
import type { CampaignOptions } from '../../scripts/campaign.ts';

export const roundsInTests = 5;

const CLIENTS = 8;
/** A leaf of 70 days ago is past two thirds of its life and still valid; seen from there, one of today has not begun. */
const BACK_MS = 70 * DAY_MS;

/** One round is one renewal with eight clients that call without pause. Nothing here is random. */
export async function campaign({ rounds, log }: CampaignOptions): Promise<void> {
  const startMs = Date.now();
  await using server = await openServer(startMs);
  const isOver = { value: false };
  const serials = new Set<string>();
  const clients = Promise.all(Array.from({ length: CLIENTS }, () => callUntil(isOver, server, serials)));
  try {
    for (let round = 1; round <= rounds; round++) {
      await server.renewAt(round % 2 === 1 ? startMs - BACK_MS : startMs);
      serials.add(await call(server));
    }
  } finally {
    isOver.value = true;
    await Promise.allSettled([clients]);
  }
  const calls = (await clients).reduce((sum, count) => sum + count, 0);
  assert.ok(serials.size >= rounds, `${serials.size} leaves seen in ${rounds} renewals`);
  log(`${rounds} renewals, ${calls} requests, none failed, ${serials.size} leaves seen`);
}

interface RenewableServer extends AsyncDisposable {
  readonly port: number;
  readonly ca: string;
  /** Sets the clock, lets the source look, and waits until the server shows the new leaf. */
  renewAt(nowMs: number): Promise<void>;
}

async function openServer(startMs: number): Promise<RenewableServer> {
  const home = await mkdtemp(join(tmpdir(), 'weft-tls-renewal-'));
  const authority = await ensureAuthority(home, { now: () => startMs - BACK_MS });
  const time = { nowMs: startMs, look: () => {} };
  const every = (_intervalMs: number, run: () => void) => {
    time.look = run;
    return () => (time.look = () => {});
  };
  let renewed = Promise.withResolvers<SecureOptions>();
  const onRenewed = (options: SecureOptions) => renewed.resolve(options);
  const source = await leafSource({
    authority,
    clock: { now: () => time.nowMs },
    every,
    onRenewed,
    onError: (error) => renewed.reject(error),
  });
  const server = createServer(source.secureOptions(), (_request, response) => response.end('ok'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    ca: authority.certPem,
    async renewAt(nowMs) {
      renewed = Promise.withResolvers<SecureOptions>();
      time.nowMs = nowMs;
      time.look();
      server.setSecureContext(await renewed.promise);
    },
    async [Symbol.asyncDispose]() {
      source.close();
      server.close();
      await rm(home, { recursive: true });
    },
  };
}

async function callUntil(isOver: { readonly value: boolean }, server: RenewableServer, serials: Set<string>): Promise<number> {
  let calls = 0;
  for (; !isOver.value; calls++) serials.add(await call(server));
  return calls;
}

/** One request over a connection of its own; answers the serial of the leaf that it was shown. */
async function call({ port, ca }: RenewableServer): Promise<string> {
  const sent = request({ host: '127.0.0.1', port, ca, agent: false }).end();
  const [response] = await once(sent, 'response');
  const serial = (response.socket as TLSSocket).getPeerCertificate().serialNumber;
  response.resume();
  await once(response, 'end');
  return serial;
}
