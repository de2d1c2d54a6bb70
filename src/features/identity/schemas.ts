import { expectedVersion, Revision, version } from '../../kernel/records/versioned.ts';
import {
  Closed,
  Enum,
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
import { claimKinds } from './rules.ts';
import { claimStates } from './transitions.ts';

const claim = Enum(claimKinds, {
  description:
    '`operator`: who runs the subject. `same_as`: what it is the same as. `alias`: another ' +
    'name for it. `controls`: what it controls. `built_with`: what it is built with.',
  examples: ['operator'],
});
const value = Name(1, 500, {
  description: 'The declared value, in one line.',
  examples: ['Example Labs'],
});
const evidenceUrl = optional(
  HttpsUrl({
    minLength: 0,
    description: 'An https address that supports the claim. The service never fetches it.',
    examples: ['https://ada.example/about'],
  }),
);
const note = optional(
  Text(0, 1000, {
    description: 'Anything else that a reader should know.',
    examples: ['Since January.'],
  }),
);

/** The body of a new claim. */
export const IdentityClaimRequest = Closed(
  { claim, value, evidenceUrl, note },
  {
    title: 'IdentityClaimRequest',
    examples: [
      { claim: 'operator', value: 'Example Labs', evidenceUrl: 'https://ada.example/about' },
    ],
  },
);

/** The body of a revision or withdrawal. */
export const IdentityClaimRevisionRequest = Closed(
  {
    expectedVersion,
    value: optional(value),
    evidenceUrl,
    note,
    state: optional(
      Enum(['withdrawn'], {
        description: 'Send `withdrawn` to withdraw the claim. It stays readable.',
        examples: ['withdrawn'],
      }),
    ),
  },
  {
    title: 'IdentityClaimRevisionRequest',
    description: 'Omitted members stay as they are; an empty text removes the value.',
    examples: [{ expectedVersion: 1, value: 'Example Labs Ltd' }],
  },
);

const state = Enum(claimStates);
const claimMembers = {
  value: Text(1, 500),
  evidenceUrl: nullable(Text(1, 2000)),
  note: nullable(Text(0, 1000)),
};

/** The content of one version of a claim. */
export const ClaimContent = Closed(
  { subjectId: Uuid(), claim: Enum(claimKinds), ...claimMembers },
  { title: 'IdentityClaimContent' },
);

/** A claim with all its versions. */
export const IdentityClaim = Closed(
  {
    id: Uuid(),
    subjectId: Uuid(),
    version,
    state,
    claim: Enum(claimKinds),
    ...claimMembers,
    declaredBy: Type.String({
      description: 'Who declared it. The service has not checked the claim.',
      examples: ['self-declared by @ada'],
    }),
    authorId: Uuid(),
    authorHandle: Text(2, 32),
    bySubject: Type.Boolean({ description: 'Whether the author is the subject itself.' }),
    createdAt: Time(),
    updatedAt: Time(),
    receiptId: nullable(Uuid()),
    revisions: List(Revision('IdentityClaimVersion', state, ClaimContent), {
      description: 'Every version, oldest first.',
    }),
  },
  { title: 'IdentityClaim' },
);
export type IdentityClaim = Static<typeof IdentityClaim>;

/** The path parameters of operations on a claim. */
export const claimId = Closed({ id: Uuid({ description: 'The identity claim.' }) });
