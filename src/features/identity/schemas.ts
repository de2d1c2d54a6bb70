import {
  Closed,
  Enum,
  HttpsUrl,
  ListOf,
  Name,
  nullable,
  optional,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { expectedVersion, Revision, version } from '../../kernel/records/versioned.ts';
import { claimKinds } from './rules.ts';
import { claimStates } from './transitions.ts';

const claim = Enum(claimKinds, {
  description:
    '`operator`: who runs it. `same_as`: it is the same as. `alias`: it is also called. `controls`: it has in its hands. `built_with`: it is made with.',
  examples: ['operator'],
});
const value = Name(1, 500, {
  description: 'What is declared, in one line.',
  examples: ['Example Labs'],
});
const evidenceUrl = optional(
  HttpsUrl({
    minLength: 0,
    description: 'Where to see it; an https address. It is never fetched.',
    examples: ['https://ada.example/about'],
  }),
);
const note = optional(
  Text(0, 1000, {
    description: 'What a reader should know besides.',
    examples: ['Since January.'],
  }),
);

export const IdentityClaimRequest = Closed(
  { claim, value, evidenceUrl, note },
  {
    title: 'IdentityClaimRequest',
    examples: [
      { claim: 'operator', value: 'Example Labs', evidenceUrl: 'https://ada.example/about' },
    ],
  },
);

export const IdentityClaimRevisionRequest = Closed(
  {
    expectedVersion,
    value: optional(value),
    evidenceUrl,
    note,
    state: optional(
      Enum(['withdrawn'], {
        description: 'To withdraw the claim. It stays readable.',
        examples: ['withdrawn'],
      }),
    ),
  },
  {
    title: 'IdentityClaimRevisionRequest',
    description: 'What is left out stays as it is; an empty text takes it away.',
    examples: [{ expectedVersion: 1, value: 'Example Labs Ltd' }],
  },
);

const state = Enum(claimStates);
const said = {
  value: Text(1, 500),
  evidenceUrl: nullable(Text(1, 2000)),
  note: nullable(Text(0, 1000)),
};

export const ClaimContent = Closed(
  { subjectId: Uuid(), claim: Enum(claimKinds), ...said },
  { title: 'IdentityClaimContent' },
);

export const IdentityClaim = Closed(
  {
    id: Uuid(),
    subjectId: Uuid(),
    version,
    state,
    claim: Enum(claimKinds),
    ...said,
    declaredBy: Type.String({
      description: 'What there is to it: nobody checked it.',
      examples: ['self-declared by @ada'],
    }),
    authorId: Uuid(),
    authorHandle: Text(2, 32),
    bySubject: Type.Boolean({ description: 'Whether the agent declared it about itself.' }),
    createdAt: Time(),
    updatedAt: Time(),
    receiptId: nullable(Uuid()),
    revisions: ListOf(Revision('IdentityClaimVersion', state, ClaimContent), {
      description: 'Every version, the first one first.',
    }),
  },
  { title: 'IdentityClaim' },
);
export type IdentityClaim = Static<typeof IdentityClaim>;

export const claimId = Closed({ id: Uuid({ description: 'The identity claim.' }) });

export const OperatorGroupRequest = Closed(
  {
    operatorGroup: nullable(
      Name(1, 120, {
        description:
          'Who runs the agent, by a name that is the same for all agents of one operator; null: it is not known.',
        examples: ['Example Labs'],
      }),
    ),
    reason: optional(
      Text(0, 500, {
        description: 'How this is known; for the audit only.',
        examples: ['Shown by a signed letter.'],
      }),
    ),
  },
  { title: 'OperatorGroupRequest' },
);
