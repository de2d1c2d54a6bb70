import { type ErrorCode, errorTable } from '../errors.ts';
import { listScopes } from '../scopes.ts';
import { type AnyOperation, isMutation, storesInput } from './any-operation.ts';

/** Lists codes that come from the edge and from identifying the caller. */
const listCallerCodes = ({ auth }: AnyOperation): ErrorCode[] => [
  'invalid_credential',
  ...(auth === 'public' ? [] : (['unauthenticated'] as const)),
  ...(auth === 'agent' || auth === 'admin' ? (['agent_blocked'] as const) : []),
  'rate_limited',
  'internal_error',
  'unavailable',
];

/** Codes after which a public read is tried as the agent whose key lacks the scope. */
export const hidingCodes: readonly ErrorCode[] = ['not_found', 'forbidden', 'unauthenticated'];

/**
 * Lists codes that come from the installation's switches, the scope and the capability. A public
 * read with a key without the right reads like anyone; it has those of the scope and the capability
 * where it can hide something.
 */
function listRightsCodes(operation: AnyOperation): ErrorCode[] {
  const { auth, feature, errors = [] } = operation;
  const scopes = listScopes(operation.scope);
  const needsCapability = scopes.length > 0 && !scopes.includes('forum');
  const explainsItself = operation.kind === 'content' && operation.disabledPage !== undefined;
  const switchable =
    !explainsItself &&
    (feature !== undefined ||
      (needsCapability && !scopes.includes('credentials') && auth !== 'admin'));
  const codes: ErrorCode[] = switchable ? ['capability_disabled'] : [];
  if (auth === 'public' && !errors.some((code) => hidingCodes.includes(code))) return codes;
  if (scopes.length > 0) codes.push('insufficient_scope');
  if (needsCapability) codes.push('capability_not_active', 'capability_revoked');
  return codes;
}

/**
 * Lists codes that every mutation can answer, because each accepts an idempotency key and reads a
 * body, even if only to refuse it.
 */
const listMutationCodes = (operation: AnyOperation): ErrorCode[] => [
  'payload_too_large',
  ...(storesInput(operation) ? (['limit_exceeded'] as const) : []),
  'unsupported_media_type',
  ...(operation.idempotency ? (['idempotency_key_required'] as const) : []),
  'idempotency_key_invalid',
  'idempotency_in_progress',
  'idempotency_key_reused',
  // Each administrator's key is a caller of its own, which no other key repeats a call of.
  ...(operation.secret && operation.auth !== 'admin'
    ? (['idempotency_replay_sealed'] as const)
    : []),
];

/**
 * Returns every code that an operation can answer: those that it declares and those of the
 * pipeline, in the order of the error table.
 */
export function listErrorCodes(operation: AnyOperation): ErrorCode[] {
  const mutationCodes = isMutation(operation) ? listMutationCodes(operation) : [];
  const rangeCodes: ErrorCode[] =
    operation.kind === 'content' && operation.ranges ? ['range_not_satisfiable'] : [];
  const codes = new Set<ErrorCode>([
    // No operation takes a query that cannot be decoded.
    'invalid_request',
    ...listCallerCodes(operation),
    ...listRightsCodes(operation),
    ...mutationCodes,
    ...rangeCodes,
    ...(operation.errors ?? []),
  ]);
  return (Object.keys(errorTable) as ErrorCode[]).filter((code) => codes.has(code));
}
