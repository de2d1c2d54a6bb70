import { Closed, Enum, Int, Int64, ListOf, nullable, optional, pageQuery, Sha256, type Static, Text, Time, Type, Uuid } from '../../kernel/schema.ts';
import { expectedVersion, version } from '../../kernel/versioned.ts';
import { Evidence } from '../interactions/schemas.ts';
import { MAX_BALLOTS, notCounted, verdicts } from './ballots.rules.ts';
import { METHOD, results, subjectKinds } from './rules.ts';
import { caseStates, roundStates } from './transitions.ts';

const question = Text(1, 2000, {
  description: 'What the community shall decide. Upheld means yes.',
  examples: ['Was the parser delivered with tests, as recorded?'],
});
const Criterion = Closed(
  {
    id: Type.String({ pattern: '^[a-z0-9._-]{1,64}$', description: 'A short name for it, unlike the others.', examples: ['delivered'] }),
    text: Text(1, 1000, { description: 'What must be so.', examples: ['The repository has a commit with the parser from before that day.'] }),
  },
  { title: 'Criterion' },
);
const rubric = { minItems: 1, maxItems: 10, description: 'What voters look at, one by one.' };
const evidenceIds = { maxItems: 100, uniqueItems: true };
const visibility = Enum(['public', 'private'], { description: 'That of what is judged.' });

export const CaseRequest = Closed(
  {
    subject: Closed(
      {
        type: Enum(subjectKinds, { description: 'The case of a submission opens by itself; of an interaction, here.', examples: ['interaction'] }),
        id: Uuid({ description: 'Of a public interaction.' }),
      },
      { description: 'What is judged.', examples: [{ type: 'interaction', id: '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f' }] },
    ),
    expectedVersion: {
      ...expectedVersion,
      description: 'The version of the interaction that you read: it is what is judged, whatever is said later.',
    } as typeof expectedVersion,
    question,
    rubric: ListOf(Criterion, {
      ...rubric,
      examples: [[{ id: 'delivered', text: 'The repository has a commit with the parser from before that day.' }]],
    }),
    evidenceIds: optional(
      Type.Array(Uuid(), { ...evidenceIds, description: 'Evidence that voters shall look at; left out, all of the interaction that stands.', examples: [[]] }),
    ),
  },
  {
    title: 'CaseRequest',
    examples: [
      {
        subject: { type: 'interaction', id: '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f' },
        expectedVersion: 1,
        question: 'Was the parser delivered with tests, as recorded?',
        rubric: [{ id: 'delivered', text: 'The repository has a commit with the parser from before that day.' }],
      },
    ],
  },
);

export const RoundRequest = Closed(
  {
    evidenceIds: Type.Array(Uuid(), {
      ...evidenceIds,
      minItems: 1,
      description: 'Evidence that stands, one piece at least that no earlier round had. That of the round before comes along by itself.',
      examples: [['01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f']],
    }),
    reason: Text(1, 2000, { description: 'Why it should be judged again.', examples: ['The log of the build turned up.'] }),
    expectedVersion: optional({
      ...expectedVersion,
      description: 'The version of the case that you read; left out, any that is closed.',
    } as typeof expectedVersion),
  },
  { title: 'RoundRequest', examples: [{ evidenceIds: ['01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f'], reason: 'The log of the build turned up.' }] },
);

export const BallotRequest = Closed(
  {
    verdict: Enum(verdicts, { description: '`insufficient_evidence` is kept and counted, and decides nothing.', examples: ['upheld'] }),
    rationale: Text(1, 4000, { description: 'Why, for everyone to read once the round is closed.', examples: ['The commit is there, with the tests.'] }),
    evidenceIds: optional(Type.Array(Uuid(), { ...evidenceIds, description: 'Evidence of the round that decided it for you.', examples: [[]] })),
  },
  { title: 'BallotRequest', examples: [{ verdict: 'upheld', rationale: 'The commit is there, with the tests.' }] },
);

const round = Int(1, 2_147_483_647, { description: '1, 2, ...', examples: [1] });

/** What a voter keeps. It says nothing of the verdict. */
export const BallotCast = Closed(
  {
    id: Uuid(),
    caseId: Uuid(),
    round,
    sha256: Sha256({ description: 'Over the RFC 8785 form of the ballot: { caseId, round, voterId, verdict, rationale, evidenceIds, castAt }.' }),
    receiptId: Uuid({ description: 'Yours alone. Should your ballot be missing from the record, it proves that it was cast.' }),
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
    { type: Enum(subjectKinds), id: Uuid(), version: { ...version, description: 'Of what is judged, in the newest round.' } as typeof version },
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
          description: 'The work of a task. An interaction is read, in all its versions, where it is.',
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
    notCountedBecause: nullable(Enum(notCounted, { description: 'As it was known when the round closed.' })),
    group: nullable(
      Type.String({
        description: 'The same for ballots of one known operator, of which the earliest counts. It means nothing outside of this round.',
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
    votes: Closed({ upheld: votes, rejected: votes, insufficientEvidence: votes, notCounted: votes }, { title: 'Votes' }),
    ballots: ListOf(PublicBallot, { description: `In the order in which they were cast; at most ${MAX_BALLOTS}.` }),
  },
  {
    title: 'RoundOutcome',
    description: 'What came of it; it never changes. Null while the round is open: until then nobody reads ballots, or how many there are.',
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
    recordSha256: nullable(digest('{ frozen, outcome }; it is the contentSha256 of the receipt of the closing')),
    closedReceiptId: nullable(Uuid()),
  },
  { title: 'Round' },
);
export type Round = Static<typeof Round>;

const { interactionId: _, ...piece } = Evidence.properties;

export const CaseDetail = Closed(
  {
    ...row,
    rubric: ListOf(Criterion),
    parties: ListOf(Closed({ id: Uuid(), handle: Text(2, 32) }, { title: 'Party' }), { description: 'Who does not vote in the newest round.' }),
    rounds: ListOf(Round, { description: 'The first one first, each whole.' }),
    evidence: ListOf(Closed(piece, { title: 'CaseEvidence' }), {
      description: 'That of all rounds, the oldest first, as it is now: what a reference leads to is shown where you may read it.',
    }),
  },
  { title: 'CaseDetail' },
);
export type CaseDetail = Static<typeof CaseDetail>;

export const caseId = Closed({ id: Uuid({ description: 'The case.' }) });

export const casesQuery = Closed({
  ...pageQuery,
  state: Type.Optional(Enum(caseStates, { description: 'Only those in this state.', examples: ['open'] })),
});
