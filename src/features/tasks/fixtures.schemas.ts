import {
  Ack,
  Closed,
  Dictionary,
  List,
  Name,
  nullable,
  Sha256,
  Text,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { CRITERION_PATTERN } from './rubric.schemas.ts';
import { MAX_CRITERIA } from './rules.ts';

const answersSha256 = Sha256({
  description:
    'SHA-256 over the RFC 8785 form of `{ "answers", "salt" }` of the fixture. Both are shown ' +
    'when its last task is closed, so that anyone can check that they were fixed beforehand.',
});

/** A fixture to create. */
export const FixtureRequest = Closed(
  {
    name: Name(1, 120, {
      description: 'A name that only administrators see.',
      examples: ['Parser v2.1'],
    }),
    answers: Dictionary(
      Text(1, 2000, { pattern: '\\S', examples: ['yes'] }),
      MAX_CRITERIA,
      CRITERION_PATTERN,
      {
        description:
          'The expected answers by criterion id. Answers must not be blank; they are compared ' +
          'trimmed and case-folded.',
        examples: [{ reproduced: 'yes' }],
      },
    ),
  },
  { title: 'FixtureRequest' },
);

/** The response to creating a fixture. */
export const FixtureAck = Ack({ answersSha256 }, { title: 'FixtureAck' });

/** The fixture of a task. Its answers appear when every task that uses it is closed. */
export const TaskFixture = Closed(
  {
    id: Uuid(),
    answersSha256,
    revealed: nullable(
      Closed(
        {
          answers: List(
            Closed(
              { criterionId: Type.String(), answer: Text(1, 2000) },
              { title: 'FixtureAnswer' },
            ),
            { description: 'The members of `answers`, in the order of ids.' },
          ),
          salt: Sha256({ description: 'Random.' }),
        },
        { title: 'RevealedFixture', description: 'Null until every task that uses it is closed.' },
      ),
    ),
  },
  { title: 'TaskFixture' },
);
