import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sha256 } from './credentials.ts';
import { digestInTurns } from './digest-in-turns.ts';

it('[case.recompute] is the digest of the canonical JSON', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (document) => {
      expect(await digestInTurns(document)).toEqual(sha256(canonicalize(document) ?? ''));
    }),
  );
});

it('[attack.18-3] (API4) gives others their turn between the texts of a list', async () => {
  const texts = Array.from({ length: 1_000 }, (_, index) => ({ text: `${index}`.repeat(2_000) }));
  let turns = 0;
  let isDone = false;
  const countTurns = () => {
    turns++;
    if (!isDone) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  await digestInTurns({ texts });
  isDone = true;
  expect(turns).toBeGreaterThan(40);
});
