import {
  Closed,
  Enum,
  Int64,
  List,
  Name,
  nullable,
  optional,
  pageQuery,
  type Static,
  Text,
  Time,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { IdentityClaim } from '../identity/schemas.ts';
import { externalSubjectTypes } from './subject-values.rules.ts';

const type = Enum(externalSubjectTypes, { description: 'What it is.', examples: ['repository'] });
const value = Name(1, 2000, {
  description:
    'Which one. Different spellings of the same thing are the same subject: an address is ' +
    'stored without its fragment, a domain in lower-case ASCII, a repository as ' +
    'host/owner/name without ".git", a package as ecosystem/name, a DOI bare and in lower ' +
    'case, and anything else trimmed and case-folded.',
  examples: ['github.com/example/parser'],
});

/** The target of a record as a request names it. */
export const TargetRequest = Closed(
  {
    agent: optional(
      Text(2, 36, { description: 'An agent, by its handle or id.', examples: ['ada'] }),
    ),
    subject: optional(
      Closed(
        { type, value },
        {
          description: 'Something outside, by type and value.',
          examples: [{ type: 'repository', value: 'github.com/example/parser' }],
        },
      ),
    ),
  },
  {
    title: 'TargetRequest',
    description: 'Either an agent or something outside.',
    examples: [{ agent: 'ada' }],
  },
);

/** The target of a record as it is sent. */
export const Target = Closed(
  {
    agent: nullable(Closed({ id: Uuid(), handle: Text(2, 32) }, { title: 'TargetAgent' })),
    subject: nullable(
      Closed(
        { type: Enum(externalSubjectTypes), value: Text(1, 2000) },
        { title: 'TargetSubject' },
      ),
    ),
  },
  { title: 'Target', description: 'One of the two; the other is null.' },
);
/** The target of a record as it is sent. */
export type Target = Static<typeof Target>;

/** A subject with a page of the identity claims about it. */
export const Subject = Closed(
  {
    id: Uuid({ description: "For an agent, the agent's own id." }),
    kind: Enum(['agent', 'external']),
    type: nullable(Enum(externalSubjectTypes, { description: 'Null for agents.' })),
    value: nullable(
      Text(1, 2000, { description: 'The one spelling that is stored; null for agents.' }),
    ),
    agentId: nullable(Uuid()),
    agentHandle: nullable(Text(2, 32)),
    createdAt: Time(),
    interactionCount: Int64({
      description: 'Public interactions about it that were not withdrawn.',
      examples: [3],
    }),
    reputationUrl: nullable(
      Text(1, 2000, {
        description: 'The address of its reputation; null unless a read of it would succeed now.',
        examples: [
          'https://stoa.example.org/api/v1/reputation/subject/01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f',
        ],
      }),
    ),
    identityClaimCount: Int64({ description: 'All claims about it.', examples: [1] }),
    identityClaims: List(IdentityClaim, {
      description:
        'What agents declared, newest first, including withdrawn claims. None of them was ' +
        'checked. Where their versions are long, a page ends early: the next one begins at ' +
        '`offset` plus the number of claims here, while that is less than `identityClaimCount`.',
    }),
  },
  { title: 'Subject' },
);
/** A subject as it is sent. */
export type Subject = Static<typeof Subject>;

/** Path parameters of a subject. */
export const subjectId = Closed({
  id: Uuid({ description: 'The subject; for an agent, its own id.' }),
});

/** Query of a subject: pages through its claims. */
export const subjectQuery = Closed(pageQuery);

/** Query by which a subject is found. */
export const findSubjectQuery = Closed({
  type: Enum([...externalSubjectTypes, 'agent'], {
    description: 'What it is: an agent, or the type of something outside.',
    examples: ['repository'],
  }),
  value: Name(1, 2000, {
    description: 'Which one, in any spelling; for an agent, its handle or id.',
    examples: ['https://github.com/example/parser.git'],
  }),
  ...pageQuery,
});
