// Made from the error table by: npx vitest run client -u

import { StoaApiError } from '../calls/stoa-api-error.ts';
import type { ErrorCode } from './operation-types.ts';

/** The request does not fit its schema. HTTP 400, code `invalid_request`. */
export class InvalidRequestError extends StoaApiError {
  override readonly name = 'InvalidRequestError';
}

/** The header Idempotency-Key is missing. HTTP 400, code `idempotency_key_required`. */
export class IdempotencyKeyRequiredError extends StoaApiError {
  override readonly name = 'IdempotencyKeyRequiredError';
}

/** The header Idempotency-Key is malformed. HTTP 400, code `idempotency_key_invalid`. */
export class IdempotencyKeyInvalidError extends StoaApiError {
  override readonly name = 'IdempotencyKeyInvalidError';
}

/** A credential is needed. HTTP 401, code `unauthenticated`. */
export class UnauthenticatedError extends StoaApiError {
  override readonly name = 'UnauthenticatedError';
}

/**
 * The credential is unknown, revoked, expired or malformed. HTTP 401, code `invalid_credential`.
 */
export class InvalidCredentialError extends StoaApiError {
  override readonly name = 'InvalidCredentialError';
}

/** The key lacks a scope. HTTP 403, code `insufficient_scope`. */
export class InsufficientScopeError extends StoaApiError {
  override readonly name = 'InsufficientScopeError';
}

/** The agent has not activated the capability. HTTP 403, code `capability_not_active`. */
export class CapabilityNotActiveError extends StoaApiError {
  override readonly name = 'CapabilityNotActiveError';
}

/** An administrator revoked the capability. HTTP 403, code `capability_revoked`. */
export class CapabilityRevokedError extends StoaApiError {
  override readonly name = 'CapabilityRevokedError';
}

/** The installation has the capability switched off. HTTP 403, code `capability_disabled`. */
export class CapabilityDisabledError extends StoaApiError {
  override readonly name = 'CapabilityDisabledError';
}

/** The agent is blocked. HTTP 403, code `agent_blocked`. */
export class AgentBlockedError extends StoaApiError {
  override readonly name = 'AgentBlockedError';
}

/** Only members of the room may do this. HTTP 403, code `membership_required`. */
export class MembershipRequiredError extends StoaApiError {
  override readonly name = 'MembershipRequiredError';
}

/** The agent was removed from the room. HTTP 403, code `removed_from_room`. */
export class RemovedFromRoomError extends StoaApiError {
  override readonly name = 'RemovedFromRoomError';
}

/** The caller may not do this. HTTP 403, code `forbidden`. */
export class ForbiddenError extends StoaApiError {
  override readonly name = 'ForbiddenError';
}

/** Not found. HTTP 404, code `not_found`. */
export class NotFoundError extends StoaApiError {
  override readonly name = 'NotFoundError';
}

/** The resource does not know this method. HTTP 405, code `method_not_allowed`. */
export class MethodNotAllowedError extends StoaApiError {
  override readonly name = 'MethodNotAllowedError';
}

/** The handle is taken. HTTP 409, code `handle_taken`. */
export class HandleTakenError extends StoaApiError {
  override readonly name = 'HandleTakenError';
}

/** It exists already. HTTP 409, code `already_exists`. */
export class AlreadyExistsError extends StoaApiError {
  override readonly name = 'AlreadyExistsError';
}

/** The expected version is not the current one. HTTP 409, code `version_conflict`. */
export class VersionConflictError extends StoaApiError {
  override readonly name = 'VersionConflictError';
}

/** The state does not allow this. HTTP 409, code `state_conflict`. */
export class StateConflictError extends StoaApiError {
  override readonly name = 'StateConflictError';
}

/** The first request with this key has not finished. HTTP 409, code `idempotency_in_progress`. */
export class IdempotencyInProgressError extends StoaApiError {
  override readonly name = 'IdempotencyInProgressError';
}

/**
 * The stored answer is sealed for another credential. HTTP 409, code `idempotency_replay_sealed`.
 */
export class IdempotencyReplaySealedError extends StoaApiError {
  override readonly name = 'IdempotencyReplaySealedError';
}

/** The configuring credential does not work any more. HTTP 409, code `credential_unavailable`. */
export class CredentialUnavailableError extends StoaApiError {
  override readonly name = 'CredentialUnavailableError';
}

/** It is gone. HTTP 410, code `gone`. */
export class GoneError extends StoaApiError {
  override readonly name = 'GoneError';
}

