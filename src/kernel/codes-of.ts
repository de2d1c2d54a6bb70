import { type ErrorCode, errorTable } from './errors.ts';
import { isMutation, type Operation, type StreamOperation } from './operation.ts';

/** From the edge and the credential: everything before it is known what the agent may do. */
const ofCaller = ({ auth }: Operation | StreamOperation): ErrorCode[] => [
  // Also where nothing is taken: an unknown query member is refused.
  'invalid_request',
  'invalid_credential',
  ...(auth === 'public' ? [] : (['unauthenticated', 'agent_blocked'] as const)),
  'rate_limited',
  'internal_error',
  'unavailable',
];

/** From the installation's switches, the scope and the capability. A public read with too little right reads as anyone does. */
function ofRights({ auth, scope, feature }: Operation | StreamOperation): ErrorCode[] {
  const capability = scope !== undefined && scope !== 'forum';
  const switchable = feature !== undefined || (capability && scope !== 'credentials' && auth !== 'admin');
  const codes: ErrorCode[] = switchable ? ['capability_disabled'] : [];
  if (scope && auth !== 'public') codes.push('insufficient_scope');
  if (capability && auth !== 'public') codes.push('capability_not_active', 'capability_revoked');
  return codes;
}

/** From what every mutation accepts: a body (refused where none is taken, but read) and an idempotency key. */
const ofMutation = (operation: Operation | StreamOperation): ErrorCode[] => [
  'payload_too_large',
  'unsupported_media_type',
  ...(operation.idempotency ? (['idempotency_key_required'] as const) : []),
  'idempotency_key_invalid',
  'idempotency_in_progress',
  'idempotency_key_reused',
  ...(operation.secret ? (['idempotency_replay_sealed'] as const) : []),
];

/** Every code that an operation can really answer: those it declares and those that follow from the pipeline, in the table's order. */
export function codesOf(operation: Operation | StreamOperation): ErrorCode[] {
  const ofKind = isMutation(operation) ? ofMutation(operation) : [];
  const codes = new Set([...ofCaller(operation), ...ofRights(operation), ...ofKind, ...(operation.errors ?? [])]);
  return (Object.keys(errorTable) as ErrorCode[]).filter((code) => codes.has(code));
}
