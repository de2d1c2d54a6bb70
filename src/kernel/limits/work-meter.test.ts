import { describe, expect, it } from 'vitest';
import { createWorkMeter, requestWork, type Work } from './work-meter.ts';

/** A process with a clock of its own that works off what it has in hand, the oldest first. */
function createProcess() {
  let now = 0;
  const meter = createWorkMeter(() => now, requestWork);
  const queue: { readonly work: Work; readonly from: number }[] = [];
  return {
    meter,
    waits: [] as number[],
    refused: 0,
    /** Offers requests of an address; returns how many are accepted. */
    offer(count: number, address = 'a'): number {
      let accepted = 0;
      for (let i = 0; i < count; i++) {
        if (meter.mustRefuse(address)) continue;
        queue.push({ work: meter.begin(address), from: now });
        accepted += 1;
      }
      return accepted;
    },
    /** Lets a millisecond pass in which so many requests are done. */
    pass(done: number): void {
      now += 1;
      for (const { work, from } of queue.splice(0, done)) {
        this.waits.push(now - from);
        work.end();
      }
    },
  };
}

describe('createWorkMeter', () => {
  it('[load.overload] does what it can, and accepts what it does within 250 ms', () => {
    const one = createProcess();
    let accepted = 0;
    for (let ms = 0; ms < 10_000; ms++) {
      accepted += one.offer(6);
      one.pass(2);
    }
    expect(one.waits.filter((wait) => wait > 250).length).toBeLessThan(accepted / 100);
    // The process never had nothing to do.
    expect(one.waits.length).toBe(20_000);
    expect(accepted).toBeLessThan(20_500);
  });

  it('[load.overload] is back to normal soon after', () => {
    const one = createProcess();
    for (let ms = 0; ms < 1_000; ms++) {
      one.offer(6);
      one.pass(2);
    }
    for (let ms = 0; ms < 300; ms++) {
      one.offer(1);
      one.pass(2);
    }
    const { length } = one.waits;
    for (let ms = 0; ms < 1_000; ms++) {
      expect(one.offer(1)).toBe(1);
      one.pass(2);
    }
    expect(Math.max(...one.waits.slice(length))).toBeLessThan(5);
  });

  it('[load.burst] accepts a burst that comes at once', () => {
    const one = createProcess();
    expect(one.offer(1_000)).toBe(1_000);
    expect(one.meter.inHand).toBe(1_000);
  });

  it('[load.overload] [load.shares] gives each caller an equal share', () => {
    const one = createProcess();
    const accepted = { a: 0, b: 0, quiet: 0 };
    for (let ms = 0; ms < 2_000; ms++) {
      accepted.a += one.offer(10, 'a');
      accepted.b += one.offer(5, 'b');
      // In the first quarter of a second, what has come is a burst that everybody waits for.
      const isQuietTurn = ms % 10 === 0 && ms >= 250;
      if (isQuietTurn) accepted.quiet += one.offer(1, 'quiet');
      one.pass(2);
    }
    expect(accepted.quiet).toBe(175);
    expect(accepted.a / accepted.b).toBeLessThan(1.5);
    expect(accepted.a + accepted.b).toBeGreaterThan(3_500);
  });

  it('[load.shares] one caller with slow work has nobody else refused', () => {
    const one = createProcess();
    for (let ms = 0; ms < 1_000; ms++) {
      one.offer(1, 'slow');
      one.pass(0);
    }
    expect(one.meter.mustRefuse('slow')).toBe(true);
    expect(one.offer(8, 'quiet')).toBe(8);
    const work = one.meter.begin('address');
    work.identify('slow');
    expect(one.meter.mustRefuse('address')).toBe(false);
  });

  it('[attack.5-4] [load.shares] many without a key have no agent refused', () => {
    const one = createProcess();
    for (let ms = 0; ms < 3_000; ms++) {
      one.offer(1, `address:192.0.2.${ms % 250}`);
      one.offer(1, `address:198.51.100.${ms % 250}`);
      one.pass(1);
      expect(one.offer(ms % 50 === 0 ? 1 : 0, 'agent')).toBe(ms % 50 === 0 ? 1 : 0);
    }
    expect(one.meter.inHand).toBeLessThan(200);
    // The first second is a burst of which nobody knows yet that it does not end.
    expect(Math.max(...one.waits.slice(1_500))).toBeLessThan(250);
  });

  it('[attack.29-4] (API4) many who always have a request leave room to who comes seldom', () => {
    const one = createProcess();
    const waiting: string[] = [];
    const works: Work[] = [];
    const offer = (caller: string): boolean => {
      if (one.meter.mustRefuse(caller)) return false;
      works.push(one.meter.begin(caller));
      waiting.push(caller);
      return true;
    };
    const busy = Array.from({ length: 200 }, (_, nr) => `busy ${nr}`);
    const answers: boolean[] = [];
    for (let ms = 0; ms < 30_000; ms++) {
      for (const caller of busy) if (!waiting.includes(caller)) offer(caller);
      // The rate of the process is known by then.
      if (ms > 15_000 && ms % 1_500 === 0) answers.push(offer('seldom'));
      one.pass(0);
      if (ms % 2 > 0) continue;
      waiting.shift();
      works.shift()?.end();
    }
    expect(answers).toEqual(answers.map(() => true));
    // Those who come all the time are bounded.
    expect(waiting.length).toBeLessThan(100);
  });

  it('[attack.29-1] (API4) a few addresses with very much have no other address refused', () => {
    const one = createProcess();
    const answers: boolean[] = [];
    for (let ms = 0; ms < 20_000; ms++) {
      for (let nr = 0; nr < 6; nr++) one.offer(1, `address:192.0.2.${nr}`);
      if (ms > 2_000 && ms % 100 === 0)
        answers.push(one.offer(1, `address:198.51.100.${(ms / 100) % 10}`) === 1);
      one.pass(ms % 2);
    }
    expect(answers).toEqual(answers.map(() => true));
  });

  it('[load.waits-are-no-work] does not count what waits for somebody outside', () => {
    const one = createProcess();
    const { meter } = one;
    const works = Array.from({ length: 5_000 }, () => meter.begin('a'));
    for (const work of works) work.pause();
    expect(meter.inHand).toBe(0);
    one.pass(0);
    expect(one.offer(1)).toBe(1);
    for (const work of works) work.resume();
    expect(meter.inHand).toBe(5_001);
    for (const work of works) {
      work.end();
      work.end();
      work.resume();
    }
    expect(meter.inHand).toBe(1);
  });
});
