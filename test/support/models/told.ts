import canonicalize from 'canonicalize';
import type { Call, Model } from '../linearizability.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read as an agent would.
type Json = any;

/** The last answer to a call that was repeated with one idempotency key. Times in milliseconds. */
export interface Answered {
  /** 0 when there never was an answer. */
  readonly status: number;
  readonly body: Json;
  readonly start: number;
  readonly end: number;
  readonly attempts: number;
  /** When the attempt that was answered went out, where that is known. */
  readonly sentAt?: number;
}

/** The outcome of a call whose answer never came. */
export const UNKNOWN = 'unknown';

/** An operation with what its caller was told, as a short text. */
export interface Told {
  readonly kind: string;
  readonly outcome: string;
}

/** A way that an operation can go in a state: the state that it leads to, and what is told. */
export type Way<State> = readonly [State, string];

/** What the objects of a kind do when one caller uses them. States are values of JSON. */
export interface Specification<State, Operation extends Told> {
  readonly initial: State;
  /** The ways that an operation can go. More than one only where the service chooses names. */
  apply(state: State, operation: Operation): readonly Way<State>[];
  /** The kinds of operations that change nothing. */
  readonly reads: readonly Operation['kind'][];
  partition?(operation: Operation): string;
}

/** Builds the model that allows the answers of a specification, and any where none came. */
export function buildModel<State, Operation extends Told>(
  specification: Specification<State, Operation>,
): Model<State, Operation> {
  const { initial, apply, reads, partition } = specification;
  return {
    initial,
    next: (state, { operation }) =>
      apply(state, operation)
        .filter(([, outcome]) => operation.outcome === UNKNOWN || operation.outcome === outcome)
        .map(([next]) => next),
    describe: (state) => canonicalize(state) ?? '',
    isRead: ({ kind }) => reads.includes(kind),
    ...(partition && { partition }),
  };
}

/** Tells an answer: what `tellSuccess` makes of a body, or the code with what it names. */
export function tell(
  { status, body }: Pick<Answered, 'status' | 'body'>,
  tellSuccess: (body: Json) => unknown,
): string {
  if (status === 0) return UNKNOWN;
  if (status === 200) return String(tellSuccess(body));
  const { code, currentVersion, state, reason, existingId } = body;
  return [code, currentVersion, state, reason, existingId]
    .filter((one) => one !== undefined && one !== null)
    .join(' ');
}

/**
 * Notes a call that may have changed something. Where an attempt without an answer came before a
 * refusal, that attempt may still be under way, and is noted as one that was never answered.
 */
export function noteChange<Operation extends Told>(
  calls: Call<Operation>[],
  { status, attempts, start, end }: Omit<Answered, 'body'>,
  operation: Operation,
): void {
  calls.push({ operation, start, end: status === 0 ? Infinity : end });
  if (status !== 0 && status !== 200 && attempts > 1)
    calls.push({ operation: { ...operation, outcome: UNKNOWN }, start, end: Infinity });
}

/** Notes a read by its last attempt. One without an answer tells nothing. */
export function noteRead<Operation extends Told>(
  calls: Call<Operation>[],
  { status, start, end, sentAt = start }: Omit<Answered, 'body'>,
  operation: Operation,
): void {
  if (status !== 0) calls.push({ operation, start: sentAt, end });
}
