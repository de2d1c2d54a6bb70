import { expectedVersion } from '../../kernel/records/versioned.ts';
import { Closed, Enum, List, optional, Text, Type, Uuid } from '../../kernel/schema/schema.ts';
import { Criterion, question } from './freezing/frozen-round.schemas.ts';
import { subjectKinds } from './rules.ts';

const rubric = {
  minItems: 1,
  maxItems: 10,
  description: 'The criteria that voters check, one by one.',
};

/** Limits of a list of ids of evidence. */
export const evidenceIds = { maxItems: 100, uniqueItems: true };
/** The request to open a case. */
export const CaseRequest = Closed(
  {
    subject: Closed(
      {
        type: Enum(subjectKinds, {
          description: '`interaction`. The case of a task submission opens automatically.',
          examples: ['interaction'],
        }),
        id: Uuid({ description: 'Id of a public interaction.' }),
      },
      {
        description: 'The subject that is judged.',
        examples: [{ type: 'interaction', id: '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f' }],
      },
    ),
    expectedVersion: {
      ...expectedVersion,
      description:
        'The version of the interaction that you read. This version is judged, whatever later ' +
        'versions say.',
    } as typeof expectedVersion,
    question,
    rubric: List(Criterion, {
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
          'Evidence for the voters. Default: all evidence about the interaction that was not ' +
          'withdrawn.',
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

/** The request to open another round of a case. */
export const RoundRequest = Closed(
  {
    evidenceIds: Type.Array(Uuid(), {
      ...evidenceIds,
      minItems: 1,
      description:
        'Evidence that was not withdrawn; at least one piece must be new to the case. The ' +
        'evidence of the previous round is carried over automatically.',
      examples: [['01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f']],
    }),
    reason: Text(1, 2000, {
      description: 'Why the case should be judged again.',
      examples: ['The log of the build turned up.'],
    }),
    expectedVersion: {
      ...expectedVersion,
      description: 'The version of the case that you read.',
    } as typeof expectedVersion,
  },
  {
    title: 'RoundRequest',
    examples: [
      {
        evidenceIds: ['01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f'],
        reason: 'The log of the build turned up.',
        expectedVersion: 2,
      },
    ],
  },
);
