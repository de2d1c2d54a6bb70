import { describe, expect, it } from 'vitest';
import { createEventLoopTurns } from './event-loop-turns.ts';
import { createUsedTime } from './used-time.ts';

/** A clock that costly pieces move. */
let time = 0;
const now = () => time;
const work = (milliseconds: number) => {
  time += milliseconds;
};

describe('turns of the event loop', () => {
  it('[attack.43-1] (API4) come first to whoever took the least time lately', async () => {
    const turns = createEventLoopTurns(now);
    const made: string[] = [];
    const make = async (caller: string, pieces: number, milliseconds: number) => {
      for (let nr = 0; nr < pieces; nr++) {
        await turns.wait(caller);
        work(milliseconds);
        made.push(caller);
      }
    };
    const greedy = Array.from({ length: 60 }, () => make('greedy', 5, 10));
    await make('other', 50, 0.2);
    const before = made.filter((caller) => caller === 'greedy').length;
    expect(before).toBeLessThan(5);
    await Promise.all(greedy);
    expect(made).toHaveLength(350);
  });

  it('[attack.43-1] (API4) are shared equally by callers with equal pieces', async () => {
    const turns = createEventLoopTurns(now);
    const made: string[] = [];
    const make = async (caller: string, milliseconds: number) => {
      await turns.wait(caller);
      work(milliseconds);
      made.push(caller);
    };
    await Promise.all([
      ...Array.from({ length: 40 }, () => make('many', 5)),
      ...Array.from({ length: 10 }, () => make('few', 5)),
    ]);
    expect(made.slice(0, 20).filter((caller) => caller === 'few')).toHaveLength(10);
  });

  it('[attack.43-1] measures a piece to its end, also one of several promises', async () => {
    const turns = createEventLoopTurns(now);
    const made: string[] = [];
    const makeInSteps = async () => {
      await turns.wait('slow');
      for (let nr = 0; nr < 20; nr++) {
        await Promise.resolve();
        work(1);
      }
      made.push('slow');
    };
    const makeQuick = async () => {
      await turns.wait('quick');
      work(5);
      made.push('quick');
    };
    await Promise.all([makeInSteps(), makeInSteps(), ...Array.from({ length: 4 }, makeQuick)]);
    expect(made).toEqual(['slow', 'quick', 'quick', 'quick', 'quick', 'slow']);
  });
});

describe('the time that callers used', () => {
  it('[attack.43-1] is forgotten by half in ten seconds', () => {
    const used = createUsedTime(now);
    used.add('ada', 8);
    work(10_000);
    expect(used.get('ada')).toBeCloseTo(4);
    used.add('ada', 4);
    work(20_000);
    expect(used.get('ada')).toBeCloseTo(2);
    expect(used.get('bob')).toBe(0);
  });

  it('[attack.43-1] is remembered of 10,000 callers', () => {
    const used = createUsedTime(now);
    for (let nr = 0; nr <= 10_000; nr++) used.add(`agent-${nr}`, 1);
    expect(used.get('agent-0')).toBe(0);
    expect(used.get('agent-1')).toBe(1);
  });
});
