// Requests that a web page or another program could send to a port, for every server that stands on the kernel.
import type { RawAnswer } from '../raw-request.ts';
import { rawRequest, requestText } from '../raw-request.ts';

/** A server that is asked. */
export interface Guarded {
  readonly port: number;
  /** The `Host` that it takes. */
  readonly host: string;
  readonly token: string;
}

export interface GuardCase {
  readonly name: string;
  /** HOST, PORT and TOKEN stand for the server's own. */
  readonly headers: readonly string[];
  readonly status: number | readonly number[];
  readonly method?: string;
  readonly target?: string;
  readonly version?: string;
  readonly body?: string;
}

export const TOKEN = 'Authorization: Bearer TOKEN';
export const OWN = 'Host: HOST';
const host = (value: string): readonly string[] => [`Host: ${value}`, TOKEN];
const origin = (...values: string[]): readonly string[] => [OWN, TOKEN, ...values.map((value) => `Origin: ${value}`)];

const REFUSED_HOSTS: readonly (readonly [id: string, value: string])[] = [
  ['A1', 'evil.example:PORT'],
  ['A2', 'localhost:PORT'],
  ['A3', '127.0.0.1'],
  ['A3', '127.0.0.1:8132'],
  ['A3', '127.0.0.1:0PORT'],
  ['A4', '127.0.0.1.evil.example:PORT'],
  ['A4', '127.0.0.1:PORT.evil.example'],
  ['A4', '127.0.0.1:PORT@evil.example'],
  ['A5', '2130706433:PORT'],
  ['A5', '0x7f.1:PORT'],
  ['A5', '127.1:PORT'],
  ['A5', '0.0.0.0:PORT'],
  ['A5', '[::1]:PORT'],
  ['A5', '[::ffff:127.0.0.1]:PORT'],
  ['A9', '127.0.0.1:PORT.'],
  ['A9', '127.0.0.1:PORT%00'],
  ['A9', '127.0.0.1:PORT\tx'],
  ['A9', `${'a'.repeat(10_000)}:PORT`],
  ['A9', '127.0.0.1\u00e9:PORT'],
  ['A9', 'LOCALHOST:PORT'],
];

const REFUSED_ORIGINS = [
  'http://evil.example',
  'null',
  'http://127.0.0.1:9999',
  'http://localhost:PORT',
  'https://127.0.0.1:PORT',
  'file://',
  'http://127.0.0.1:PORT.evil.example',
  'http://127.0.0.1:PORT/',
  `http://${'a'.repeat(10_000)}.example`,
  '',
];

