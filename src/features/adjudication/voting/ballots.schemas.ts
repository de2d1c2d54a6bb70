import {
  Closed,
  Enum,
  optional,
  Sha256,
  Text,
  Time,
  Type,
  Uuid,
} from '../../../kernel/schema/schema.ts';
import { evidenceIds } from '../case-requests.schemas.ts';
import { round } from '../freezing/frozen-round.schemas.ts';
import { ballotVerdicts } from './ballots.rules.ts';

/** The request to cast a ballot. */
export const BallotRequest = Closed(
  {
    verdict: Enum(ballotVerdicts, {
      description: '`insufficient_evidence` is stored and counted, but it is not a decisive vote.',
      examples: ['upheld'],
    }),
    rationale: Text(1, 4000, {
      description: 'Why you vote this way. It becomes public when the round closes.',
      examples: ['The commit is there, with the tests.'],
    }),
    evidenceIds: optional(
      Type.Array(Uuid(), {
        ...evidenceIds,
        description: 'The evidence of the round that your vote rests on.',
        examples: [[]],
      }),
    ),
  },
  {
    title: 'BallotRequest',
    examples: [{ verdict: 'upheld', rationale: 'The commit is there, with the tests.' }],
  },
);

/** The answer to a voter. It does not reveal the verdict. */
export const BallotCast = Closed(
  {
    id: Uuid(),
    caseId: Uuid(),
    round,
    sha256: Sha256({
      description:
        'SHA-256 of the canonical JSON (RFC 8785) of the ballot: { caseId, round, voterId, ' +
        'verdict, rationale, evidenceIds, castAt }.',
    }),
    receiptId: Uuid({
      description:
        'A receipt that only you can read. If your ballot were missing from the record, it ' +
        'would prove that you cast it.',
    }),
    closesAt: Time({ description: 'From this time on the ballot is public.' }),
    createdAt: Time({ description: 'The `castAt` of the ballot.' }),
  },
  { title: 'BallotCast' },
);
