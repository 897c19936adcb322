import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bareHost, classifyAddress, isAddressLiteral, isLocalhostName, isMetadataName } from './address.ts';
import type { AddressClass } from './address.ts';

const CLASSES: readonly (readonly [AddressClass, readonly string[]])[] = [
  ['public', ['8.8.8.8', '1.1.1.1', '172.15.0.1', '172.32.0.1', '192.0.1.1', '2606:4700::1111', '2a00::1', '2001:4860:4860::8888']],
  ['loopback', ['127.0.0.1', '127.255.255.255', '::1']],
  ['private', ['10.0.0.1', '172.16.0.1', '192.168.1.1', '100.64.0.1', 'fc00::1', 'fd12::1']],
  ['link_local', ['169.254.1.1', 'fe80::1', 'fe81::1', 'fe80::1%eth0']],
  ['metadata', ['169.254.169.254', '169.254.170.2', 'fd00:ec2::254', 'FD00:EC2:0::254', '168.63.129.16', '100.100.100.200', '192.0.0.192']],
  ['unspecified', ['0.0.0.0', '0.1.2.3', '::']],
  ['multicast', ['224.0.0.1', '255.255.255.255', 'ff02::1']],
  ['embedded', ['::ffff:8.8.8.8', '::8.8.8.8', '::ffff:0:8.8.8.8', '64:ff9b::808:808', '64:ff9b:1::1', '2002:808:808::', '2001::1']],
  [
    'reserved',
    ['240.0.0.1', '198.18.0.1', '203.0.113.1', '192.0.0.8', '2001:db8::1', '3fff::1', '5f00::1', '100::1', 'fec0::1', '8000::1'],
  ],
  ['invalid', ['', 'localhost', '127.1', '2130706433', '0x7f.0.0.1', '256.1.1.1', '[::1]', '1.2.3.4:80', ':', '::g', '1.2.3', ' 8.8.8.8']],
];

describe('classifyAddress', () => {
  for (const [wanted, addresses] of CLASSES) {
    for (const address of addresses) test(`${JSON.stringify(address)} is ${wanted}`, () => assert.equal(classifyAddress(address), wanted));
  }
});

describe('hosts', () => {
  test('localhost and everything below it stays on the machine', () => {
    assert.deepEqual(['localhost', 'localhost.', 'a.localhost', 'localhost.example', 'notlocalhost'].map(isLocalhostName), [
      true,
      true,
      true,
      false,
      false,
    ]);
  });
  test('the metadata names of the clouds are known', () => {
    assert.deepEqual(['metadata.google.internal', 'metadata.google.internal.', 'metadata.example'].map(isMetadataName), [
      true,
      true,
      false,
    ]);
  });
  test('a host is given without brackets and without the root dot', () => {
    assert.deepEqual(
      ['http://[::1]:80/', 'http://a.example./'].map((url) => bareHost(new URL(url))),
      ['::1', 'a.example'],
    );
  });
  test('an address is told from a name', () => {
    assert.deepEqual(['1.2.3.4', '::1', 'a.example', '1.2.3.4.example'].map(isAddressLiteral), [true, true, false, false]);
  });
});