/** Requests against a server that answers 200 at `read` and takes JSON at `write`. */
export const guardCases = ({ read, write }: { readonly read: string; readonly write: string }): readonly GuardCase[] =>
  [
    { name: 'A0 accepts the exact Host with the token', headers: [OWN, TOKEN], status: 200 },
    ...REFUSED_HOSTS.map(([id, value]) => ({ name: `${id} refuses Host ${value.slice(0, 60)}`, headers: host(value), status: 403 })),
    { name: 'A9 refuses a NUL in Host', headers: host('127.0.0.1\0:PORT'), status: [400, 403] },
    { name: 'A6 refuses an empty Host', headers: ['Host:', TOKEN], status: 403 },
    { name: 'A6 refuses HTTP/1.1 without Host', headers: [TOKEN], status: [400, 403] },
    { name: 'A6 refuses HTTP/1.0 without Host', headers: [TOKEN], version: '1.0', status: 403 },
    { name: 'A7 refuses two Hosts, the good one first', headers: [OWN, 'Host: evil.example', TOKEN], status: [400, 403] },
    { name: 'A7 refuses two Hosts, the good one last', headers: ['Host: evil.example', OWN, TOKEN], status: [400, 403] },
    {
      name: 'A8 refuses an absolute-form target of another host',
      target: `http://evil.example${read}`,
      headers: [OWN, TOKEN],
      status: 403,
    },
    {
      name: 'A8 refuses an absolute-form target of its own',
      target: `http://HOST${read}`,
      headers: ['Host: evil.example', TOKEN],
      status: 403,
    },
    { name: 'A8 refuses an absolute-form target with its own Host', target: `http://HOST${read}`, headers: [OWN, TOKEN], status: 403 },
    {
      name: 'A10 ignores forwarding and override headers',
      headers: [OWN, TOKEN, 'X-Forwarded-Host: evil.example', 'Forwarded: host=evil.example', 'X-HTTP-Method-Override: DELETE'],
      status: 200,
    },
    {
      name: 'A10 does not take a good Host from a forwarding header',
      headers: ['Host: evil.example', TOKEN, 'X-Forwarded-Host: HOST'],
      status: 403,
    },
    ...REFUSED_ORIGINS.map((value) => ({
      name: `A11 refuses Origin ${value.slice(0, 60) || '(empty)'}`,
      headers: origin(value),
      status: 403,
    })),
    { name: 'A11 refuses two Origins', headers: origin('http://HOST', 'http://evil.example'), status: 403 },
    { name: 'A11 accepts its own Origin', headers: origin('http://HOST'), status: 200 },
    {
      name: 'A12 refuses its own Origin from a cross-site page',
      headers: [...origin('http://HOST'), 'Sec-Fetch-Site: cross-site'],
      status: 403,
    },
    {
      name: 'A12 refuses its own Origin from a same-site page',
      headers: [...origin('http://HOST'), 'Sec-Fetch-Site: same-site'],
      status: 403,
    },
    { name: 'A12 refuses an unknown Sec-Fetch-Site', headers: [OWN, TOKEN, 'Sec-Fetch-Site: other'], status: 403 },
    { name: 'A12 accepts same-origin', headers: [OWN, TOKEN, 'Sec-Fetch-Site: same-origin'], status: 200 },
    {
      name: 'A13 refuses a preflight',
      method: 'OPTIONS',
      headers: [OWN, 'Origin: http://evil.example', 'Access-Control-Request-Method: POST'],
      status: 403,
    },
    {
      name: 'A13 refuses a preflight for a private network',
      method: 'OPTIONS',
      headers: [OWN, 'Origin: http://evil.example', 'Access-Control-Request-Method: POST', 'Access-Control-Request-Private-Network: true'],
      status: 403,
    },
    ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/json-patch+json'].map(
      (type) => ({
        name: `A14 refuses JSON sent as ${type}`,
        method: 'POST',
        target: write,
        headers: [OWN, TOKEN, `Content-Type: ${type}`, 'Content-Length: 29'],
        body: '{"name":"x","scopes":"admin"}',
        status: 400,
      }),
    ),
    {
      name: 'A14 refuses JSON without a content type',
      method: 'POST',
      target: write,
      headers: [OWN, TOKEN, 'Content-Length: 29'],
      body: '{"name":"x","scopes":"admin"}',
      status: 400,
    },
    {
      name: 'A15 refuses an image request of a page',
      headers: [OWN, 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: no-cors', 'Sec-Fetch-Dest: image'],
      status: 403,
    },
  ].map((guardCase) => ({ target: read, ...guardCase }));

export function sendCase(
  { port, host: ownHost, token }: Guarded,
  { headers, method, target, version, body }: GuardCase,
): Promise<RawAnswer> {
  const own = (text: string) => text.replaceAll('HOST', ownHost).replaceAll('PORT', String(port)).replaceAll('TOKEN', token);
  const lines = {
    headers: headers.map(own),
    ...(method ? { method } : {}),
    ...(target ? { target: own(target) } : {}),
    ...(version ? { version } : {}),
    ...(body ? { body } : {}),
  };
  return rawRequest(port, Buffer.from(requestText(lines), 'latin1'));
}
