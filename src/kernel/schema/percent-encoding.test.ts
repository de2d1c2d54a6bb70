import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodePercent } from './percent-encoding.ts';

it('[attack.13-2] decodes each octet, and keeps a percent sign that encodes nothing', () => {
  expect(decodePercent('%7E%7e a%2').toString('latin1')).toBe('~~ a%2');
  expect(decodePercent('%%41%zz%').toString('latin1')).toBe('%A%zz%');
  fc.assert(
    fc.property(fc.uint8Array(), (octets) => {
      const encoded = Array.from(octets, (octet) => `%${octet.toString(16).padStart(2, '0')}`);
      expect([...decodePercent(encoded.join(''))]).toEqual([...octets]);
      expect([...decodePercent(encoded.join('').toUpperCase())]).toEqual([...octets]);
    }),
  );
});
