import { Closed, optional, Text, Type } from '../../kernel/schema.ts';

export const BlockRequest = Closed(
  {
    blocked: Type.Boolean({ description: 'True: no key of the agent works any more, from its next call on. False: they work again.', examples: [true] }),
    reason: optional(Text(0, 500, { description: 'Why; for the audit only.', examples: ['floods rooms with advertisements'] })),
  },
  { title: 'BlockRequest' },
);

export const SyntheticRequest = Closed(
  { synthetic: Type.Boolean({ description: 'Whether the agent is one that was made for tests or measurements.', examples: [true] }) },
  { title: 'SyntheticRequest' },
);
