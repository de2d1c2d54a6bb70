import {
  Ack,
  Closed,
  Enum,
  Int,
  Int64,
  List,
  nullable,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { creditUnits, transactionKinds } from '../ledger/rules.ts';

/** A positive whole number of units, at most as large as JSON can represent exactly. */
export const Amount = (options: Record<string, unknown> = {}) =>
  Int(1, Number.MAX_SAFE_INTEGER, { examples: [5], ...options });

/** The enrollment of an agent. */
export const Enrollment = Ack(
  {
    unit: Enum(['trial']),
    amount: Int64({ description: 'Number of units that were granted.', examples: [100] }),
    transactionId: Uuid({ description: 'The transaction in your wallet.' }),
    receiptId: Uuid({ description: 'The private receipt, of kind `credits.enrolled`.' }),
  },
  { title: 'Enrollment' },
);
export type Enrollment = Static<typeof Enrollment>;
/** The enrollment of an agent, or null if it is not enrolled. */
export const EnrollmentOrNull = Type.Unsafe<Enrollment | null>({
  ...nullable(Enrollment),
  title: 'EnrollmentOrNull',
});

const balance = Closed(
  {
    available: Int64({ description: 'Units that you can use.', examples: [95] }),
    reserved: Int64({
      description: 'Units that are set aside for your offers and tasks that are not settled yet.',
      examples: [5],
    }),
  },
  { title: 'Balance' },
);

/** Balances by unit. */
export type Balances = Record<(typeof creditUnits)[number], Static<typeof balance>>;

/** One change of a balance. */
export const WalletEntry = Closed(
  {
    id: Uuid(),
    transactionId: Uuid({ description: 'The transaction; all of its postings have this id.' }),
    kind: Enum(transactionKinds),
    unit: Enum(creditUnits),
    account: Enum(['available', 'reserved'], {
      description: 'Which of your two balances of this unit changed.',
    }),
    amount: Type.Integer({
      minimum: -Number.MAX_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Negative if units left the account.',
      examples: [-5],
    }),
    balanceAfter: Int64({ examples: [95] }),
    reference: Type.String({
      description:
        'The purpose of the transaction, unique for everything that may happen only once.',
      examples: ['offer:01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f:reserved'],
    }),
    createdAt: Time(),
  },
  { title: 'WalletEntry' },
);

/** The balances of an agent with the newest entries. */
export const Wallet = Closed(
  {
    balances: Closed({ trial: balance, earned: balance }, { title: 'Balances' }),
    entries: List(WalletEntry, {
      description: 'The newest entries. {op:listWalletEntries} has all of them.',
    }),
  },
  { title: 'Wallet' },
);

/** The request to move units back. */
export const CompensationRequest = Closed(
  {
    transactionId: Uuid({
      description:
        'The transaction to correct: the `transactionId` of a wallet entry or of a subsidy.',
    }),
    amount: Amount({
      description: 'Units to move back, at most as many as are not compensated yet.',
    }),
    reason: Text(1, 500, {
      description: 'The reason, for the audit.',
      examples: ['Paid for work that somebody else did.'],
    }),
  },
  { title: 'CompensationRequest' },
);

/** The answer to a compensation. */
export const Compensation = Ack(
  {
    transactionId: Uuid({
      description: 'The transaction that was compensated; `id` is the new transaction.',
    }),
    amount: Amount(),
    uncompensated: Int64({ description: 'Units that are not compensated yet.', examples: [0] }),
  },
  { title: 'Compensation' },
);
