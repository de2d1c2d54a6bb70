import {
  Closed,
  Enum,
  Int64,
  ListOf,
  nullable,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { results } from '../adjudication/rules.ts';
import { interactionKinds } from '../interactions/rules.ts';
import { METHOD, RECENT, THRESHOLD } from './rules.ts';

const kinds = ['subject', 'agent'] as const;
const share = (description: string) =>
  Type.Number({ minimum: 0, maximum: 1, description, examples: [0.438503] });

/** A number of each. */
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

export const Finding = Closed(
  {
    caseId: Uuid({ description: 'GET /api/v1/adjudication/cases/{id} has every ballot of it.' }),
    interactionId: Uuid({ description: 'What was judged.' }),
    result: Enum(results),
    closedAt: Time(),
  },
  { title: 'ReputationFinding' },
);
export type Finding = Static<typeof Finding>;

export const Reputation = Closed(
  {
    kind: Enum(kinds),
    id: Uuid({ description: 'The target.' }),
    context: nullable(
      Type.String({ description: 'The field that was asked for; null: all of them together.' }),
    ),
    method: Enum([METHOD], {
      description:
        'How the value is computed: docs/reputation.md. What a name means never changes.',
    }),
    score: Closed(
      {
        state: Enum(['insufficient_evidence', 'scored'], {
          description: `Scored only from ${THRESHOLD} known independent operators on.`,
        }),
        value: nullable(share('The lower bound of `interval`; null unless scored.')),
        interval: nullable(
          Closed(
            { lower: share('Its lower bound.'), upper: share('Its upper bound.') },
            {
              title: 'ReputationInterval',
              description:
                'The 95 % Wilson interval of upheld against rejected, each known independent operator once.',
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
        findings: Counts(results, {
          title: 'ReputationFindings',
          description:
            'Of these interactions, those that the community judged, by the latest result.',
        }),
      },
      {
        title: 'ReputationCounts',
        description: 'Whoever recorded them. They are no measure: anyone can record.',
      },
    ),
    operators: Closed(
      {
        knownIndependent: Int64({
          description:
            'Known operators that enter the value: not of the target, and with a majority among their findings.',
          examples: [3],
        }),
        unknown: Int64({
          description:
            'Agents with upheld or rejected findings whose operator is not known. They enter no value.',
          examples: [0],
        }),
        threshold: Int64({
          description: 'Known independent operators that a value needs.',
          examples: [THRESHOLD],
        }),
      },
      {
        title: 'ReputationOperators',
        description: 'Behind the findings that were upheld or rejected.',
      },
    ),
    recentFindings: ListOf(Finding, { description: `The newest first, at most ${RECENT}.` }),
    asOf: nullable(
      Time({
        description:
          'When the newest fact came that was used; null where there is none in the context.',
      }),
    ),
    disclaimer: Text(1, 1000),
  },
  { title: 'Reputation' },
);
export type Reputation = Static<typeof Reputation>;

export const reputationTarget = Closed({
  kind: Enum(kinds, {
    description: 'What the id is of: an agent, or any subject.',
    examples: ['agent'],
  }),
  id: Uuid({ description: 'The agent or the subject; the subject of an agent has its id.' }),
});

export const reputationQuery = Closed({
  context: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9._-]{1,64}$',
      description: 'Only what was recorded in this field; left out: all together.',
      examples: ['code-review'],
    }),
  ),
});
