import { describe, expect, it } from 'vitest';
import { attacks } from '../../test/features/webhooks/address-attacks.ts';
import { isPublicAddress } from './addresses.ts';

describe('an address', () => {
  it.each(
    Object.entries(attacks).flatMap(([kind, addresses]) =>
      addresses.map((address) => [address, kind] as const),
    ),
  )('[dial.addresses] %s (%s) is not one to connect to', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '93.184.216.34',
    '9.255.255.255',
    '11.0.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.255.255',
    '172.32.0.1',
    '192.167.1.1',
    '198.17.255.255',
    '198.20.0.1',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450:4001:80e::200e',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2003::1',
    '2606:4700::7f00:1',
  ])('[dial.addresses] %s is one', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});
