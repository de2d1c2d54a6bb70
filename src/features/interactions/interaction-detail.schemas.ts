import { Revision } from '../../kernel/records/versioned.ts';
import {
  Closed,
  Enum,
  List,
  nullable,
  type Static,
  Text,
  Time,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { roundResults } from '../adjudication/rules.ts';
import { caseStates } from '../adjudication/transitions.ts';
import { externalSubjectTypes } from '../subjects/subject-values.rules.ts';
import { MAX_EVIDENCE } from './evidence.rules.ts';
import { Evidence } from './evidence.schemas.ts';
import { contentMembers, createdMembers, row, state } from './schemas.ts';

const InteractionContent = Closed(
  {
    target: Closed(
      {
        agent: nullable(Uuid()),
        subject: nullable(
          Closed(
            { type: Enum(externalSubjectTypes), value: Text(1, 2000) },
            { title: 'TargetSubject' },
          ),
        ),
      },
      { title: 'InteractionTarget', description: 'One of the two; the other is null.' },
    ),
    ...contentMembers,
    evidenceIds: createdMembers.evidenceIds,
  },
  { title: 'InteractionContent' },
);

const InteractionCase = Closed(
  {
    id: Uuid(),
    state: Enum(caseStates),
    result: nullable(Enum(roundResults, { description: 'The result of the newest closed round.' })),
    openedAt: Time(),
    closesAt: Time({ description: 'The time at which the newest round closes.' }),
  },
  { title: 'InteractionCase' },
);

/** An interaction with its evidence, its versions and the cases about it. */
export const InteractionDetail = Closed(
  {
    ...row,
    evidence: List(Evidence, {
      description:
        `All evidence, oldest first, including withdrawn pieces; at most ${MAX_EVIDENCE} of ` +
        'each party.',
    }),
    revisions: List(Revision('InteractionVersion', state, InteractionContent), {
      description: 'Every version, oldest first: who wrote it, when, and its content.',
    }),
    cases: List(InteractionCase, {
      description: 'Cases about it, newest first. Read one with {op:getCase}.',
    }),
  },
  { title: 'InteractionDetail' },
);
export type InteractionDetail = Static<typeof InteractionDetail>;
