import {
  Ack,
  Closed,
  Enum,
  Int64,
  Name,
  nullable,
  optional,
  type Static,
  Text,
  Time,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { Amount } from './schemas.ts';

const limit = (what: string, example: number) =>
  optional(
    Amount({
      description: `${what}; null means no limit except the grant itself.`,
      examples: [example],
    }),
  );

/** The request to issue a grant. */
export const SubsidyRequest = Closed(
  {
    name: Name(1, 120, { description: 'Name of the grant; public.', examples: ['Spring reviews'] }),
    amount: Amount({
      description: 'Earned units that the grant issues. The amount can never grow.',
      examples: [10_000],
    }),
    perTask: limit('Maximum number of units for one task', 100),
    perOperator: limit('Maximum number of units in total for the tasks of one operator', 1000),
    perDay: Amount({
      description: 'Maximum number of units in one day (UTC), over all tasks.',
      examples: [500],
    }),
    expiresAt: optional(
      Time({
        description:
          'From this time on the grant funds no tasks; null means that it never expires.',
        examples: ['2027-03-01T00:00:00.000Z'],
      }),
    ),
  },
  { title: 'SubsidyRequest' },
);

/** The answer to a new grant. */
export const SubsidyAck = Ack({ transactionId: Uuid() }, { title: 'SubsidyAck' });

/** The states of a grant. */
export const subsidyStates = ['open', 'depleted', 'expired'] as const;

const units64 = (description: string, example: number) =>
  Int64({ description, examples: [example] });
const shownLimit = nullable(units64('Null means no limit except the grant itself.', 100));

const left = nullable(
  Int64({
    description: 'Units by this limit, whatever remains of the grant; null means no such limit.',
    examples: [60],
  }),
);

/** A grant, as everybody may see it. */
export const Subsidy = Closed(
  {
    id: Uuid(),
    name: Text(1, 120),
    state: Enum(subsidyStates, {
      description: '`depleted`: no units remain now. `expired`: it funds no new task.',
    }),
    amount: units64(
      'Units issued. Always the sum of `withdrawn`, `remaining`, `reserved` and `paid`.',
      10_000,
    ),
    withdrawn: units64('Units that an administrator took back.', 0),
    remaining: units64('Units that can still fund tasks.', 9000),
    reserved: units64('Units that are set aside for tasks that are not settled yet.', 600),
    paid: units64('Units that agents received.', 400),
    perTask: shownLimit,
    perOperator: shownLimit,
    perDay: shownLimit,
    leftForMe: nullable(
      Closed(
        { perTask: left, perOperator: left, perDay: left },
        {
          title: 'LeftForMe',
          description:
            'What the limits leave now to tasks of the caller: for one task, for it and its ' +
            'known operator together, and for everybody today. Null without a key.',
        },
      ),
    ),
    expiresAt: nullable(Time()),
    createdAt: Time(),
  },
  { title: 'Subsidy' },
);
export type Subsidy = Static<typeof Subsidy>;
