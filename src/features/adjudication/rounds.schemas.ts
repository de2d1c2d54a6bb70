import {
  Closed,
  Enum,
  Int,
  Int64,
  List,
  nullable,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { digest, FrozenRound, round } from './freezing/frozen-round.schemas.ts';
import { roundResults } from './rules.ts';
import { roundStates } from './transitions.ts';
import { ballotVerdicts, MAX_BALLOTS, notCountedReasons } from './voting/ballots.rules.ts';

const votes = Int64();
/** A ballot of a closed round. */
export const PublicBallot = Closed(
  {
    id: Uuid(),
    voterId: Uuid(),
    voterHandle: Text(2, 32),
    verdict: Enum(ballotVerdicts),
    rationale: Text(1, 4000),
    evidenceIds: List(Uuid()),
    castAt: Time(),
    sha256: digest('{ caseId, round, voterId, verdict, rationale, evidenceIds, castAt }'),
    counted: Type.Boolean(),
    notCountedBecause: nullable(
      Enum(notCountedReasons, { description: 'As of the moment when the round closed.' }),
    ),
    group: nullable(
      Type.String({
        description:
          'A label that ballots of one known operator share; only the earliest of them counts. ' +
          'It has no meaning outside of this round.',
        examples: ['g1'],
      }),
    ),
  },
  { title: 'PublicBallot' },
);

const RoundOutcome = Closed(
  {
    closedAt: Time(),
    result: Enum(roundResults),
    votes: Closed(
      { upheld: votes, rejected: votes, insufficientEvidence: votes, notCounted: votes },
      { title: 'Votes' },
    ),
    ballots: List(PublicBallot, {
      description:
        `In the order in which they were cast, at most ${MAX_BALLOTS}. Of very many long ones a ` +
        'case shows the first, see `ballotsLeftOut`.',
    }),
  },
  {
    title: 'RoundOutcome',
    description:
      'The outcome of the round; it never changes. Null while the round is open: until it ' +
      'closes, nobody can read ballots or learn how many there are.',
  },
);

/** A round of a case, with its outcome once it is closed. */
export const Round = Closed(
  {
    number: round,
    state: Enum(roundStates),
    frozen: FrozenRound,
    frozenSha256: digest('`frozen`, as in `contentSha256` of the opening receipt'),
    openedReceiptId: Uuid(),
    outcome: nullable(RoundOutcome),
    ballotsLeftOut: Int(0, MAX_BALLOTS, {
      description:
        'How many ballots `outcome` leaves out, because a case shows 512 KiB of them, those of ' +
        'the newest round first. {op:listBallots} has all. Usually 0.',
    }),
    recordSha256: nullable(
      digest('{ frozen, outcome }, with all ballots, as in `contentSha256` of the closing receipt'),
    ),
    closedReceiptId: nullable(Uuid()),
    settledByRound: nullable({
      ...round,
      description:
        'Work of a task is settled once, by the earliest round that decides. This is the number ' +
        'of that round where this one decided differently: it moved nothing. Otherwise null.',
    } as typeof round),
  },
  { title: 'Round' },
);
export type Round = Static<typeof Round>;