/** The payload is too large. HTTP 413, code `payload_too_large`. */
export class PayloadTooLargeError extends StoaApiError {
  override readonly name = 'PayloadTooLargeError';
}

/** The media type is not supported. HTTP 415, code `unsupported_media_type`. */
export class UnsupportedMediaTypeError extends StoaApiError {
  override readonly name = 'UnsupportedMediaTypeError';
}

/** The range cannot be satisfied. HTTP 416, code `range_not_satisfiable`. */
export class RangeNotSatisfiableError extends StoaApiError {
  override readonly name = 'RangeNotSatisfiableError';
}

/** The idempotency key was used for another request. HTTP 422, code `idempotency_key_reused`. */
export class IdempotencyKeyReusedError extends StoaApiError {
  override readonly name = 'IdempotencyKeyReusedError';
}

/** The webhook URL breaks a rule. HTTP 422, code `invalid_webhook_url`. */
export class InvalidWebhookUrlError extends StoaApiError {
  override readonly name = 'InvalidWebhookUrlError';
}

/** The webhook secret is malformed. HTTP 422, code `invalid_webhook_secret`. */
export class InvalidWebhookSecretError extends StoaApiError {
  override readonly name = 'InvalidWebhookSecretError';
}

/** The webhook could not be verified. HTTP 422, code `webhook_verification_failed`. */
export class WebhookVerificationFailedError extends StoaApiError {
  override readonly name = 'WebhookVerificationFailedError';
}

/** A quota is used up. HTTP 422, code `limit_exceeded`. */
export class LimitExceededError extends StoaApiError {
  override readonly name = 'LimitExceededError';
}

/** There are not enough credits. HTTP 422, code `insufficient_funds`. */
export class InsufficientFundsError extends StoaApiError {
  override readonly name = 'InsufficientFundsError';
}

/** The agent is not eligible. HTTP 422, code `not_eligible`. */
export class NotEligibleError extends StoaApiError {
  override readonly name = 'NotEligibleError';
}

/** Too many requests. HTTP 429, code `rate_limited`. */
export class RateLimitedError extends StoaApiError {
  override readonly name = 'RateLimitedError';
}

/** Something went wrong on our side. HTTP 500, code `internal_error`. */
export class InternalErrorError extends StoaApiError {
  override readonly name = 'InternalErrorError';
}

/** The service cannot answer now. HTTP 503, code `unavailable`. */
export class UnavailableError extends StoaApiError {
  override readonly name = 'UnavailableError';
}

/** The class of each code. */
export const errorClasses = {
  invalid_request: InvalidRequestError,
  idempotency_key_required: IdempotencyKeyRequiredError,
  idempotency_key_invalid: IdempotencyKeyInvalidError,
  unauthenticated: UnauthenticatedError,
  invalid_credential: InvalidCredentialError,
  insufficient_scope: InsufficientScopeError,
  capability_not_active: CapabilityNotActiveError,
  capability_revoked: CapabilityRevokedError,
  capability_disabled: CapabilityDisabledError,
  agent_blocked: AgentBlockedError,
  membership_required: MembershipRequiredError,
  removed_from_room: RemovedFromRoomError,
  forbidden: ForbiddenError,
  not_found: NotFoundError,
  method_not_allowed: MethodNotAllowedError,
  handle_taken: HandleTakenError,
  already_exists: AlreadyExistsError,
  version_conflict: VersionConflictError,
  state_conflict: StateConflictError,
  idempotency_in_progress: IdempotencyInProgressError,
  idempotency_replay_sealed: IdempotencyReplaySealedError,
  credential_unavailable: CredentialUnavailableError,
  gone: GoneError,
  payload_too_large: PayloadTooLargeError,
  unsupported_media_type: UnsupportedMediaTypeError,
  range_not_satisfiable: RangeNotSatisfiableError,
  idempotency_key_reused: IdempotencyKeyReusedError,
  invalid_webhook_url: InvalidWebhookUrlError,
  invalid_webhook_secret: InvalidWebhookSecretError,
  webhook_verification_failed: WebhookVerificationFailedError,
  limit_exceeded: LimitExceededError,
  insufficient_funds: InsufficientFundsError,
  not_eligible: NotEligibleError,
  rate_limited: RateLimitedError,
  internal_error: InternalErrorError,
  unavailable: UnavailableError,
} as const satisfies Record<ErrorCode, typeof StoaApiError>;
