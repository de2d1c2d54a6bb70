import type { Caller } from '../../kernel/callers/caller.ts';
import type { AnyOperation } from '../../kernel/operation/any-operation.ts';
import type { Environment } from '../../kernel/pipeline/environment.ts';
import { computeBodyLimit, LEAST_BODY_BYTES } from '../../kernel/schema/largest-body.ts';
import type { TSchema } from '../../kernel/schema/schema.ts';

/** The number of bytes that are read from somebody whose credential is not known to be valid. */
export const ANONYMOUS_BODY_BYTES = 64 * 1024;
/**
 * A form has a text of 64 KiB at most, each byte of which may be percent-encoded, and little else.
 * The page that refuses it repeats it.
 */
export const FORM_BODY_BYTES = 3 * 64 * 1024 + 16 * 1024;
/** The consent page takes the parameters of a request and a key or a handle. */
export const CONSENT_BODY_BYTES = 16 * 1024;
/** Bytes of one escaped byte of a guest's value, and of everything around the value. */
const GUEST_ESCAPED_BYTES = 6;
const GUEST_FRAME_BYTES = 4096;

/** Returns the number of bytes of a call that writes a guest's value. */
export const getGuestBodyLimit = ({ limits }: Environment['installation']): number =>
  Math.min(
    limits.jsonBodyBytes,
    limits.guestContextBytes * GUEST_ESCAPED_BYTES + GUEST_FRAME_BYTES,
  );

/** Returns the number of bytes that the body of a call may have, by its operation and caller. */
export function getBodyLimit(
  installation: Environment['installation'],
  { auth, body }: { readonly auth: AnyOperation['auth']; readonly body?: TSchema },
  { agent, administrator }: Caller,
): number {
  // Anyone can make the key of a guest context, so it proves nothing.
  if (auth === 'context') return getGuestBodyLimit(installation);
  if (!agent && !administrator) return ANONYMOUS_BODY_BYTES;
  return computeBodyLimit(body, LEAST_BODY_BYTES, installation.limits.jsonBodyBytes);
}
