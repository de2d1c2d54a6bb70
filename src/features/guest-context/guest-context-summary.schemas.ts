import { Closed, Int64, List, type Static, Time, Type } from '../../kernel/schema/schema.ts';

const Count = (description: string, example: number) => Int64({ description, examples: [example] });

/** Figures over all guest contexts, for administrators. */
export const GuestContextSummary = Closed(
  {
    contexts: Count('The number of contexts with entries.', 12),
    entries: Count('The number of entries that have not expired.', 40),
    bytes: Count('The bytes of their keys and values.', 18_000),
    expiries: List(
      Closed(
        {
          date: Type.String({ format: 'date', examples: ['2026-11-21'] }),
          entries: Count('The number of entries that expire on that day (UTC).', 4),
          bytes: Count('The bytes of these entries.', 900),
        },
        { title: 'GuestContextExpiry' },
      ),
      {
        description:
          'Entries by the day on which they expire, earliest first. Days without any are left out.',
      },
    ),
    asOf: Time(),
  },
  { title: 'GuestContextSummary' },
);
export type GuestContextSummary = Static<typeof GuestContextSummary>;
