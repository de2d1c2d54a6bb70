import {
  Closed,
  Enum,
  ListOf,
  nullable,
  optional,
  pageQuery,
  Sha256,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { expectedVersion, version } from '../../kernel/records/versioned.ts';
import { Evidence } from '../interactions/schemas.ts';
import { verdicts } from './ballots.rules.ts';
import { Criterion, question, Round, round } from './rounds.schemas.ts';
import { results, subjectKinds } from './rules.ts';
import { caseStates } from './transitions.ts';

const rubric = { minItems: 1, maxItems: 10, description: 'What voters look at, one by one.' };
const evidenceIds = { maxItems: 100, uniqueItems: true };
const visibility = Enum(['public', 'private'], { description: 'That of what is judged.' });

export const CaseRequest = Closed(
  {
    subject: Closed(
      {
        type: Enum(subjectKinds, {
          description: 'The case of a submission opens by itself; of an interaction, here.',
          examples: ['interaction'],
        }),
        id: Uuid({ description: 'Of a public interaction.' }),
      },
      {
        description: 'What is judged.',
        examples: [{ type: 'interaction', id: '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f' }],
      },
    ),
    expectedVersion: {
      ...expectedVersion,
      description:
        'The version of the interaction that you read: it is what is judged, whatever is said later.',
    } as typeof expectedVersion,
    question,
    rubric: ListOf(Criterion, {
      ...rubric,
      examples: [
        [
          {
            id: 'delivered',
            text: 'The repository has a commit with the parser from before that day.',
          },
        ],
      ],
    }),
    evidenceIds: optional(
      Type.Array(Uuid(), {
        ...evidenceIds,
        description:
          'Evidence that voters shall look at; left out, all of the interaction that stands.',
        examples: [[]],
      }),
    ),
  },
  {
    title: 'CaseRequest',
    examples: [
      {
        subject: { type: 'interaction', id: '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f' },
        expectedVersion: 1,
        question: 'Was the parser delivered with tests, as recorded?',
        rubric: [
          {
            id: 'delivered',
            text: 'The repository has a commit with the parser from before that day.',
          },
        ],
      },
    ],
  },
);

export const RoundRequest = Closed(
  {
    evidenceIds: Type.Array(Uuid(), {
      ...evidenceIds,
      minItems: 1,
      description:
        'Evidence that stands, one piece at least that no earlier round had. That of the round before comes along by itself.',
      examples: [['01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f']],
    }),
    reason: Text(1, 2000, {
      description: 'Why it should be judged again.',
      examples: ['The log of the build turned up.'],
    }),
    expectedVersion: optional({
      ...expectedVersion,
      description: 'The version of the case that you read; left out, any that is closed.',
    } as typeof expectedVersion),
  },
  {
    title: 'RoundRequest',
    examples: [
      {
        evidenceIds: ['01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f'],
        reason: 'The log of the build turned up.',
      },
    ],
  },
);

export const BallotRequest = Closed(
  {
    verdict: Enum(verdicts, {
      description: '`insufficient_evidence` is kept and counted, and decides nothing.',
      examples: ['upheld'],
    }),
    rationale: Text(1, 4000, {
      description: 'Why, for everyone to read once the round is closed.',
      examples: ['The commit is there, with the tests.'],
    }),
    evidenceIds: optional(
      Type.Array(Uuid(), {
        ...evidenceIds,
        description: 'Evidence of the round that decided it for you.',
        examples: [[]],
      }),
    ),
  },
  {
    title: 'BallotRequest',
    examples: [{ verdict: 'upheld', rationale: 'The commit is there, with the tests.' }],
  },
);

/** What a voter keeps. It says nothing of the verdict. */
export const BallotCast = Closed(
  {
    id: Uuid(),
    caseId: Uuid(),
    round,
    sha256: Sha256({
      description:
        'Over the RFC 8785 form of the ballot: { caseId, round, voterId, verdict, rationale, evidenceIds, castAt }.',
    }),
    receiptId: Uuid({
      description:
        'Yours alone. Should your ballot be missing from the record, it proves that it was cast.',
    }),
    closesAt: Time({ description: 'From then on the ballot is public.' }),
    createdAt: Time({ description: 'Of the ballot: its castAt.' }),
  },
  { title: 'BallotCast' },
);

const result = nullable(Enum(results));
const row = {
  id: Uuid(),
  version,
  state: Enum(caseStates),
  subject: Closed(
    {
      type: Enum(subjectKinds),
      id: Uuid(),
      version: {
        ...version,
        description: 'Of what is judged, in the newest round.',
      } as typeof version,
    },
    { title: 'CaseSubject' },
  ),
  question: Text(1, 2000),
  visibility,
  openedBy: nullable(Uuid({ description: 'Null for the case of a task, which opens by itself.' })),
  openedByHandle: nullable(Text(2, 32)),
  round: { ...round, description: 'Number of the newest.' } as typeof round,
  opensAt: Time({ description: 'Of the newest round.' }),
  closesAt: Time({ description: '72 hours later.' }),
  result: { ...result, description: 'Of the newest round that is closed.' } as typeof result,
  createdAt: Time(),
  updatedAt: Time(),
  receiptId: Uuid({ description: 'Of the newest act about it.' }),
};

export const CaseRow = Closed(row, { title: 'CaseRow' });
export type CaseRow = Static<typeof CaseRow>;

const { interactionId: _, ...piece } = Evidence.properties;

export const CaseDetail = Closed(
  {
    ...row,
    rubric: ListOf(Criterion),
    parties: ListOf(Closed({ id: Uuid(), handle: Text(2, 32) }, { title: 'Party' }), {
      description: 'Who does not vote in the newest round.',
    }),
    rounds: ListOf(Round, { description: 'The first one first, each whole.' }),
    evidence: ListOf(Closed(piece, { title: 'CaseEvidence' }), {
      description:
        'That of all rounds, the oldest first, as it is now: what a reference leads to is shown where you may read it.',
    }),
  },
  { title: 'CaseDetail' },
);
export type CaseDetail = Static<typeof CaseDetail>;

export const caseId = Closed({ id: Uuid({ description: 'The case.' }) });

export const casesQuery = Closed({
  ...pageQuery,
  state: Type.Optional(
    Enum(caseStates, { description: 'Only those in this state.', examples: ['open'] }),
  ),
});
