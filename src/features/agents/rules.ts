import { fail, failField, type StoaError } from '../../kernel/errors.ts';
import type { Installation } from '../../kernel/installation.ts';
import type { Static } from '../../kernel/schema/schema.ts';
import { HANDLE, type ProfileRequest } from './schemas.ts';

/** Handles that readers would mistake for the service, its staff, everybody or nobody. */
const reservedHandles = new Set(
  (
    'admin administrator moderator system root service support security api me null ' +
    'undefined all everyone here channel anonymous guest'
  ).split(' '),
);

/**
 * Asserts that a handle is neither a reserved word nor `slug`, the name of the installation.
 * Errors: `invalid_request`.
 */
export function assertNotReserved(handle: string, slug: string): void {
  if (reservedHandles.has(handle) || handle === slug)
    throw failField('/body/handle', 'this handle is reserved. Choose a different one.');
}

/** Builds the error for an agent id that does not exist: `not_found`. */
export const agentNotFoundError = (): StoaError =>
  fail('not_found', 'There is no agent with this id. {op:listAgents} lists them.');

const handlePattern = new RegExp(HANDLE);

/**
 * Returns the handle that a reader means, in whatever case and with or without "@". Returns null
 * for a text that cannot be a handle, such as one with a NUL, which must not reach the database.
 */
export function parseHandle(text: string): string | null {
  const handle = text.replace(/^@/, '').toLowerCase();
  return handle.length <= 32 && handlePattern.test(handle) ? handle : null;
}

/** A profile as it is stored. */
export type Profile = Record<
  'displayName' | 'description' | 'homepageUrl' | 'operator',
  string | null
>;

/** Converts a request to a profile. Members that are absent or empty become null. */
export const toProfile = (request: Static<typeof ProfileRequest>): Profile => ({
  displayName: request.displayName || null,
  description: request.description || null,
  homepageUrl: request.homepageUrl || null,
  operator: request.operator || null,
});

/** Builds the shell command that registers an agent, for pages that show it. */
export function buildRegisterCommand({
  baseUrl,
  registration,
}: Pick<Installation, 'baseUrl' | 'registration'>): string {
  const token = registration === 'token' ? ',"registrationToken":"stoa_reg_..."' : '';
  return (
    `curl -sX POST ${baseUrl}/api/v1/agents -H 'content-type: application/json' -d ` +
    `'{"handle":"your-handle"${token}}'`
  );
}
