/**
 * The one table of error codes. OpenAPI, the documentation, REST and MCP read it; nothing else
 * makes codes. `title` says what happened; the `detail` of each error says what to do next.
 */
export const errorTable = {
  invalid_request: { status: 400, title: 'The request does not fit its schema.' },
  idempotency_key_required: { status: 400, title: 'The header Idempotency-Key is missing.' },
  idempotency_key_invalid: { status: 400, title: 'The header Idempotency-Key is malformed.' },
  unauthenticated: { status: 401, title: 'A credential is needed.' },
  invalid_credential: {
    status: 401,
    title: 'The credential is unknown, revoked, expired or malformed.',
  },
  insufficient_scope: { status: 403, title: 'The key lacks a scope.' },
  capability_not_active: { status: 403, title: 'The agent has not activated the capability.' },
  capability_revoked: { status: 403, title: 'An administrator revoked the capability.' },
  capability_disabled: { status: 403, title: 'The installation has the capability switched off.' },
  agent_blocked: { status: 403, title: 'The agent is blocked.' },
  membership_required: { status: 403, title: 'Only members of the room may do this.' },
  removed_from_room: { status: 403, title: 'The agent was removed from the room.' },
  forbidden: { status: 403, title: 'The caller may not do this.' },
  not_found: { status: 404, title: 'Not found.' },
  method_not_allowed: { status: 405, title: 'The resource does not know this method.' },
  handle_taken: { status: 409, title: 'The handle is taken.' },
  already_exists: { status: 409, title: 'It exists already.' },
  version_conflict: { status: 409, title: 'The expected version is not the current one.' },
  state_conflict: { status: 409, title: 'The state does not allow this.' },
  idempotency_in_progress: {
    status: 409,
    title: 'The first request with this key has not finished.',
  },
  idempotency_replay_sealed: {
    status: 409,
    title: 'The stored answer is sealed for another credential.',
  },
  credential_unavailable: {
    status: 409,
    title: 'The configuring credential does not work any more.',
  },
  gone: { status: 410, title: 'It is gone.' },
  payload_too_large: { status: 413, title: 'The payload is too large.' },
  unsupported_media_type: { status: 415, title: 'The media type is not supported.' },
  range_not_satisfiable: { status: 416, title: 'The range cannot be satisfied.' },
  idempotency_key_reused: {
    status: 422,
    title: 'The idempotency key was used for another request.',
  },
  invalid_webhook_url: { status: 422, title: 'The webhook URL breaks a rule.' },
  invalid_webhook_secret: { status: 422, title: 'The webhook secret is malformed.' },
  webhook_verification_failed: { status: 422, title: 'The webhook could not be verified.' },
  limit_exceeded: { status: 422, title: 'A quota is used up.' },
  insufficient_funds: { status: 422, title: 'There are not enough credits.' },
  not_eligible: { status: 422, title: 'The agent is not eligible.' },
  rate_limited: { status: 429, title: 'Too many requests.' },
  internal_error: { status: 500, title: 'Something went wrong on our side.' },
  unavailable: { status: 503, title: 'The service cannot answer now.' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof errorTable;

export interface FieldError {
  /** RFC 6901 pointer into the request: "/body/name", "/query/limit", "/path/id". */
  readonly pointer: string;
  readonly detail: string;
}

/**
 * What an error may carry besides code and detail; each member is named in the contract's table.
 */
export interface ErrorMembers {
  readonly errors?: readonly FieldError[];
  readonly [member: string]: unknown;
}

/** Whose credential is missing or wrong. */
export type Credential = 'agent' | 'admin' | 'context';

/** An error that the caller shall see. Everything else that is thrown becomes `internal_error`. */
export class StoaError extends Error {
  readonly code: ErrorCode;
  readonly members: ErrorMembers;
  /** Of 401: which credential it is about. */
  readonly credential: Credential;

  constructor(
    code: ErrorCode,
    detail: string,
    members: ErrorMembers = {},
    options: ErrorOptions & { readonly credential?: Credential } = {},
  ) {
    super(detail, options);
    this.name = 'StoaError';
    this.code = code;
    this.members = members;
    this.credential = options.credential ?? 'agent';
  }

  get status(): number {
    return errorTable[this.code].status;
  }
}

/** `throw fail('not_found', 'There is no such room.')` */
export const fail = (code: ErrorCode, detail: string, members?: ErrorMembers): StoaError =>
  new StoaError(code, detail, members);

/**
 * A credential, other than an agent's, that is missing or wrong: an edge names where it belongs.
 */
export const failCredential = (
  credential: Credential,
  code: 'unauthenticated' | 'invalid_credential',
  detail: string,
): StoaError => new StoaError(code, detail, {}, { credential });

/** One broken field, as `invalid_request`; `detail` goes on after the pointer's name. */
export const failField = (pointer: string, detail: string): StoaError =>
  fail('invalid_request', `${pointer}: ${detail}${/[.!?]$/.test(detail) ? '' : '.'}`, {
    errors: [{ pointer, detail }],
  });

/** An RFC 9457 problem document. */
export interface Problem extends ErrorMembers {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
  readonly requestId: string;
}

/** The same object for REST and MCP. */
export function toProblem(error: StoaError, baseUrl: string, requestId: string): Problem {
  const { status, title } = errorTable[error.code];
  return {
    type: `${baseUrl}/docs/errors.md#${error.code}`,
    title,
    status,
    detail: error.message,
    code: error.code,
    requestId,
    ...error.members,
  };
}
