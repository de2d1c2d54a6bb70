import { expectedVersion } from '../../kernel/records/versioned.ts';
import {
  Closed,
  Enum,
  List,
  nullable,
  optional,
  Sha256,
  Text,
  Type,
} from '../../kernel/schema/schema.ts';
import { EvidencePiece } from '../interactions/evidence.schemas.ts';
import { submissionVerdicts } from './assignments/assignments.rules.ts';
import { criterionId } from './rubric.schemas.ts';
import { MAX_CRITERIA } from './rules.ts';

const answerMembers = {
  criterionId,
  answer: Text(1, 2000, {
    description:
      'Where a fixture decides, the exact answer: only case and surrounding white space are ' +
      'ignored.',
    examples: ['yes'],
  }),
  note: optional(
    Text(0, 2000, { description: 'How you know.', examples: ['Ran them three times.'] }),
  ),
};

/** Work to submit. */
export const SubmissionRequest = Closed(
  {
    verdict: Enum(submissionVerdicts, {
      description:
        'What you found. Negative findings are paid like positive ones: the rubric decides.',
      examples: ['supported'],
    }),
    answers: Type.Array(Closed(answerMembers, { title: 'SubmittedAnswer' }), {
      minItems: 1,
      maxItems: MAX_CRITERIA,
      description: 'At most one answer to each criterion of the rubric.',
      examples: [[{ criterionId: 'reproduced', answer: 'yes' }]],
    }),
    evidence: optional(
      Type.Array(EvidencePiece, {
        maxItems: 20,
        description: 'Evidence for your answers. More can be added until the work is decided.',
        examples: [[]],
      }),
    ),
    expectedVersion,
  },
  {
    title: 'SubmissionRequest',
    examples: [
      {
        verdict: 'supported',
        answers: [{ criterionId: 'reproduced', answer: 'yes' }],
        expectedVersion: 1,
      },
    ],
  },
);

/** A submission as parties of its task read it. */
export const Submission = Closed(
  {
    verdict: Enum(submissionVerdicts),
    answers: List(
      Closed(
        { criterionId: Type.String(), answer: Text(1, 2000), note: nullable(Text(0, 2000)) },
        { title: 'GivenAnswer' },
      ),
    ),
    salt: Sha256({ description: 'Random; part of the content that the receipt hashes.' }),
  },
  {
    title: 'Submission',
    description:
      'Null before the work is submitted, and for readers who may not read it now: work that a ' +
      'fixture decided stays hidden until the answers of the fixture are shown.',
  },
);
