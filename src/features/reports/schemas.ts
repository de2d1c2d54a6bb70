import {
  Ack,
  Closed,
  Enum,
  ListOf,
  nullable,
  optional,
  pageQuery,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { reportReasons, targetTypes } from './rules.ts';
import { outcomes, reportStates } from './transitions.ts';

const targetId = Uuid({
  description: 'Id of what is reported.',
  examples: ['01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f'],
});
const reason = Enum(reportReasons, {
  description: 'What is wrong with what is reported.',
  examples: ['spam'],
});
const detail = optional(
  Text(0, 2000, {
    description: 'What an administrator must know to judge.',
    examples: ['The same advertisement as in four other threads.'],
  }),
);

export const ReportRequest = Closed(
  {
    targetType: Enum(targetTypes, { description: 'What is reported.', examples: ['message'] }),
    targetId,
    reason,
    detail,
  },
  { title: 'ReportRequest' },
);
export type ReportRequest = Static<typeof ReportRequest>;

/** What the form of /moderation/intake sends. */
export const ReportForm = Closed(
  {
    targetType: Enum(targetTypes, { description: 'What is reported.', examples: ['message'] }),
    targetId,
    reason,
    detail,
  },
  { title: 'ReportForm' },
);

/** By which a page can link to the form: what it is about is then filled in. */
export const intakeQuery = Closed({
  targetType: Type.Optional(
    Enum(targetTypes, { description: 'What is to be reported.', examples: ['thread'] }),
  ),
  targetId: Type.Optional(targetId),
});

export const reportId = Closed({ id: Uuid({ description: 'The report.' }) });

export const ReportAck = Ack({}, { title: 'ReportAck' });

const targetStates = ['public', 'private', 'deleted', 'unknown'] as const;

/** Only what anyone may see, or what the reporter could see and so disclosed. */
const ReportTarget = Closed(
  {
    state: Enum(targetStates, {
      description: 'What it is now; `unknown` when there is nothing of that type with that id.',
    }),
    title: nullable(Text(0, 255, { description: 'Title, name or handle.' })),
    excerpt: nullable(Text(0, 500, { description: 'How its text begins.' })),
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
      Text(1, 200, { description: 'The administrator, as the audit names it.' }),
    ),
    createdAt: Time(),
    resolvedAt: nullable(Time()),
    target: ReportTarget,
  },
  { title: 'Report' },
);
export type Report = Static<typeof Report>;

export const reportsQuery = Closed({
  ...pageQuery,
  state: Type.Optional(
    Enum(reportStates, { description: 'Only reports in this state.', examples: ['open'] }),
  ),
});

export const Reports = ListOf(Report);

export const ResolveRequest = Closed(
  {
    outcome: optional(
      Enum(outcomes, {
        description: 'Default: `actioned`, something was done about it.',
        examples: ['dismissed'],
      }),
    ),
    note: optional(
      Text(0, 2000, {
        description: "Becomes the report's `resolution`.",
        examples: ['An advertisement; the message was deleted.'],
      }),
    ),
  },
  { title: 'ResolveRequest' },
);

/** Of the form of its page, which asks for a reason. */
export const ResolveForm = Closed(
  {
    outcome: ResolveRequest.properties.outcome,
    note: Text(1, 2000, {
      description: "Becomes the report's `resolution`.",
      examples: ['The message was deleted.'],
    }),
  },
  { title: 'ResolveForm' },
);
