import type { Json, Sent } from '../faults/send.ts';
import type { ClaimOutcome } from './claim-model.ts';

/** Reads what came of a claim of one request. */
export const readOutcome = ({ status, body }: Sent): ClaimOutcome => {
  if (status === 200)
    return { is: 'taken', fence: body.fence, expiresAt: Date.parse(body.expiresAt) };
  if (status === 0) return { is: 'unknown' };
  if (body.reason === 'lost') return { is: 'lost' };
  return { is: body.state === 'answered' ? 'over' : 'held' };
};

/** A claim that was taken. */
export interface Taken {
  readonly fence: number;
  readonly expiresAt: number;
}

/** Reads a claim in any of the forms that the service has for it. */
export function readClaim(item: Json): Taken {
  const { fence, expiresAt } = item.claim ?? item;
  return { fence, expiresAt: Date.parse(expiresAt) };
}
