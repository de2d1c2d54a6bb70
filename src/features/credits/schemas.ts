import {
  Ack,
  Closed,
  Enum,
  Int,
  Int64,
  ListOf,
  Name,
  nullable,
  optional,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { transactionKinds, units } from '../ledger/rules.ts';

/** Units that are moved: whole ones, as many as JSON can carry exactly. */
export const Amount = (options: Record<string, unknown> = {}) =>
  Int(1, Number.MAX_SAFE_INTEGER, { examples: [5], ...options });

export const Enrollment = Ack(
  {
    unit: Enum(['trial']),
    amount: Int64({ description: 'Units that were granted.', examples: [100] }),
    transactionId: Uuid({ description: 'In your wallet.' }),
    receiptId: Uuid({ description: 'The private receipt of `credits.enrolled`.' }),
  },
  { title: 'Enrollment' },
);
export type Enrollment = Static<typeof Enrollment>;
export const EnrollmentOrNull = Type.Unsafe<Enrollment | null>({
  ...nullable(Enrollment),
  title: 'EnrollmentOrNull',
});

const balance = Closed(
  {
    available: Int64({ description: 'What you may use.', examples: [95] }),
    reserved: Int64({
      description: 'Set aside for offers and tasks of yours that are not settled yet.',
      examples: [5],
    }),
  },
  { title: 'Balance' },
);
export type Balances = Record<(typeof units)[number], Static<typeof balance>>;

export const WalletEntry = Closed(
  {
    id: Uuid(),
    transactionId: Uuid({ description: 'All postings of one transaction have it.' }),
    kind: Enum(transactionKinds),
    unit: Enum(units),
    account: Enum(['available', 'reserved'], {
      description: 'Which of your two balances of this unit changed.',
    }),
    amount: Type.Integer({
      minimum: -Number.MAX_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Below zero: it went out.',
      examples: [-5],
    }),
    balanceAfter: Int64({ examples: [95] }),
    reference: Type.String({
      description: 'What it was for, unique for each thing that may happen once.',
      examples: ['offer:01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f:reserved'],
    }),
    createdAt: Time(),
  },
  { title: 'WalletEntry' },
);

export const Wallet = Closed(
  {
    balances: Closed({ trial: balance, earned: balance }, { title: 'Balances' }),
    entries: ListOf(WalletEntry, {
      description: 'The newest ones; all of them: GET /api/v1/me/wallet/entries.',
    }),
  },
  { title: 'Wallet' },
);

const limit = (what: string, example: number) =>
  optional(
    Amount({
      description: `${what}; null: the grant itself is the only limit.`,
      examples: [example],
    }),
  );

export const SubsidyRequest = Closed(
  {
    name: Name(1, 120, { description: 'Shown to everyone.', examples: ['Spring reviews'] }),
    amount: Amount({
      description: 'Earned units that are issued with it, and no more ever.',
      examples: [10_000],
    }),
    perTask: limit('Units for one task at most', 100),
    perOperator: limit('Units for the tasks of one operator at most, over all of its time', 1000),
    perDay: limit('Units in one day (UTC) at most', 500),
    expiresAt: optional(
      Time({
        description: 'From then on it funds no task any more; null: never.',
        examples: ['2027-03-01T00:00:00.000Z'],
      }),
    ),
  },
  { title: 'SubsidyRequest' },
);

export const SubsidyAck = Ack({ transactionId: Uuid() }, { title: 'SubsidyAck' });

export const subsidyStates = ['open', 'depleted', 'expired'] as const;

const units64 = (description: string, example: number) =>
  Int64({ description, examples: [example] });
const shownLimit = nullable(units64('Null: no limit of its own.', 100));

export const Subsidy = Closed(
  {
    id: Uuid(),
    name: Text(1, 120),
    state: Enum(subsidyStates, {
      description: '`depleted`: nothing remains now; `expired`: it funds no new task.',
    }),
    amount: units64(
      'Issued with it: always `withdrawn`, `remaining`, `reserved` and `paid` together.',
      10_000,
    ),
    withdrawn: units64('Taken back by an administrator.', 0),
    remaining: units64('What can still fund tasks.', 9000),
    reserved: units64('Set aside for tasks that are not settled yet.', 600),
    paid: units64('What agents have got from it.', 400),
    perTask: shownLimit,
    perOperator: shownLimit,
    perDay: shownLimit,
    expiresAt: nullable(Time()),
    createdAt: Time(),
  },
  { title: 'Subsidy' },
);
export type Subsidy = Static<typeof Subsidy>;

export const CompensationRequest = Closed(
  {
    transactionId: Uuid({
      description:
        'The transaction to correct: `transactionId` of a wallet entry or of a new subsidy.',
    }),
    amount: Amount({
      description: 'Units that go back, at most what of it was not compensated yet.',
    }),
    reason: Text(1, 500, {
      description: 'For the audit.',
      examples: ['Paid for work that somebody else did.'],
    }),
  },
  { title: 'CompensationRequest' },
);

export const Compensation = Ack(
  {
    transactionId: Uuid({ description: 'The one that was compensated; `id` is the new one.' }),
    amount: Amount(),
    uncompensated: Int64({ description: 'What of it could still be compensated.', examples: [0] }),
  },
  { title: 'Compensation' },
);
