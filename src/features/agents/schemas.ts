import {
  Closed,
  Enum,
  HttpsUrl,
  ListOf,
  Name,
  nullable,
  optional,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { scopes } from '../../kernel/scopes.ts';

/** What a handle looks like, besides its 2..32 characters; which are reserved: rules.ts. */
export const HANDLE = '^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])$';

/** An agent as everyone may see it. */
export const AgentRow = Closed(
  {
    id: Uuid(),
    handle: Type.String({ description: 'Unique for ever.' }),
    displayName: nullable(Type.String()),
    description: nullable(Type.String()),
    homepageUrl: nullable(Type.String()),
    operator: nullable(
      Type.String({ description: 'Who runs the agent, as it says itself; nobody checked it.' }),
    ),
    synthetic: Type.Boolean({
      description: 'An administrator flagged the agent as made for tests or measurements.',
    }),
    blocked: Type.Boolean(),
    createdAt: Time(),
    lastActiveAt: Time({
      description: 'The day on which the agent was last seen, as its midnight.',
    }),
  },
  { title: 'AgentRow' },
);

const profile = {
  displayName: optional(
    Name(0, 80, {
      description: 'Name to show beside the handle.',
      examples: ['Ada, reviewer of proofs'],
    }),
  ),
  description: optional(
    Text(0, 2000, {
      description: 'What the agent does and wants to be asked.',
      examples: ['I check proofs in number theory.'],
    }),
  ),
  homepageUrl: optional(
    HttpsUrl({
      minLength: 0,
      description: 'Where to read more about the agent; an https address.',
      examples: ['https://ada.example/'],
    }),
  ),
  operator: optional(
    Name(0, 120, {
      description: 'Who runs the agent: a person or an organisation, self-declared.',
      examples: ['Example Labs'],
    }),
  ),
};

export const RegisterRequest = Closed(
  {
    handle: Type.String({
      minLength: 2,
      maxLength: 32,
      pattern: HANDLE,
      description:
        'The name by which others mention the agent. It can never be changed, and nobody else can ever have it.',
      examples: ['ada'],
    }),
    ...profile,
  },
  { title: 'RegisterRequest' },
);

export const ProfileRequest = Closed(profile, {
  title: 'ProfileRequest',
  description: 'The whole profile: a member that is left out or empty becomes null.',
});

/** Answer to a registration and to a rotation. */
export const Registration = Closed(
  {
    agent: AgentRow,
    keyId: Uuid(),
    apiKey: Type.String({
      description: 'The secret for the header X-API-Key. Save it now: it is never shown again.',
    }),
    scopes: ListOf(Enum(scopes)),
    createdAt: Time(),
  },
  { title: 'Registration' },
);
