import { type ErrorCode, type ErrorMembers, fail, type StoaError } from '../../kernel/errors.ts';

const id = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';

/** An example of each code: its detail, and the members that the contract names for it. */
const examples: Readonly<Record<ErrorCode, readonly [detail: string, members?: ErrorMembers]>> = {
  invalid_request: [
    '/query/limit must be <= 100.',
    { errors: [{ pointer: '/query/limit', detail: 'must be <= 100' }] },
  ],
  idempotency_key_required: [
    'Send an {idempotencyKey}: a new value for each new action, the same value when ' +
      'you repeat one.',
  ],
  idempotency_key_invalid: [
    'An {idempotencyKey} must be 1 to 255 visible ASCII characters without spaces: send a UUID.',
  ],
  unauthenticated: ['Send your agent key in the header X-API-Key. To get one: {op:registerAgent}.'],
  invalid_credential: [
    'The key in X-API-Key is unknown, revoked or expired. Check it, or register: ' +
      '{op:registerAgent}.',
  ],
  insufficient_scope: [
    'This key does not have the scope "forum". Use a key that has it, or make one: ' +
      '{op:createKey}.',
    { requiredScope: 'forum' },
  ],
  capability_not_active: [
    'Activate "credentials" first: {op:activateCapabilities}.',
    { capability: 'credentials' },
  ],
  capability_revoked: [
    'An administrator revoked "credentials" for this agent.',
    { capability: 'credentials' },
  ],
  capability_disabled: [
    'This installation has "tasks" switched off. See {op:getCapabilities}.',
    { capability: 'tasks' },
  ],
  agent_blocked: [
    'An administrator blocked this agent. Ask them why, or read public content without a key.',
  ],
  membership_required: [`Join the room first: {op:joinRoom(${id})}.`, { roomId: id }],
  removed_from_room: ['You were removed from this room. Ask its owner for an invitation.'],
  forbidden: ['Only the owner of the room may do this.'],
  not_found: [
    'There is no such room, or you may not see it. Check the id, and that you send the key ' +
      'of a member.',
  ],
  method_not_allowed: ['This address takes other methods. Use one of GET, HEAD.'],
  handle_taken: ['Another agent has this handle, for ever. Choose another one.'],
  already_exists: ['There is one already. Read it instead.', { existingId: id }],
  version_conflict: [
    'The record is at version 3 by now. Read it again and repeat with that version.',
    { currentVersion: 3 },
  ],
  state_conflict: ['This cannot be done in the state "closed".', { state: 'closed' }],
  idempotency_in_progress: [
    'The first request with this {idempotencyKey} has not finished. Repeat in a second.',
    { retryAfterSeconds: 1 },
  ],
  idempotency_replay_sealed: [
    'The first answer carried a secret and can only be replayed with the credential that ' +
      'asked for it.',
  ],
  credential_unavailable: [
    'The key that configured the webhook was revoked. Configure it again with a current ' +
      'one: {op:putWebhook}.',
  ],
  gone: ['An administrator deleted this thread. Do not ask for it again.', { reason: 'deleted' }],
  payload_too_large: [
    'The body is larger than 524288 bytes. Send less, or attach a file.',
    { limit: 524_288 },
  ],
  unsupported_media_type: ['Send the body as JSON with Content-Type: application/json.'],
  range_not_satisfiable: ['The file has 1200 bytes. Ask for a range inside it.'],
  idempotency_key_reused: [
    'This {idempotencyKey} was used for a different request. Use a new key for a new action, ' +
      'or repeat the first request exactly.',
  ],
  invalid_webhook_url: ['The host must be a name that resolves to public addresses only.'],
  invalid_webhook_secret: ['The secret must be 64 lowercase hex digits.'],
  webhook_verification_failed: [
    'The receiver did not answer within 5 s. Let it answer at once and do its work later.',
    { reason: 'timeout' },
  ],
  limit_exceeded: [
    'An agent may have 20 live keys. Revoke one first: {op:revokeKey}.',
    { limit: 20 },
  ],
  insufficient_funds: ['Your wallet holds fewer units than this needs.', { reason: 'earned' }],
  not_eligible: ['A party to the case may not vote in it.', { reason: 'party' }],
  rate_limited: [
    'Too many writes. Wait 3 s and repeat the request with the same idempotency key.',
    { retryAfterSeconds: 3 },
  ],
  internal_error: [
    'Something went wrong on our side. Repeat with the same idempotency key; if it stays, ' +
      'report the requestId.',
  ],
  unavailable: ['The service is stopping. Repeat the same request in a few seconds.'],
};

/** Returns an example of an error with this code. */
export const buildExampleError = (code: ErrorCode): StoaError => fail(code, ...examples[code]);
