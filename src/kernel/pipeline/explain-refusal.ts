import type { Agent, GuardedCall } from '../callers/caller.ts';
import { type ErrorCode, StoaError } from '../errors.ts';
import { hidingCodes } from '../operation/error-codes.ts';
import type { HandlerContext } from './handler-context.ts';

/** Returns the code with which a read fails, or null when it succeeds. */
const findCode = (reading: Promise<unknown>): Promise<ErrorCode | null> =>
  reading.then(
    () => null,
    (error: unknown) => {
      if (error instanceof StoaError) return error.code;
      throw error;
    },
  );

/**
 * Runs a public read. With a key without the right it reads like anyone. If that is refused, it is
 * tried as the key's agent: an agent whom the thing concerns learns what its key lacks, and anyone
 * else gets the answer that there is no such thing, at the same cost.
 * Errors: those of the read; `insufficient_scope`, `capability_not_active`, `capability_revoked`.
 */
export async function readOrExplain<Result>(
  { refusal, caller }: Pick<GuardedCall, 'refusal' | 'caller'>,
  context: HandlerContext,
  read: (context: HandlerContext) => Promise<Result>,
): Promise<Result> {
  if (!refusal) return read(context);
  try {
    return await read(context);
  } catch (error) {
    if (!(error instanceof StoaError) || !hidingCodes.includes(error.code)) throw error;
    const asAgent = { ...context, reply: {}, agent: caller.agent as Agent };
    throw (await findCode(read(asAgent))) === error.code ? error : refusal;
  }
}
