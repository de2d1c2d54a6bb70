import { type ErrorCode, errorTable } from '../errors.ts';
import { type AnyOperation, ignoresUnknownQuery, isMutation } from './any-operation.ts';

/** From the edge and the credential: everything before it is known what the agent may do. */
const listCallerCodes = ({ auth }: AnyOperation): ErrorCode[] => [
  'invalid_credential',
  ...(auth === 'public' ? [] : (['unauthenticated'] as const)),
  ...(auth === 'agent' || auth === 'admin' ? (['agent_blocked'] as const) : []),
  'rate_limited',
  'internal_error',
  'unavailable',
];

/** Also where nothing is taken: an unknown query member is refused, but by pages. */
const listInputCodes = (operation: AnyOperation): ErrorCode[] =>
  ignoresUnknownQuery(operation) && !operation.params && !operation.query
    ? []
    : ['invalid_request'];

/**
 * From the installation's switches, the scope and the capability. A public read with too little
 * right reads as anyone does.
 */
function listRightsCodes(operation: AnyOperation): ErrorCode[] {
  const { auth, scope, feature } = operation;
  const capability = scope !== undefined && scope !== 'forum';
  const explainsItself = operation.kind === 'content' && operation.disabledPage !== undefined;
  const switchable =
    !explainsItself &&
    (feature !== undefined || (capability && scope !== 'credentials' && auth !== 'admin'));
  const codes: ErrorCode[] = switchable ? ['capability_disabled'] : [];
  if (scope && auth !== 'public') codes.push('insufficient_scope');
  if (capability && auth !== 'public') codes.push('capability_not_active', 'capability_revoked');
  return codes;
}

/**
 * From what every mutation accepts: a body (refused where none is taken, but read) and an
 * idempotency key.
 */
const listMutationCodes = (operation: AnyOperation): ErrorCode[] => [
  'payload_too_large',
  'unsupported_media_type',
  ...(operation.idempotency ? (['idempotency_key_required'] as const) : []),
  'idempotency_key_invalid',
  'idempotency_in_progress',
  'idempotency_key_reused',
  ...(operation.secret ? (['idempotency_replay_sealed'] as const) : []),
];

/**
 * Every code that an operation can really answer: those it declares and those that follow from the
 * pipeline, in the table's order.
 */
export function listErrorCodes(operation: AnyOperation): ErrorCode[] {
  const mutationCodes = isMutation(operation) ? listMutationCodes(operation) : [];
  const rangeCodes: ErrorCode[] =
    operation.kind === 'content' && operation.ranges ? ['range_not_satisfiable'] : [];
  const codes = new Set([
    ...listInputCodes(operation),
    ...listCallerCodes(operation),
    ...listRightsCodes(operation),
    ...mutationCodes,
    ...rangeCodes,
    ...(operation.errors ?? []),
  ]);
  return (Object.keys(errorTable) as ErrorCode[]).filter((code) => codes.has(code));
}
