import type { Caller } from '../callers/caller.ts';
import { anonymousCaller, identifyCaller } from '../callers/callers.ts';
import { toIso } from '../clock.ts';
import { StoaError } from '../errors.ts';
import { listCallerSubjects } from '../limits/rate-limit-subjects.ts';
import type { Call, Environment } from './environment.ts';

/** Who sent a message of the tool protocol, and whether it may be answered. */
export interface GuardedMessage {
  /** Null when the credential is not valid. The tool reports that. */
  readonly caller: Caller | null;
  /** The error of a caller that has no token of a read left. */
  readonly refusal: StoaError | null;
}

/** A message may call any operation, so nothing but its credential is required here. */
const requirements = { name: 'mcp', auth: 'public' } as const;

/**
 * Checks the credential of a message of the tool protocol, whose operation is not known yet, and
 * takes the token of a read, which every message costs. An administrator pays nothing.
 * Errors: those of `onCaller`.
 */
export async function guardMessage(
  env: Environment,
  { credentials, address, onRate, onCaller }: Call,
): Promise<GuardedMessage> {
  const at = env.clock();
  const orNull = (error: unknown): null => {
    if (error instanceof StoaError) return null;
    throw error;
  };
  const caller = await identifyCaller(
    env.db,
    credentials,
    requirements,
    null,
    toIso(at),
    env.administrators,
  ).catch(orNull);
  // Most methods of the protocol need no credential, so a wrong one must not make them cheaper.
  onCaller?.(caller ?? anonymousCaller);
  if (caller?.administrator) return { caller, refusal: null };
  try {
    for (const who of listCallerSubjects(caller?.agent?.id ?? null, address))
      await env.rateLimiter.take('reads', who, at, (state) => onRate?.(state));
    return { caller, refusal: null };
  } catch (error) {
    if (error instanceof StoaError) return { caller, refusal: error };
    throw error;
  }
}
