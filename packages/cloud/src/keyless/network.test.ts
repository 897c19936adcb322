import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from './network.ts';

for (const [address, network] of [
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:12:34ff::1', '2001:db8:12:34/56'],
  ['2001:db8:12:3400:1:2:3:4', '2001:db8:12:34/56'],
  ['2001:db8:12:3500::', '2001:db8:12:35/56'],
  ['fe80::1%eth0', 'fe80:0:0:0/56'],
  ['::1', '0:0:0:0/56'],
] as const)
  test(`${address} is of the network ${network}`, () => assert.equal(networkOf(address), network));
