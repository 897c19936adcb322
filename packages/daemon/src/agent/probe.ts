// Proves to a client that this is the agent of its runtime.json, before the client sends any token (D12).
import { createHmac } from 'node:crypto';
import { AppError } from '@weft/contract';
import { jsonAnswer } from '@weft/serve';
import type { Outgoing } from '@weft/serve';

const NONCE = /^[A-Za-z0-9_-]{43}$/;

export interface ProbeIdentity {
  readonly instanceId: string;
  /** New at each start; only readers of runtime.json know it. */
  readonly secret: string;
}

/** HMAC-SHA256 over "weft-probe-1", the instance, the address and the nonce, joined by NUL; base64url. */
export function probeProof(identity: ProbeIdentity, baseUrl: string, nonce: string): string {
  return createHmac('sha256', identity.secret).update(['weft-probe-1', identity.instanceId, baseUrl, nonce].join('\0')).digest('base64url');
}

/** The answer to `GET /probe?nonce=<32 bytes base64url>` on the listener at `baseUrl`. */
export function answerProbe(identity: ProbeIdentity, baseUrl: string, search: string): Outgoing {
  const nonce = new URLSearchParams(search).get('nonce') ?? '';
  if (!NONCE.test(nonce)) throw new AppError('bad_request', 'nonce must be 32 bytes in base64url (43 characters).');
  return jsonAnswer(200, { instance_id: identity.instanceId, base_url: baseUrl, proof: probeProof(identity, baseUrl, nonce) });
}
