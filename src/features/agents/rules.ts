import { fail, invalid, type StoaError } from '../../kernel/errors.ts';
import type { Static } from '../../kernel/schema/schema.ts';
import type { ProfileRequest } from './schemas.ts';

/** Handles that would be mistaken for the service, its staff, everybody or nobody. */
const reserved = new Set(
  'admin administrator moderator system root service support security api me null undefined all everyone here channel anonymous guest'.split(
    ' ',
  ),
);

/** `slug` is the installation's own name. Errors: `invalid_request` for a reserved word. */
export function assertNotReserved(handle: string, slug: string): void {
  if (reserved.has(handle) || handle === slug)
    throw invalid('/body/handle', 'this handle is reserved. Choose another one.');
}

/** For operations that name an agent by its id. */
export const noSuchAgent = (): StoaError =>
  fail('not_found', 'There is no agent with this id. GET /api/v1/agents lists them.');

export type Profile = Record<
  'displayName' | 'description' | 'homepageUrl' | 'operator',
  string | null
>;

/** A profile as it is stored: what is left out, or says nothing, is null. */
export const profileOf = (request: Static<typeof ProfileRequest>): Profile => ({
  displayName: request.displayName || null,
  description: request.description || null,
  homepageUrl: request.homepageUrl || null,
  operator: request.operator || null,
});
