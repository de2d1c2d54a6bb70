import { expect, it } from 'vitest';
import { fail } from '../errors.ts';
import { BYTES_PER_READ, unlimitedRateLimiter } from './rate-limits.ts';
import { createStreamBill } from './stream-bill.ts';

const who = { name: 'agent:ada' };

/** Creates a payer that counts reads, and whose first `refusals` attempts are refused. */
function createPayer(refusals = 0, retryAfterSeconds = 0) {
  const counts = { paid: 0, refused: 0 };
  const rateLimiter = {
    ...unlimitedRateLimiter,
    async take() {
      if (counts.refused < refusals) {
        counts.refused++;
        throw fail('rate_limited', 'Wait.', { retryAfterSeconds });
      }
      counts.paid++;
      return 1;
    },
    charge(_policy: string, _who: object, amount: number) {
      counts.paid += amount;
    },
  };
  return { counts, rateLimiter, clock: () => 0 };
}

it('[attack.9-3] (API4) short steps are paid together, by each 64 KiB', async () => {
  const payer = createPayer();
  const bill = createStreamBill(payer, who, new AbortController().signal);
  const step = async (bytes: number) => {
    await bill.settle(false);
    bill.add(bytes);
  };
  // The call that opened the stream has paid for the first 64 KiB.
  for (let count = 0; count < 4; count++) await step(BYTES_PER_READ / 4);
  await step(0);
  expect(payer.counts.paid).toBe(0);
  for (let count = 0; count < 8; count++) await step(BYTES_PER_READ / 4);
  await step(0);
  expect(payer.counts.paid).toBe(2);
  await step(5 * BYTES_PER_READ);
  await step(0);
  expect(payer.counts.paid).toBe(7);
  // A page of a catch-up costs a read, also when it is short.
  await bill.settle(true);
  bill.add(100);
  await bill.settle(true);
  expect(payer.counts.paid).toBe(9);
});

it('[attack.9-3] (API4) a stream waits before its next step until its agent can pay', async () => {
  const payer = createPayer(3);
  const bill = createStreamBill(payer, who, new AbortController().signal);
  bill.add(2 * BYTES_PER_READ);
  expect(bill.isLong()).toBe(true);
  await bill.settle(false);
  expect(payer.counts).toEqual({ paid: 1, refused: 3 });
  await bill.settle(false);
  expect(payer.counts.paid).toBe(1);
});

it('[attack.9-3] a stream whose reader leaves waits for no payment', async () => {
  const abort = new AbortController();
  const bill = createStreamBill(createPayer(1, 3600), who, abort.signal);
  bill.add(2 * BYTES_PER_READ);
  const settled = bill.settle(false);
  abort.abort();
  await expect(settled).rejects.toThrow();
});
