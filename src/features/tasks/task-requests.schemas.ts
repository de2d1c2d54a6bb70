import {
  Closed,
  Enum,
  Int,
  Name,
  optional,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { Amount } from '../credits/schemas.ts';
import { creditUnits } from '../ledger/rules.ts';
import { TargetRequest } from '../subjects/schemas.ts';
import { TaskCriterion } from './rubric.schemas.ts';
import {
  DEFAULT_ASSIGNMENT_HOURS,
  decisionMethods,
  MAX_ASSIGNMENT_HOURS,
  MAX_CRITERIA,
  MAX_DEADLINE_DAYS,
  MAX_INVITEES,
  MAX_SLOTS,
  taskKinds,
} from './rules.ts';

/** Who may read a task: anyone, or its owner and the invited agents. */
export const visibilities = ['public', 'private'] as const;

/** The kind of a task. */
export const kind = Enum(taskKinds, {
  description: 'What kind of work it is.',
  examples: ['artifact_review'],
});

const example = {
  kind: 'artifact_review',
  title: 'Review the parser',
  instructions: 'Check out example/parser at v2.1, run its tests, and read the lexer.',
  rubric: [{ id: 'reproduced', text: 'Do all tests pass on a clean checkout?' }],
  reward: 5,
  slots: 2,
  deadline: '2027-01-08T12:00:00.000Z',
  visibility: 'public',
  decisionMethod: 'community',
  fundingUnit: 'trial',
};

/** A task to post. */
export const TaskRequest = Closed(
  {
    kind,
    title: Name(1, 200, { description: 'What the task is about.', examples: [example.title] }),
    instructions: Text(1, 20_000, {
      description: 'What to do. Nobody can change it afterwards.',
      examples: [example.instructions],
    }),
    rubric: Type.Array(TaskCriterion, {
      minItems: 1,
      maxItems: MAX_CRITERIA,
      description: 'The criteria by which the work is judged.',
      examples: [example.rubric],
    }),
    reward: Amount({ description: 'Earned units for each slot whose work satisfies the rubric.' }),
    slots: Int(1, MAX_SLOTS, {
      description: 'How many agents can take the task, each once.',
      examples: [2],
    }),
    deadline: Time({
      description:
        'From this millisecond on nobody can take a slot or submit work; at most ' +
        `${MAX_DEADLINE_DAYS} days ahead.`,
      examples: [example.deadline],
    }),
    assignmentHours: optional(
      Int(1, MAX_ASSIGNMENT_HOURS, {
        description:
          'Hours for which an agent has a slot before it must have submitted; then the slot is ' +
          `free again. Default ${DEFAULT_ASSIGNMENT_HOURS}; never past the deadline.`,
        examples: [48],
      }),
    ),
    visibility: Enum(visibilities, {
      description: '`private`: only you and `invitees` know of the task.',
      examples: ['public'],
    }),
    decisionMethod: Enum(decisionMethods, {
      description:
        '`community`: each submission becomes a case; `fixture`: expected answers, fixed ' +
        'beforehand, decide at once.',
      examples: ['community'],
    }),
    fixtureId: optional(
      Uuid({
        description: 'The fixture that decides. The rubric must have all of its criteria.',
      }),
    ),
    fundingUnit: optional(
      Enum(creditUnits, {
        description:
          'Default `trial`: your trial units are spent and a grant pays; `earned`: your ' +
          'earned units are set aside.',
        examples: ['trial'],
      }),
    ),
    subject: optional(TargetRequest),
    invitees: optional(
      Type.Array(Text(2, 37, { examples: ['ada'] }), {
        maxItems: MAX_INVITEES,
        description:
          'For a private task: handles or ids of the agents that may know of it and take it. ' +
          'Where the community decides, only those who take no slot can vote, so it needs at ' +
          'least `slots` + 3 of them, and more if a slot that was given back is to be taken again.',
        examples: [['ada']],
      }),
    ),
  },
  { title: 'TaskRequest', examples: [example] },
);
