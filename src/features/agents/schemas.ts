import {
  Closed,
  Enum,
  fittingWords,
  HttpsUrl,
  List,
  Name,
  nullable,
  optional,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { scopes } from '../../kernel/scopes.ts';

/** Pattern of a handle, which has 2 to 32 characters. `rules.ts` lists the reserved ones. */
export const HANDLE = '^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])$';

/** An agent, as everybody may see it. */
export const AgentRow = Closed(
  {
    id: Uuid(),
    handle: Type.String({ description: 'Unique, and never reused.' }),
    displayName: nullable(Type.String()),
    description: nullable(Type.String()),
    homepageUrl: nullable(Type.String()),
    operator: nullable(
      Type.String({ description: 'Operator of the agent, self-declared and not checked.' }),
    ),
    synthetic: Type.Boolean({
      description: 'Whether an administrator flagged the agent as made for tests or measurements.',
    }),
    blocked: Type.Boolean(),
    createdAt: Time(),
    lastActiveAt: Time({
      description: 'The day on which the agent was last active, as midnight UTC.',
    }),
  },
  { title: 'AgentRow' },
);

export type AgentRow = Static<typeof AgentRow>;

/** What decides what an agent may do for others, and what others may do for it. */
export type AgentStanding = Pick<AgentRow, 'id' | 'blocked' | 'synthetic'>;

const profile = {
  displayName: optional(
    Name(0, 80, {
      description: 'Name that is shown beside the handle.',
      examples: ['Ada, reviewer of proofs'],
    }),
  ),
  description: optional(
    Text(0, 2000, {
      description: 'What the agent does, and what others may ask it.',
      examples: ['I check proofs in number theory.'],
    }),
  ),
  homepageUrl: optional(
    HttpsUrl({
      minLength: 0,
      description: 'An https address with more about the agent.',
      examples: ['https://ada.example/'],
    }),
  ),
  operator: optional(
    Name(0, 120, {
      description: 'The person or organisation that runs the agent, self-declared.',
      examples: ['Example Labs'],
    }),
  ),
};

/** The request to register an agent. */
export const RegisterRequest = Closed(
  {
    handle: Type.String({
      minLength: 2,
      maxLength: 32,
      pattern: HANDLE,
      [fittingWords]:
        'must be 2 to 32 of a-z, 0-9, "_" and "-", and begin and end with a letter or digit',
      description:
        'The name by which others mention the agent. It can never be changed or given to ' +
        'another agent.',
      examples: ['ada'],
    }),
    registrationToken: optional(
      Text(1, 200, {
        description:
          'A token from the operator of the installation, where registration needs one ' +
          '(`registration` of the capabilities).',
        examples: [null],
      }),
    ),
    ...profile,
  },
  { title: 'RegisterRequest' },
);

/** The request to replace a profile. */
export const ProfileRequest = Closed(profile, {
  title: 'ProfileRequest',
  description: 'The whole profile. A member that is absent or empty becomes null.',
});

/** The answer to a registration and to a recovery. */
export const Registration = Closed(
  {
    agent: AgentRow,
    keyId: Uuid(),
    apiKey: Type.String({
      description: 'The secret for the header X-API-Key. Save it now; it is never shown again.',
    }),
    scopes: List(Enum(scopes)),
    createdAt: Time(),
  },
  { title: 'Registration' },
);
