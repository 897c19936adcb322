// Whom the cloud lets in, how often, and how it says no (D3, D9, D42, D44).
import { createHash } from 'node:crypto';
import { DEVICE_HEADER, DEVICE_ID, LIMITS } from '@weft/contract';
import { findBearer, findHeader, showsBearer } from '@weft/serve';
import type { Operation } from '@weft/contract';
import type { Credential, Incoming, Policy, RatePolicy } from '@weft/serve';
import type { AccountKeys } from '../accounts/key.ts';
import type { ConsumerKeys } from '../published/consumer-key.ts';

const INSIDE = /^\/(?:api\/|v1\/|mcp$)/;
const RATE: RatePolicy = { perSecond: LIMITS.ratePerMinute / 60, burst: LIMITS.rateBurst };
const DEVICE_SENTENCE = 'Send a device id of 16 to 128 letters, digits, "-" and "_" in the header X-Service-Client-Id, and no token.';

/** Who has minted what a caller may show. */
export interface KnownKeys {
  readonly account: Pick<AccountKeys, 'findActor'>;
  readonly consumer: Pick<ConsumerKeys, 'findActor'>;
}

export interface PolicyOptions {
  /** Origins by which the cloud is called beside the address of its listener. */
  readonly publicUrls?: readonly string[];
  /** Of each caller; what D9 says unless given. */
  readonly rate?: RatePolicy | undefined;
}

export function cloudPolicy({ account, consumer }: KnownKeys, { publicUrls = [], rate = RATE }: PolicyOptions = {}): Policy {
  const publicly = publicUrls.map((origin) => ({ host: new URL(origin).host, origin }));
  return {
    addressesOf: (own) => [...publicly, own],
    isInside: (path) => INSIDE.test(path),
    credentials: ['wt'],
    findCredential,
    showsAny: (request) => showsBearer(request) || findHeader(request, DEVICE_HEADER) !== undefined,
    // Of an address: what it may ask without a credential is what its links name.
    anonymous: ({ remoteAddress }) => ({ id: `address_${printOf('address', remoteAddress)}`, family: 'none', scopes: ['read'] }),
    authenticate({ kind, text }) {
      if (kind === 'keyless') return deviceActor(text);
      return kind === 'csk' ? consumer.findActor(text) : account.findActor(text);
    },
    // The cloud's runs have accounts, which every query carries.
    ownerOfRun: () => undefined,
    challenge: () => 'Bearer',
    rateOf: () => rate,
    sentences: {
      foreign: ([own]) =>
        `This request was refused before authentication: call ${own?.origin} with that exact Host, and not from a web page.`,
      missing: whatToSend,
      unknown: whatIsWrong,
      uncovered: ({ id, scopes }) =>
        scopes.every((scope) => scope === 'admin')
          ? `${id} is for an owner of the account: call it with a key of the role owner.`
          : undefined,
      runtimeOnly: 'No key of this cloud may do this.',
      internal: 'Something unexpected failed inside the cloud; its log has the details under this request id.',
    },
  };
}

function whatToSend(operation: Operation | undefined): string {
  if (operation?.credentials?.includes('keyless')) return DEVICE_SENTENCE;
  if (operation?.credentials?.includes('csk'))
    return 'Send a consumer key: `Authorization: Bearer csk_...`. The owner of the function mints them at /api/account/consumer-keys.';
  return 'Send an API key of this cloud: `Authorization: Bearer wt_...`. An owner mints them at /api/account/keys.';
}

/** Of a key that nobody has, of two credentials at once, and of a device id that is none. */
function whatIsWrong(operation: Operation | undefined, request: Incoming): string {
  const isDevice = findHeader(request, DEVICE_HEADER) !== undefined;
  if (!isDevice)
    return 'This key is not known here; it may have been deleted. An owner of the account lists its keys at /api/account/keys.';
  if (!showsBearer(request)) return whatToSend(operation);
  return `A token and a device id (X-Service-Client-Id) were sent, and nobody can say which one counts. ${whatToSend(operation)}`;
}

/** A token or a device id; nothing for both, of which nobody could say which one counts. */
function findCredential(request: Incoming): Credential | undefined {
  const device = findHeader(request, DEVICE_HEADER);
  if (device === undefined) return findBearer(request);
  return DEVICE_ID.test(device) && !showsBearer(request) ? { kind: 'keyless', text: device } : undefined;
}

/** Whoever has a device id is a device: the id is no secret, and is written nowhere as it is. */
function deviceActor(id: string) {
  return { id: `device_${printOf('device', id)}`, family: 'keyless', scopes: ['run'] } as const;
}

function printOf(kind: string, text: string): string {
  return createHash('sha256').update(`${kind}\0${text}`).digest('base64url').slice(0, 22);
}
