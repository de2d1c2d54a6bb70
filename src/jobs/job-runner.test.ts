import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { type Job, startJobs } from './job-runner.ts';

describe('jobs', () => {
  it('[ops.jobs-first-turn] have a first turn soon after the start, also slow ones', async () => {
    const ran: string[] = [];
    await new Promise<void>((resolve) => {
      const build = (name: string): Job => ({
        name,
        everySeconds: 86_400,
        run: async () => {
          ran.push(name);
          if (ran.length === 2) resolve();
          return false;
        },
      });
      startJobs([build('one'), build('two')], pino({ enabled: false }));
    });
    expect(ran).toEqual(['one', 'two']);
  });
});
