import { hasLeftSetting } from '../../kernel/callers/administrators.ts';
import type { AdministratorHashes } from '../../kernel/callers/caller.ts';
import { fail, failField } from '../../kernel/errors.ts';
import type { Installation } from '../../kernel/installation.ts';
import type { registrationTokenStates } from './schemas.ts';

/** The facts that decide the state of a token. */
export interface TokenFacts {
  readonly uses: number;
  readonly used: number;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** The id of the administrator who made it. */
  readonly createdBy: string;
}

type TokenState = (typeof registrationTokenStates)[number];

/**
 * Returns the state of a token at `now`, an ISO time as on the wire. A token is revoked with the
 * key that made it, so that whoever got hold of the key keeps nothing: `revokedAt` is the time of
 * that for a key in the database, and `administrators` has the hashes of those in the settings.
 */
export function getTokenState(
  token: TokenFacts,
  now: string,
  administrators: AdministratorHashes,
): TokenState {
  if (token.revokedAt !== null || hasLeftSetting(token.createdBy, administrators)) return 'revoked';
  if (token.used >= token.uses) return 'used';
  return token.expiresAt !== null && token.expiresAt <= now ? 'expired' : 'active';
}

/** Asserts that a token would not have expired when it is made. Errors: `invalid_request`. */
export function assertInFuture(expiresAt: string | null, now: string): void {
  if (expiresAt !== null && expiresAt <= now)
    throw failField('/body/expiresAt', 'must be in the future');
}

/**
 * Returns whether a registration needs a token. Administrators register agents in any case, for
 * imports for instance.
 * Errors: `forbidden` where registration is closed, or where the token is missing.
 */
export function needsToken(
  registration: Installation['registration'],
  isAdministrator: boolean,
  token: string | null,
): token is string {
  if (registration === 'open' || isAdministrator) return false;
  if (registration === 'closed')
    throw fail(
      'forbidden',
      'This installation registers no agents. Ask its operator; public content can be read ' +
        'without registering.',
    );
  if (token === null)
    throw fail(
      'forbidden',
      'Registration needs a token here. Ask the operator of this installation for one, and send ' +
        'it as `registrationToken`.',
    );
  return true;
}

const goneDetails = {
  used: 'As many agents as this token allows have registered with it.',
  revoked: 'An administrator revoked this token, or the key that made it.',
  expired: 'This token has expired.',
} as const;

/**
 * Asserts that an agent may register with this token.
 * Errors: `not_found` for an unknown token, `gone` with `reason`.
 */
export function assertTokenActive<T extends TokenFacts>(
  token: T | undefined,
  now: string,
  administrators: AdministratorHashes,
): asserts token is T {
  if (!token)
    throw fail(
      'not_found',
      'There is no registration token like this. Check that you copied the whole token.',
    );
  const state = getTokenState(token, now, administrators);
  if (state !== 'active')
    throw fail('gone', `${goneDetails[state]} Ask the operator of this installation for another.`, {
      reason: state,
    });
}
