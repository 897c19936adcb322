// Messages of the cloud's webhooks, verified by the libraries of others in Python: standardwebhooks and svix of PyPI.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createAddressGate } from '@weft/engine/io';
import { bringPackages } from '../../bench/apps/packages.ts';
import { SETTINGS } from '../../bench/src/settings.ts';
import { createHttpFetcher } from '../../packages/engine/src/io/http/fetcher.ts';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { startTestCloud } from '../cloud.ts';
import { createAuthority, issueCertificate } from '../sites/certificates.ts';
import { reply, startRawServer } from '../sites/raw-server.ts';

/** Why the tests leave it out. */
export const needs = 'Python, and standardwebhooks and svix from PyPI';

const PACKAGES = ['standardwebhooks==1.0.1', 'svix==1.83.0'];

/** Each message as it came must verify, and with another byte, secret or time it must not. */
const VERIFY = `
import json, sys, base64
from standardwebhooks import Webhook as Standard
from svix.webhooks import Webhook as Svix
def accepts(library, secret, body, headers):
    try:
        library(secret).verify(body, headers)
        return True
    except Exception:
        return False
messages = json.load(sys.stdin)
wrong = 'whsec_' + base64.b64encode(b'x' * 32).decode()
for message in messages:
    secret, body, headers = message['secret'], message['body'], message['headers']
    late = dict(headers, **{'webhook-timestamp': str(int(headers['webhook-timestamp']) - 3600)})
    for library in (Standard, Svix):
        got = [accepts(library, *case) for case in ((secret, body, headers), (secret, body + ' ', headers), (wrong, body, headers), (secret, body, late))]
        assert got == [True, False, False, False], (library.__module__, got)
print(len(messages))
`;

/** One round is one message. */
export async function campaign({ rounds, log }: CampaignOptions): Promise<void> {
  const folder = join(SETTINGS.appsFolder, 'webhooks');
  mkdirSync(folder, { recursive: true });
  await bringPackages({ pip: PACKAGES }, SETTINGS.appsFolder, folder);
  const authority = createAuthority();
  const receiver = await startRawServer(() => reply({ body: 'ok' }), issueCertificate(authority, 'localhost', 30));
  const gate = createAddressGate({ mode: 'public', privateTargets: [`localhost:${receiver.port}`] });
  const cloud = await startTestCloud({ fetcher: createHttpFetcher({ gate, trustedCertificates: [authority.pem] }) });
  try {
    const url = `https://localhost:${receiver.port}/`;
    const { body: hook } = await cloud.call('POST', '/api/account/webhooks', cloud.owner, { url });
    for (let i = 0; i < rounds; i++) {
      const { body } = await cloud.call('POST', `/api/account/webhooks/${hook.id}/test`, cloud.owner);
      assert.equal(body.outcome, 'sent', JSON.stringify(body));
    }
    const messages = receiver.requests.map(({ head, body }) => ({ secret: hook.secret as string, body, headers: headersOf(head) }));
    assert.equal(messages.length, rounds);
    const { stdout, stderr } = spawnSync(join(folder, 'python', 'bin', 'python'), ['-c', VERIFY], {
      input: JSON.stringify(messages),
      encoding: 'utf8',
    });
    assert.equal(stdout.trim(), String(rounds), stderr);
    log(`${rounds} messages: ${PACKAGES.join(' and ')} accept each, and none that was changed`);
  } finally {
    await cloud[Symbol.asyncDispose]();
    await receiver.close();
  }
}

function headersOf(head: string): Readonly<Record<string, string>> {
  const lines = head.split('\r\n').slice(1);
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
}
