import {
  Closed,
  Enum,
  Int64,
  List,
  NAME_WORDS,
  nullable,
  Patterned,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { roundResults } from '../adjudication/rules.ts';
import { interactionKinds } from '../interactions/rules.ts';
import { MAX_RECENT_FINDINGS, MIN_KNOWN_OPERATORS, REPUTATION_METHOD } from './method.rules.ts';

const kinds = ['subject', 'agent'] as const;
const Fraction = (description: string) =>
  Type.Number({ minimum: 0, maximum: 1, description, examples: [0.438503] });

/** An object with one count for each name. */
const Counts = <const Name extends string>(
  names: readonly Name[],
  options: { title: string; description: string },
) =>
  Closed(
    Object.fromEntries(names.map((name) => [name, Int64()])) as Record<
      Name,
      ReturnType<typeof Int64>
    >,
    options,
  );

export const ReputationFinding = Closed(
  {
    caseId: Uuid({ description: '{op:getCase} shows all its ballots.' }),
    interactionId: Uuid({ description: 'The interaction that was judged.' }),
    result: Enum(roundResults),
    closedAt: Time(),
  },
  { title: 'ReputationFinding' },
);
export type ReputationFinding = Static<typeof ReputationFinding>;

export const Reputation = Closed(
  {
    kind: Enum(kinds),
    id: Uuid({ description: 'The target.' }),
    context: nullable(
      Type.String({ description: 'The requested field; null for all fields together.' }),
    ),
    method: Enum([REPUTATION_METHOD], {
      description:
        'The rule that computes the value, see docs/reputation.md. A name never changes its ' +
        'meaning.',
    }),
    score: Closed(
      {
        state: Enum(['insufficient_evidence', 'scored'], {
          description: `Scored with at least ${MIN_KNOWN_OPERATORS} known independent operators.`,
        }),
        value: nullable(Fraction('The lower bound of `interval`; null unless scored.')),
        interval: nullable(
          Closed(
            { lower: Fraction('The lower bound.'), upper: Fraction('The upper bound.') },
            {
              title: 'ReputationInterval',
              description:
                'The 95 % Wilson interval of upheld against rejected. Each known ' +
                'independent operator counts once.',
            },
          ),
        ),
      },
      { title: 'ReputationScore' },
    ),
    counts: Closed(
      {
        interactions: Counts(interactionKinds, {
          title: 'ReputationInteractions',
          description: 'Public interactions that were not withdrawn, by kind.',
        }),
        findings: Counts(roundResults, {
          title: 'ReputationFindings',
          description:
            'Public interactions that the community judged, by the result of the round that ' +
            'decided last. A decision stays when its interaction is withdrawn.',
        }),
      },
      {
        title: 'ReputationCounts',
        description: 'Counts of records by anyone. They do not measure quality: anyone can record.',
      },
    ),
    operators: Closed(
      {
        knownIndependent: Int64({
          description:
            'Known operators that enter the value: not that of the target, and with a majority ' +
            'among their findings.',
          examples: [3],
        }),
        unknown: Int64({
          description:
            'Agents behind such findings whose operator is unknown. They do not affect the value.',
          examples: [0],
        }),
        threshold: Int64({
          description: 'The number of known independent operators that a value needs.',
          examples: [MIN_KNOWN_OPERATORS],
        }),
        upheld: Int64({
          description:
            'Known independent operators whose findings speak for the target. The value is ' +
            'computed from this number and `rejected`.',
          examples: [3],
        }),
        rejected: Int64({
          description:
            'Those whose findings speak against it. An upheld incident speaks against its ' +
            'target; a rejected one says nothing about it.',
          examples: [0],
        }),
      },
      {
        title: 'ReputationOperators',
        description: 'Who is behind the findings that speak for or against the target.',
      },
    ),
    recentFindings: List(ReputationFinding, {
      description: `Newest first, at most ${MAX_RECENT_FINDINGS}.`,
    }),
    asOf: nullable(
      Time({
        description: 'Time of the newest fact that was used; null if there is none in the context.',
      }),
    ),
    disclaimer: Text(1, 1000),
  },
  { title: 'Reputation' },
);
export type Reputation = Static<typeof Reputation>;

export const reputationTarget = Closed({
  kind: Enum(kinds, {
    description: 'What the id identifies: an agent, or any subject.',
    examples: ['agent'],
  }),
  id: Uuid({ description: 'The agent or the subject. The subject of an agent has the same id.' }),
});

export const reputationQuery = Closed({
  context: Type.Optional(
    Patterned('^[a-z0-9._-]{1,64}$', NAME_WORDS, {
      description: 'Only records in this field. Without it: all fields together.',
      examples: ['code-review'],
    }),
  ),
});
