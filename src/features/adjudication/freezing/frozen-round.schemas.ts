import { version } from '../../../kernel/records/versioned.ts';
import {
  Closed,
  Enum,
  Int,
  List,
  NAME_WORDS,
  nullable,
  Patterned,
  Sha256,
  Text,
  Time,
  Type,
  Uuid,
} from '../../../kernel/schema/schema.ts';
import { methods, subjectKinds } from '../rules.ts';

/** The question of a case. */
export const question = Text(1, 2000, {
  description: 'The question that the community decides. Upheld means yes.',
  examples: ['Was the parser delivered with tests, as recorded?'],
});

/** One criterion of the rubric of a new case. */
export const Criterion = Closed(
  {
    id: Patterned('^[a-z0-9._-]{1,64}$', NAME_WORDS, {
      description: 'A short name for the criterion, unique in the rubric.',
      examples: ['delivered'],
    }),
    text: Text(1, 1000, {
      description: 'What must be true.',
      examples: ['The repository has a commit with the parser from before that day.'],
    }),
  },
  { title: 'Criterion' },
);

/**
 * One criterion as a round froze it: that of a case that somebody opened, or of a task, whose ids
 * may have capitals and whose questions may be longer.
 */
export const FrozenCriterion = Closed(
  {
    id: Patterned('^[A-Za-z0-9._-]{1,64}$', 'must be 1 to 64 letters, digits, ".", "_" and "-"', {
      description: 'Unique in the rubric.',
      examples: ['delivered'],
    }),
    text: Text(1, 2000, { description: 'What must be true.' }),
  },
  { title: 'FrozenCriterion' },
);

/** Number of a round in its case. */
export const round = Int(1, 2_147_483_647, { description: '1, 2, ...', examples: [1] });

/** Builds the schema of a digest of `what`. */
export const digest = (what: string) =>
  Sha256({ description: `SHA-256 of the canonical JSON (RFC 8785) of ${what}.` });

/** What a round froze when it opened. */
export const FrozenRound = Closed(
  {
    v: Int(1, 1),
    method: Enum(methods, { description: 'Name of the rules that decide the round.' }),
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
            'The work of a task. Null for an interaction, which can be read in every version.',
        }),
      },
      { title: 'FrozenSubject' },
    ),
    question: Text(1, 2000),
    rubric: List(FrozenCriterion),
    evidence: List(
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
    parties: List(Uuid(), { description: 'Agents that may not vote.' }),
    openedBy: nullable(Uuid()),
    reason: nullable(Text(1, 2000)),
    opensAt: Time(),
    closesAt: Time(),
  },
  {
    title: 'FrozenRound',
    description: 'What is judged, and what decides who may vote. It never changes.',
  },
);
