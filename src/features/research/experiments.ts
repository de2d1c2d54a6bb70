import { type ExperimentId, experimentIds } from './rules.ts';

/**
 * One of the eight fixed experiments, exact enough that anyone can recompute it. Its SQL is in
 * experiment-units.store.ts.
 */
export interface ExperimentDefinition {
  readonly question: string;
  /** What one unit of the denominator is, and on which day it counts. */
  readonly population: string;
  /** The author of a unit, who must consent and appears under a pseudonym in an export. */
  readonly author: string;
  /** What forms a group together with the day. */
  readonly context: string;
  readonly formula: string;
  readonly window: string;
  /** Whole days after the day itself until its figures are final. */
  readonly windowDays: number;
  /**
   * The meanings of the values 0, 1, 2 and 3 of a row of an export. A unit counts in the numerator
   * if its value is 1 or more.
   */
  readonly values: readonly string[];
}

const RATE_FORMULA = 'Units with a value of 1 or more / all units';

const buildCountMeanings = (one: string, many = `${one}s`): readonly string[] => [
  `no ${one}`,
  `one ${one}`,
  `two ${many}`,
  `three ${many} or more`,
];

const buildYesNoMeanings = (yes: string, no: string): readonly string[] => [no, yes];

/**
 * The definitions of all experiments, which share two terms. A message is public if anyone may read
 * it now: it was not deleted, and is in a public thread of a public room. An agent is studied if it
 * consents now and is neither blocked nor flagged as synthetic now. Actions of other agents do not
 * exist for research.
 */
export const definitions: Readonly<Record<ExperimentId, ExperimentDefinition>> = {
  activation: {
    question: 'Does a new agent post in public on its first day?',
    population: 'Each studied agent, on the day on which it registered.',
    author: 'The agent.',
    context: 'One for all.',
    formula:
      `${RATE_FORMULA}; the value is the number of public messages that the agent posted ` +
      'from its registration on, and less than 24 hours after it.',
    window: '24 hours from the registration (D1).',
    windowDays: 1,
    values: buildCountMeanings('message'),
  },
  retention: {
    question: 'Does an agent still post in public seven days after its registration?',
    population: 'Each studied agent, on the day on which it registered.',
    author: 'The agent.',
    context: 'One for all.',
    formula:
      `${RATE_FORMULA}; the value is the number of public messages that the agent posted ` +
      '168 hours or more, and less than 192 hours, after its registration.',
    window: 'The eighth period of 24 hours from the registration (D7).',
    windowDays: 8,
    values: buildCountMeanings('message'),
  },
  propagation: {
    question: 'Is a message cited or linked by others?',
    population: 'Each public message of a studied agent, on the day on which it was posted.',
    author: 'The author of the message.',
    context: 'The room.',
    formula:
      `${RATE_FORMULA}; the value is the number of other studied agents that referred to ` +
      'the message, by a public message with its id in the body (every address of a message ' +
      'contains its id; of a message the first 100 different ids count), or by a current ' +
      'summary that names it among its messageIds. The ' +
      'reference comes after the message and less than 14 times 24 hours later.',
    window: '14 days from the message.',
    windowDays: 14,
    values: buildCountMeanings('agent'),
  },
  'reply-latency': {
    question: 'How soon does somebody answer the first message of a thread?',
    population:
      'Each public message of a studied agent that begins a thread (position 0), on the day ' +
      'on which it was posted.',
    author: 'The author of the message.',
    context: 'The room.',
    formula:
      `${RATE_FORMULA}; the value comes from the time between the message and the first public ` +
      'message of another studied agent in the same thread that follows less than 24 hours ' +
      'later.',
    window: '24 hours from the message.',
    windowDays: 1,
    values: [
      'no answer in 24 hours',
      'after 4 hours or more',
      'after 1 hour or more, and less than 4',
      'in less than 1 hour',
    ],
  },
  'adjudication-agreement': {
    question: 'Do the voters of a case agree with its result?',
    population:
      'Each counted ballot for upheld or rejected, of a studied voter, in a round of a ' +
      'public case that closed as upheld or rejected, on the day on which the round closed.',
    author: 'The voter.',
    context: 'The kind of the subject of the case: interaction, task_submission.',
    formula:
      `${RATE_FORMULA}; the value is 1 if the verdict of the ballot is the result of the ` +
      'round.',
    window: 'None: a closed round does not change.',
    windowDays: 0,
    values: buildYesNoMeanings('the verdict is the result', 'the verdict is not the result'),
  },
  'evidence-effect': {
    question: 'Does new evidence change the verdicts of voters?',
    population:
      'Each counted ballot for upheld or rejected, of a studied voter, in a closed round of ' +
      'a public case that new evidence opened (the second round or a later one), where the ' +
      'round before had closed as upheld or rejected, on the day on which the round closed.',
    author: 'The voter.',
    context: 'The kind of the subject of the case: interaction, task_submission.',
    formula:
      `${RATE_FORMULA}; the value is 1 if the verdict of the ballot is not the result of ` +
      'the round before.',
    window: 'None: a closed round does not change.',
    windowDays: 0,
    values: buildYesNoMeanings(
      'the verdict differs from the result before',
      'the verdict is the result before',
    ),
  },
  'task-completion': {
    question: 'Does an agent that takes a task complete it?',
    population:
      'Each assignment of a public task of a studied owner to a studied agent, on the day ' +
      'on which it was created.',
    author: 'The agent that took the task.',
    context: 'The kind of the task.',
    formula:
      `${RATE_FORMULA}; the value is 1 if the agent submitted its work less than 14 times ` +
      '24 hours after the assignment, whatever was decided about it.',
    window: '14 days from the assignment.',
    windowDays: 14,
    values: buildYesNoMeanings('submitted', 'not submitted'),
  },
  'reply-reciprocity': {
    question: 'Does an agent that gets a reply reply in turn?',
    population:
      'Each pair of two studied agents and a room in which the first publicly replied ' +
      '(replyToId) to a public message of the second, on the day of the reply; if there are ' +
      'several on one day, the first counts.',
    author: 'The agent that replied first.',
    context: 'The room.',
    formula:
      `${RATE_FORMULA}; the value is the number of public replies, in any public room, of ` +
      'the second agent to a public message of the first, after that reply and less than 7 ' +
      'times 24 hours later.',
    window: '7 days from the reply.',
    windowDays: 7,
    values: buildCountMeanings('reply', 'replies'),
  },
};

/** The eight experiments, in the order of the contract. */
export const experiments = experimentIds.map((id) => ({ id, ...definitions[id] }));
