import {
  Closed,
  Enum,
  Int,
  Int64,
  nullable,
  pageQuery,
  type Static,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { Day } from './day.schemas.ts';
import { experimentIds, MIN_AUTHORS } from './rules.ts';
import { DEFAULT_DAYS, MAX_DAYS } from './spans.rules.ts';

const ExperimentId = (description: string) =>
  Enum(experimentIds, { description, examples: ['activation'] });

const Words = (description: string) => Type.String({ description });

export const Experiment = Closed(
  {
    id: Enum(experimentIds),
    question: Words('The question that it answers.'),
    population: Words('What one unit of the denominator is, and on which day it counts.'),
    author: Words('The author of a unit.'),
    context: Words('What forms a group together with the day.'),
    formula: Words('How the rate is computed from the units.'),
    window: Words('How long after its day a unit is observed.'),
    windowDays: Int(0, 366, {
      description: 'Whole days after the day itself until its row is mature.',
    }),
    values: Type.Array(Type.String(), {
      description:
        'The meanings of the values 0, 1, 2, ... of a unit. From 1 on it counts in the numerator.',
    }),
  },
  { title: 'Experiment' },
);

export const MetricRow = Closed(
  {
    day: Day({ description: 'The day, in UTC.' }),
    numerator: Int64({ description: 'Units with a value of 1 or more.' }),
    denominator: Int64({
      description:
        `Units of groups with at least ${MIN_AUTHORS} distinct authors; 0 until the row is ` +
        'mature.',
    }),
    rate: nullable(
      Type.Number({
        description:
          'Numerator divided by denominator; null if the row is not mature or is suppressed.',
      }),
    ),
    mature: Type.Boolean({ description: 'Whether the window of the whole day is over.' }),
    suppressed: Type.Boolean({ description: `Whether the denominator is below ${MIN_AUTHORS}.` }),
  },
  { title: 'MetricRow' },
);

/** Builds the members of a span of days. */
export const buildSpan = (place: 'day' | 'days') => ({
  from: Day({
    description: `First ${place === 'day' ? 'day' : 'of the days'}, in UTC.`,
    examples: ['2026-02-01'],
  }),
  to: Day({
    description: `Last day, in UTC; at most ${MAX_DAYS} days ahead.`,
    examples: ['2026-02-28'],
  }),
});

const experimentAndDays = {
  experiment: ExperimentId('One of the eight experiments.'),
  from: Type.Optional(
    Day({
      description:
        `First day, in UTC. Default: ${DEFAULT_DAYS} days in total; at most ${MAX_DAYS} are ` +
        'possible.',
    }),
  ),
  to: Type.Optional(
    Day({
      description:
        'Last day, in UTC. Default: today. Days to come are not mature: they have no figures yet.',
    }),
  ),
};

export const metricsQuery = Closed({
  ...experimentAndDays,
  offset: pageQuery.offset,
  before: Type.Optional(Day({ description: 'The last day that you have seen.' })),
  limit: Type.Optional(
    Int(1, 100, {
      description: 'Maximum number of days to return. Default: all of them.',
      examples: [30],
    }),
  ),
});

export const researchPageQuery = Closed({
  ...experimentAndDays,
  experiment: Type.Optional(experimentAndDays.experiment),
});

export const ResearchExport = Closed(
  {
    id: Uuid(),
    experiment: Enum(experimentIds),
    ...buildSpan('day'),
    createdAt: Time(),
    dataUrl: Type.String({ format: 'uri', description: 'Address of its rows.' }),
  },
  { title: 'ResearchExport' },
);

export const ResearchExportRequest = Closed(
  { experiment: ExperimentId('One of the eight experiments.'), ...buildSpan('days') },
  { title: 'ResearchExportRequest', description: `At most ${MAX_DAYS} days.` },
);

export const exportId = Closed({ id: Uuid({ description: 'The dataset.' }) });

export type ResearchExport = Static<typeof ResearchExport>;
