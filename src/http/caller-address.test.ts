import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { findCallerAddress, toCallerAddress } from './caller-address.ts';

it.for([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::ffff:c000:207', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['unknown', 'unknown'],
] as const)('[rate.buckets] counts %s as %s', ([address, counted]) => {
  expect(toCallerAddress(address)).toBe(counted);
});

it.for([
  ['192.0.2.7', 0, '198.51.100.9'],
  [undefined, 1, '198.51.100.9'],
  ['', 1, '198.51.100.9'],
  ['192.0.2.7', 1, '192.0.2.7'],
  ['192.0.2.6, 192.0.2.7', 1, '192.0.2.7'],
  ['192.0.2.6, 192.0.2.7', 2, '192.0.2.6'],
  ['192.0.2.6, 192.0.2.7', 3, '192.0.2.6'],
] as const)('[config.trust-proxy] %s behind %i proxies is %s', ([forwarded, proxies, found]) => {
  const headers = { 'x-forwarded-for': forwarded };
  const socket = { remoteAddress: '198.51.100.9' } as Socket;
  expect(findCallerAddress({ headers, socket }, proxies)).toBe(found);
});
