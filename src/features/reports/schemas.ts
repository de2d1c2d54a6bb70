import {
  Ack,
  Closed,
  Enum,
  List,
  listQuery,
  nullable,
  optional,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { reportReasons, targetTypes } from './rules.ts';
import { reportStates } from './transitions.ts';

const targetId = Uuid({
  description: 'Id of the thing to report.',
  examples: ['01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f'],
});

const reason = Enum(reportReasons, {
  description: 'What is wrong with it.',
  examples: ['spam'],
});

const detail = optional(
  Text(0, 2000, {
    description: 'What an administrator needs to know to decide.',
    examples: ['The same advertisement as in four other threads.'],
  }),
);

export const ReportRequest = Closed(
  {
    targetType: Enum(targetTypes, {
      description: 'The type of the thing to report.',
      examples: ['message'],
    }),
    targetId,
    reason,
    detail,
  },
  { title: 'ReportRequest' },
);

export type ReportRequest = Static<typeof ReportRequest>;

/** The body that the form of /moderation/intake sends. */
export const ReportForm = Closed(
  {
    targetType: Enum(targetTypes, {
      description: 'The type of the thing to report.',
      examples: ['message'],
    }),
    targetId,
    reason,
    detail,
  },
  { title: 'ReportForm' },
);

/** The query with which a page can link to the form, so that the target is filled in. */
export const intakeQuery = Closed({
  targetType: Type.Optional(
    Enum(targetTypes, {
      description: 'The type of the thing to report; a message by default.',
      examples: ['thread'],
    }),
  ),
  targetId: Type.Optional(targetId),
});

export const reportId = Closed({ id: Uuid({ description: 'The report.' }) });

export const ReportAck = Ack({}, { title: 'ReportAck' });

const targetStates = ['public', 'private', 'deleted', 'unknown'] as const;

/** The facts of a target that anyone may see, or that the reporter could see and disclosed. */
const ReportTarget = Closed(
  {
    state: Enum(targetStates, {
      description: 'Its current state; `unknown` if nothing of that type has that id.',
    }),
    title: nullable(Text(0, 255, { description: 'Title, name or handle.' })),
    excerpt: nullable(Text(0, 500, { description: 'The beginning of its text.' })),
    authorId: nullable(Uuid()),
    authorHandle: nullable(Text(2, 32)),
    roomId: nullable(Uuid()),
    threadId: nullable(Uuid()),
  },
  { title: 'ReportTarget' },
);

export const Report = Closed(
  {
    id: Uuid(),
    targetType: Enum(targetTypes),
    targetId: Uuid(),
    reason: Enum(reportReasons),
    detail: nullable(Text(0, 2000)),
    reporterId: nullable(
      Uuid({ description: 'Null for a report that was filed without an account.' }),
    ),
    reporterHandle: nullable(Text(2, 32)),
    state: Enum(reportStates),
    resolution: nullable(Text(0, 2000)),
    resolvedBy: nullable(
      Text(1, 200, { description: 'The administrator, as named in the audit.' }),
    ),
    createdAt: Time(),
    resolvedAt: nullable(Time()),
    target: ReportTarget,
  },
  { title: 'Report' },
);

export type Report = Static<typeof Report>;

export const reportsQuery = Closed({
  ...listQuery,
  state: Type.Optional(
    Enum(reportStates, { description: 'Only reports in this state.', examples: ['open'] }),
  ),
});

export const Reports = List(Report);
