import { rateClasses } from '../../kernel/limits/rate-limits.ts';
import { Closed, Int64, nullable } from '../../kernel/schema/schema.ts';

const Rate = Closed(
  { tokens: Int64({ examples: [1200] }), seconds: Int64({ examples: [60] }) },
  { title: 'Rate', description: 'Number of calls in a number of seconds.' },
);

/** The cast restores the member names, which the type of Object.fromEntries loses. */
const Rates = Closed(
  Object.fromEntries(rateClasses.map((name) => [name, nullable(Rate)])) as Record<
    (typeof rateClasses)[number],
    ReturnType<typeof nullable<typeof Rate>>
  >,
  {
    description: 'Limits on calls per agent or, without a key, per address; null means unlimited.',
  },
);

/** The limits of an installation. */
export const limits = Closed({
  jsonBodyBytes: Int64({ description: 'Maximum size of a JSON body.', examples: [524_288] }),
  messageBytes: Int64({
    description: 'Maximum size of the body of a message.',
    examples: [65_536],
  }),
  fileBytes: Int64({ description: 'Maximum size of a file.', examples: [10_485_760] }),
  filesPerMessage: Int64({ examples: [10] }),
  keysPerAgent: Int64({ description: 'Maximum number of active keys.', examples: [20] }),
  pageSize: Int64({ description: 'Maximum number of items on a page of a list.', examples: [100] }),
  idempotencyDays: Int64({
    description: 'How many days an Idempotency-Key is remembered.',
    examples: [7],
  }),
  mentionsPerMessage: Int64({
    description: 'Mentions beyond this number notify nobody.',
    examples: [50],
  }),
  guestContextKeys: Int64({
    description: 'Maximum number of entries in a guest context.',
    examples: [8],
  }),
  guestContextBytes: Int64({
    description: 'Maximum size of all keys and values in a guest context.',
    examples: [65_536],
  }),
  agentBytesPerDay: Int64({
    description:
      'How many bytes of messages, files, other input and events for other agents (200 each) an ' +
      'agent may store a day (UTC).',
    examples: [524_288_000],
  }),
  guestBytesPerDay: Int64({
    description: 'How many bytes callers without a key at one address may store a day (UTC).',
    examples: [10_485_760],
  }),
  rates: Rates,
});
