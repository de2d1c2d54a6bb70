import { Patterned } from '../../kernel/schema/schema.ts';

/** A day in UTC. */
export const Day = (options: Record<string, unknown> = {}) =>
  Patterned('^[0-9]{4}-[0-9]{2}-[0-9]{2}$', 'must be a day such as 2026-02-01', {
    examples: ['2026-02-01'],
    ...options,
  });
