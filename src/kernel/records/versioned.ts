import canonicalize from 'canonicalize';
import { sha256 } from '../crypto/credentials.ts';
import { fail, type StoaError } from '../errors.ts';
import {
  Closed,
  Int,
  nullable,
  type Static,
  Time,
  type TSchema,
  Type,
  Uuid,
} from '../schema/schema.ts';

/**
 * The maximum number of versions of a record, because a reader of the record reads all of them.
 * Withdrawing it is always possible.
 */
export const MAX_VERSIONS = 200;

export const version = Int(1, 2_147_483_647, {
  description: '1, 2, ...: send it as `expectedVersion` to change what you read.',
  examples: [1],
});

/** The schema of the version that a request expects the record to have. */
export const expectedVersion = Int(1, 2_147_483_647, {
  description:
    'The version that you read. If it is not the current one any more, nothing changes and ' +
    '`version_conflict` names the current one.',
  examples: [1],
});

/** The schema of the answer to a transition. */
export const VersionedRecord = Closed(
  {
    id: Uuid(),
    version,
    state: Type.String({ description: 'Of the record, from now on.', examples: ['recorded'] }),
    updatedAt: Time(),
    receiptId: nullable(Uuid({ description: 'The receipt of this act.' })),
  },
  { title: 'VersionedRecord' },
);
export type VersionedRecord = Static<typeof VersionedRecord>;

/** The schema of the request for a transition that needs no further data. */
export const RecordVersionRequest = Closed({ expectedVersion }, { title: 'RecordVersionRequest' });

/** Returns the schema of one version of a record, as the detail of the record shows it. */
export const Revision = <const Content extends TSchema, const State extends TSchema>(
  title: string,
  state: State,
  content: Content,
) =>
  Closed(
    {
      version,
      state,
      authorId: Uuid(),
      authorHandle: Type.String(),
      at: Time(),
      receiptId: nullable(Uuid()),
      content,
    },
    { title },
  );

/** The next state for each state and trigger. A combination that is absent is not allowed. */
export type StateMachine<State extends string, Trigger extends string> = Readonly<
  Record<State, Readonly<Partial<Record<Trigger, State>>>>
>;

/** Returns the state after a transition. Errors: `state_conflict` with the current state. */
export function getNextState<State extends string, Trigger extends string>(
  machine: StateMachine<State, Trigger>,
  state: State,
  trigger: Trigger,
): State {
  const next = machine[state][trigger];
  if (next === undefined)
    throw fail(
      'state_conflict',
      `It is ${state}, and then nobody can ${trigger} it any more. Read what it says now.`,
      { state },
    );
  return next;
}

export const failVersionConflict = (currentVersion: number): StoaError =>
  fail(
    'version_conflict',
    `The current version is ${currentVersion}. Read it, decide again, and send ` +
      `expectedVersion ${currentVersion}.`,
    { currentVersion },
  );

/**
 * Asserts that a record has the expected version. Errors: `version_conflict` with `currentVersion`.
 */
export function assertVersion({ version }: { readonly version: number }, expected: number): void {
  if (version !== expected) throw failVersionConflict(version);
}

/** Asserts that a record may get another version. Errors: `limit_exceeded` with `limit`. */
export function assertMayAddVersion(
  { version }: { readonly version: number },
  max = MAX_VERSIONS,
): void {
  if (version >= max)
    throw fail(
      'limit_exceeded',
      `This record has ${version} versions and may have ${max}. Withdraw it and make a new one.`,
      { limit: max },
    );
}

/**
 * Computes the digest of a version that its receipt contains: SHA-256 over the RFC 8785 form of
 * these three members. Anyone who may read the version can compute the same.
 */
export const computeDigest = ({
  version,
  state,
  content,
}: {
  readonly version: number;
  readonly state: string;
  readonly content: object;
}): Buffer => sha256(canonicalize({ version, state, content }) ?? '');
