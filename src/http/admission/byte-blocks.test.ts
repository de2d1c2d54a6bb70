import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createByteBlocks } from './byte-blocks.ts';

it('[attack.35-1] joins the bytes of pieces of any length', () => {
  const length = fc.oneof(fc.nat(3), fc.integer({ min: 1000, max: 1050 }), fc.nat(9000));
  fc.assert(
    fc.property(fc.array(length, { maxLength: 40 }), (lengths) => {
      const blocks = createByteBlocks();
      const pieces = lengths.map((bytes, nr) => Buffer.alloc(bytes, nr + 1));
      for (const piece of pieces) blocks.add(piece);
      expect(blocks.join().equals(Buffer.concat(pieces))).toBe(true);
    }),
  );
});
