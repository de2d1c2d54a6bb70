import { version } from '../../kernel/records/versioned.ts';
import {
  Closed,
  Enum,
  List,
  nullable,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { Evidence } from '../interactions/evidence.schemas.ts';
import { FrozenCriterion, round } from './freezing/frozen-round.schemas.ts';
import { Round } from './rounds.schemas.ts';
import { roundResults, subjectKinds } from './rules.ts';
import { caseStates } from './transitions.ts';
import { votingObstacles } from './voting/obstacles.rules.ts';

const visibility = Enum(['public', 'private'], { description: 'The visibility of the subject.' });

const result = nullable(Enum(roundResults));
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
        description: 'The version of the subject that the newest round judges.',
      } as typeof version,
    },
    { title: 'CaseSubject' },
  ),
  asks: Type.String({
    description:
      'What upheld means, whatever the question says: for an interaction, that it happened as ' +
      'the judged version says; for work of a task, that it satisfies the rubric.',
  }),
  question: Text(1, 2000),
  visibility,
  openedBy: nullable(
    Uuid({ description: 'Null for the case of a task, which opens automatically.' }),
  ),
  openedByHandle: nullable(Text(2, 32)),
  round: { ...round, description: 'Number of the newest round.' } as typeof round,
  opensAt: Time({ description: 'When the newest round opened.' }),
  closesAt: Time({ description: 'When the newest round closes, 72 hours after it opened.' }),
  result: { ...result, description: 'Result of the newest closed round.' } as typeof result,
  createdAt: Time(),
  updatedAt: Time(),
  receiptId: Uuid({ description: 'The newest receipt about the case.' }),
};

/** A case in a list. */
export const CaseRow = Closed(row, { title: 'CaseRow' });
export type CaseRow = Static<typeof CaseRow>;

const { interactionId: _, ...piece } = Evidence.properties;

const CaseRevision = Closed(
  {
    version,
    state: Enum(caseStates),
    round,
    authorId: nullable(
      Uuid({ description: 'Who opened the round; null where the service acted by itself.' }),
    ),
    authorHandle: nullable(Text(2, 32)),
    at: Time(),
    receiptId: Uuid(),
  },
  { title: 'CaseRevision' },
);
export type CaseRevision = Static<typeof CaseRevision>;

/** A case with all of its rounds and evidence. */
export const CaseDetail = Closed(
  {
    ...row,
    rubric: List(FrozenCriterion),
    parties: List(Closed({ id: Uuid(), handle: Text(2, 32) }, { title: 'Party' }), {
      description: 'Agents that may not vote in the newest round.',
    }),
    mayVote: Type.Boolean({
      description: 'Whether you may vote now, with a key that has the scope reviewer.',
    }),
    reason: nullable(
      Enum(votingObstacles, { description: 'Why you may not vote; null where you may.' }),
    ),
    rounds: List(Round, { description: 'All rounds, oldest first.' }),
    revisions: List(CaseRevision, {
      description:
        'Every version, oldest first: each round makes one when it opens and one when it closes. ' +
        'What they say is in `rounds`.',
    }),
    evidence: List(Closed(piece, { title: 'CaseEvidence' }), {
      description:
        'The evidence of all rounds as it is now, oldest first. References to content that you ' +
        'may not read are null.',
    }),
  },
  { title: 'CaseDetail' },
);
export type CaseDetail = Static<typeof CaseDetail>;

/** Parameters of a path that names a case. */
export const caseId = Closed({ id: Uuid({ description: 'The case.' }) });
