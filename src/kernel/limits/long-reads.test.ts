import { expect, it } from 'vitest';
import { monotonicClock } from '../clock.ts';
import { createLongReads } from './long-reads.ts';

it('[export.pace] rests after a piece while requests arrive or readers are woken', async () => {
  const rests: number[] = [];
  const work = { lastBegunAt: monotonicClock() };
  const hub = { deliveries: 0 };
  const reads = createLongReads(work, hub, async (ms) => void rests.push(ms));
  expect(await reads.readPiece('a', async () => 'busy')).toBe('busy');
  expect(rests).toHaveLength(1);

  work.lastBegunAt = monotonicClock() - 60_000;
  expect(await reads.readPiece('a', async () => 'quiet')).toBe('quiet');
  expect(rests).toHaveLength(1);

  await reads.readPiece('a', async () => hub.deliveries++);
  expect(rests).toHaveLength(2);
});
