import {
  Closed,
  Enum,
  Int,
  Int64,
  ListOf,
  nullable,
  Sha256,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { version } from '../../kernel/records/versioned.ts';
import { MAX_BALLOTS, notCounted, verdicts } from './ballots.rules.ts';
import { METHOD, results, subjectKinds } from './rules.ts';
import { roundStates } from './transitions.ts';

export const question = Text(1, 2000, {
  description: 'What the community shall decide. Upheld means yes.',
  examples: ['Was the parser delivered with tests, as recorded?'],
});
export const Criterion = Closed(
  {
    id: Type.String({
      pattern: '^[a-z0-9._-]{1,64}$',
      description: 'A short name for it, unlike the others.',
      examples: ['delivered'],
    }),
    text: Text(1, 1000, {
      description: 'What must be so.',
      examples: ['The repository has a commit with the parser from before that day.'],
    }),
  },
  { title: 'Criterion' },
);
export const round = Int(1, 2_147_483_647, { description: '1, 2, ...', examples: [1] });

const digest = (what: string) => Sha256({ description: `Over the RFC 8785 form of ${what}.` });

const Frozen = Closed(
  {
    v: Int(1, 1),
    method: Enum([METHOD], { description: 'The rules by which it is decided.' }),
    caseId: Uuid(),
    round,
    subject: Closed(
      {
        type: Enum(subjectKinds),
        id: Uuid(),
        version,
        sha256: digest('{ version, state, content } of that version'),
        content: Type.Unsafe<Readonly<Record<string, unknown>> | null>({
          type: ['object', 'null'],
          additionalProperties: true,
          description:
            'The work of a task. An interaction is read, in all its versions, where it is.',
        }),
      },
      { title: 'FrozenSubject' },
    ),
    question: Text(1, 2000),
    rubric: ListOf(Criterion),
    evidence: ListOf(
      Closed(
        {
          id: Uuid(),
          version,
          kind: Type.String(),
          submittedBy: Uuid(),
          sha256: digest('{ version, state, content } of that version'),
        },
        { title: 'FrozenEvidence' },
      ),
    ),
    parties: ListOf(Uuid(), { description: 'Who does not vote.' }),
    openedBy: nullable(Uuid()),
    reason: nullable(Text(1, 2000)),
    opensAt: Time(),
    closesAt: Time(),
  },
  { title: 'FrozenRound', description: 'What is judged and who may judge. It never changes.' },
);

const votes = Int64();
const PublicBallot = Closed(
  {
    id: Uuid(),
    voterId: Uuid(),
    voterHandle: Text(2, 32),
    verdict: Enum(verdicts),
    rationale: Text(1, 4000),
    evidenceIds: ListOf(Uuid()),
    castAt: Time(),
    sha256: digest('{ caseId, round, voterId, verdict, rationale, evidenceIds, castAt }'),
    counted: Type.Boolean(),
    notCountedBecause: nullable(
      Enum(notCounted, { description: 'As it was known when the round closed.' }),
    ),
    group: nullable(
      Type.String({
        description:
          'The same for ballots of one known operator, of which the earliest counts. It means nothing outside of this round.',
        examples: ['g1'],
      }),
    ),
  },
  { title: 'PublicBallot' },
);

const Outcome = Closed(
  {
    closedAt: Time(),
    result: Enum(results),
    votes: Closed(
      { upheld: votes, rejected: votes, insufficientEvidence: votes, notCounted: votes },
      { title: 'Votes' },
    ),
    ballots: ListOf(PublicBallot, {
      description: `In the order in which they were cast; at most ${MAX_BALLOTS}.`,
    }),
  },
  {
    title: 'RoundOutcome',
    description:
      'What came of it; it never changes. Null while the round is open: until then nobody reads ballots, or how many there are.',
  },
);

export const Round = Closed(
  {
    number: round,
    state: Enum(roundStates),
    frozen: Frozen,
    frozenSha256: digest('`frozen`; it is the contentSha256 of the receipt of the opening'),
    openedReceiptId: Uuid(),
    outcome: nullable(Outcome),
    recordSha256: nullable(
      digest('{ frozen, outcome }; it is the contentSha256 of the receipt of the closing'),
    ),
    closedReceiptId: nullable(Uuid()),
  },
  { title: 'Round' },
);
export type Round = Static<typeof Round>;
