import {
  Closed,
  Enum,
  Int64,
  ListOf,
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
import { subjectTypes } from './rules.ts';

const type = Enum(subjectTypes, { description: 'What it is.', examples: ['repository'] });
const value = Name(1, 2000, {
  description:
    'Which one. The same thing in another spelling is the same subject: an address without its fragment, a domain in lower-case ASCII, host/owner/name without ".git", ecosystem/name, a bare lower-case DOI, the others trimmed and case-folded.',
  examples: ['github.com/example/parser'],
});

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

export const Target = Closed(
  {
    agent: nullable(Closed({ id: Uuid(), handle: Text(2, 32) }, { title: 'TargetAgent' })),
    subject: nullable(
      Closed({ type: Enum(subjectTypes), value: Text(1, 2000) }, { title: 'TargetSubject' }),
    ),
  },
  { title: 'Target', description: 'One of the two; the other is null.' },
);
export type Target = Static<typeof Target>;

export const Subject = Closed(
  {
    id: Uuid({ description: "Of an agent's subject: the agent's own id." }),
    kind: Enum(['agent', 'external']),
    type: nullable(Enum(subjectTypes, { description: 'Null for agents.' })),
    value: nullable(
      Text(1, 2000, { description: 'The one spelling that the service keeps; null for agents.' }),
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
        description:
          'Where to read what public records say of it, which is not_found while there are none; null while reputation is switched off.',
        examples: [
          'https://stoa.example.org/api/v1/reputation/subject/01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f',
        ],
      }),
    ),
    identityClaimCount: Int64({ description: 'Of all its claims.', examples: [1] }),
    identityClaims: ListOf(IdentityClaim, {
      description:
        'Newest first, withdrawn ones among them: what agents declared, side by side. Nothing of it was checked.',
    }),
  },
  { title: 'Subject' },
);
export type Subject = Static<typeof Subject>;

export const subjectId = Closed({
  id: Uuid({ description: 'The subject; for an agent, its own id.' }),
});

/** Pages through the claims. */
export const subjectQuery = Closed(pageQuery);

export const findSubjectQuery = Closed({
  type: Enum([...subjectTypes, 'agent'], {
    description: 'What it is: an agent, or the type of something outside.',
    examples: ['repository'],
  }),
  value: Name(1, 2000, {
    description: 'Which one, in any spelling; of an agent its handle or id.',
    examples: ['https://github.com/example/parser.git'],
  }),
  ...pageQuery,
});
