import { expect, it } from 'vitest';
import { listAddressSubjects } from './rate-limit-subjects.ts';

it('[rate.sites] counts an IPv6 site of 48 bits ten times as large as one of its networks', () => {
  expect(listAddressSubjects('2001:db8:1:2::/64')).toEqual([
    { name: 'address:2001:db8:1:2::/64', isLoopback: false },
    { name: 'site:2001:db8:1::/48', times: 10 },
    { name: 'everyone', times: 100 },
  ]);
});

it.for([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['0:0:0:0::/64', true],
  ['192.0.2.7', false],
  ['unknown', false],
] as const)('[rate.loopback] %s is this machine: %s', ([address, isLoopback]) => {
  expect(listAddressSubjects(address)).toEqual([
    { name: `address:${address}`, isLoopback },
    ...(isLoopback ? [] : [{ name: 'everyone', times: 100 }]),
  ]);
});
