import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { incomingOf } from './listen.ts';

const PROXIES = ['10.0.0.2', '10.0.0.3'];
const cases: readonly (readonly [what: string, from: string, forwarded: readonly string[], caller: string])[] = [
  ['nobody else is believed', '203.0.113.9', ['198.51.100.1'], '203.0.113.9'],
  ['a trusted proxy says who called it', '10.0.0.2', ['198.51.100.1'], '198.51.100.1'],
  ['what a caller wrote itself stands before that', '10.0.0.2', ['1.1.1.1, 198.51.100.1'], '198.51.100.1'],
  ['two proxies in a row', '10.0.0.2', ['1.1.1.1, 198.51.100.1, 10.0.0.3'], '198.51.100.1'],
  ['over two lines', '10.0.0.2', ['198.51.100.1', '10.0.0.3'], '198.51.100.1'],
  ['in the form of IPv6', '::ffff:10.0.0.2', ['2001:db8::1'], '2001:db8::1'],
  ['what is no address says nothing', '10.0.0.2', ['unknown'], '10.0.0.2'],
  ['a proxy that says nothing', '10.0.0.2', [], '10.0.0.2'],
];
for (const [what, remoteAddress, forwarded, caller] of cases)
  test(`who called: ${what}`, () => {
    const rawHeaders = forwarded.flatMap((value) => ['X-Forwarded-For', value]);
    // As much of a request as is looked at.
    const request = { socket: { remoteAddress }, rawHeaders } as unknown as IncomingMessage;
    assert.equal(incomingOf(request, { host: '', origin: '' }, undefined, PROXIES).remoteAddress, caller);
  });
