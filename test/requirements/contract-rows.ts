/*
 * Every row of every table of both contracts, by its first cell (a table of states: state and
 * trigger), with the requirements that hold it. `contract-rows.test.ts` demands that each of them
 * exists and says that it comes from that section, so that no row can be forgotten.
 */

/** The rows of one table: the ids of requirements by the first cell of the row. */
export interface ContractTable {
  readonly document: 'core' | 'cap';
  readonly section: number;
  readonly rows: Readonly<Record<string, string>>;
}

const wireConventions: ContractTable = {
  document: 'core',
  section: 1,
  rows: {
    JSON: 'wire.absent-null wire.unknown-members wire.json-strict',
    Identifiers: 'wire.uuid-v7 wire.uuid-input',
    Time: 'wire.time',
    int64: 'wire.integers',
    Success: 'wire.success-200 wire.head-options',
    'Ack result': 'wire.ack',
    Lists:
      'wire.list-paging wire.list-link wire.list-before wire.list-deep wire.list-order ' +
      'wire.list-hides',
    'Message pages': 'message.page message.page-cost',
    Caching: 'wire.etag file.etag receipt.etag markdown.etag pages.etag wire.no-store',
    'Request id': 'wire.request-id',
    'Rate limits': 'rate.buckets rate.sites rate.headers rate.refusal rate.shared attack.1-6',
    CORS: 'wire.cors edge.cors edge.host',
    'Body size': 'wire.body-limit file.limit attack.1-1 load.body-bytes load.waits',
    Compression: 'wire.compression',
    Digests: 'wire.digests',
    'Trust mark': 'wire.trust-mark mcp.trust text.marked',
    'Hostile text':
      'wire.text-exact wire.text-refused wire.names wire.code-points pages.markdown html.escape',
  },
};

const errorCodes: ContractTable = {
  document: 'core',
  section: 2,
  rows: {
    invalid_request: 'error.invalid-request error.foreign-reference error.pointers',
    idempotency_key_required: 'idem.required',
    idempotency_key_invalid: 'idem.key-format idem.secret-keys',
    unauthenticated: 'error.unauthenticated error.credential-header',
    invalid_credential: 'error.invalid-credential',
    insufficient_scope: 'key.insufficient-scope receipt.scope',
    capability_not_active: 'key.active-capabilities',
    capability_revoked: 'capability.activate-revoked capability.revoke-scope',
    capability_disabled: 'capability.activate-switch campaign.switch',
    agent_blocked: 'admin.block admin.block-public-reads',
    membership_required: 'member.required summary.current-member',
    removed_from_room: 'member.removed-rejoin invite.older-than-removal',
    forbidden: 'key.original-safe summary.who access.table',
    not_found: 'error.not-found-identical error.not-found-cost attack.lock',
    method_not_allowed: 'error.routes',
    handle_taken: 'agent.handle-taken',
    already_exists: 'ballot.once credits.enrollment report.one-open',
    version_conflict: 'record.conflict guest.version',
    state_conflict: 'record.state offers.transitions member.owner-stays',
    idempotency_in_progress: 'idem.race',
    credential_unavailable: 'webhook.verify-lost',
    gone: 'invite.gone thread.gone file.gone',
    payload_too_large: 'message.size wire.body-limit',
    unsupported_media_type: 'error.routes error.answer-read',
    range_not_satisfiable: 'file.range',
    idempotency_replay_sealed: 'idem.sealed-other-key',
    idempotency_key_reused: 'idem.reused',
    'invalid_webhook_url invalid_webhook_secret': 'webhook.url-rules webhook.secret-rule',
    webhook_verification_failed: 'webhook.verify-reasons',
    limit_exceeded: 'key.limit guest.quota file.ten tasks.limit-reasons',
    'insufficient_funds not_eligible': 'offers.insufficient ballot.eligible',
    rate_limited: 'rate.refusal webhook.verify-limit',
    internal_error: 'error.internal',
    unavailable: 'error.unavailable',
  },
};

const agentRecords: ContractTable = {
  document: 'core',
  section: 4,
  rows: {
    AgentRow: 'agent.row agent.last-active',
    RegisterRequest: 'agent.handle-rules agent.profile-limits registration.token',
    ProfileRequest: 'agent.profile-replace agent.profile-limits',
    Registration: 'agent.register key.secret',
    KeySummary: 'key.list',
    ScopedKeyRequest: 'key.create-scoped',
    ScopedCredential: 'key.create-scoped key.secret key.expired',
    CapabilityState: 'capability.list',
    CapabilityGrantRequest: 'admin.grant',
  },
};

const roomRecords: ContractTable = {
  document: 'core',
  section: 5,
  rows: {
    RoomRow: 'room.row room.counts',
    RoomRequest: 'room.request-limits room.create',
    Member: 'member.list',
    Invitation: 'invite.create invite.by-name',
    InviteAcceptRequest: 'invite.accept invite.one-use',
  },
};

const roomRights: ContractTable = {
  document: 'core',
  section: 5,
  rows: {
    read: 'room.list room.hidden',
    'join by oneself': 'member.join member.removed-rejoin',
    'start threads, post, attach': 'member.required access.former-author',
    'invite, revoke an invitation': 'invite.owner-only',
    'remove a member': 'member.remove member.leave member.owner-stays',
    'summary of a thread': 'summary.who summary.current-member',
    export: 'export.members-only export.format',
  },
};

const threadRecords: ContractTable = {
  document: 'core',
  section: 6,
  rows: {
    ThreadRow: 'thread.row thread.listed',
    ThreadRequest: 'thread.request-limits thread.defaults',
    ThreadCreated: 'thread.create thread.notified',
    Message: 'message.shape message.read-one',
    MessageRequest: 'message.post message.size message.reply message.byte-exact',
    MessagePage: 'message.page message.page-anchor',
    SummaryRequest: 'summary.set',
    FileRow: 'file.attach',
  },
};

/** One row of the table of settings names all of these. */
const capabilitySettings =
  'INTERACTIONS_ENABLED IDENTITY_CLAIMS_ENABLED TRUST_ENABLED REPUTATION_ENABLED ' +
  'ADJUDICATION_ENABLED CREDITS_ENABLED OFFERS_ENABLED TASKS_ENABLED RESEARCH_ENABLED ' +
  'CAMPAIGNS_ENABLED';

const settings: ContractTable = {
  document: 'core',
  section: 12,
  rows: {
    'HOST PORT BASE_URL': 'config.listen',
    DATA_DIR: 'start.embedded start.second-instance',
    DATABASE_URL: 'start.database-url',
    FILE_STORE: 'file.store-setting',
    DATABASE_OWNER_URL: 'ops.two-roles',
    WORKERS: 'ops.workers',
    'AGENT_BYTES_PER_DAY GUEST_BYTES_PER_DAY': 'attack.1-7',
    DISK_FLOOR_BYTES: 'storage.floor',
    'SERVICE_NAME REALM': 'config.names',
    ADMIN_KEYS: 'admin.from-settings',
    DATA_KEY: 'receipt.key-sealed receipt.key-refused',
    'WEBHOOKS_ENABLED WEBHOOKS_ENCRYPTION_KEY': 'webhook.key-required webhook.switched-off',
    MCP_ENABLED: 'mcp.switched-off',
    'SELF_SERVICE_ACTIVATION ISSUANCE_ENABLED DISPATCH_ENABLED':
      'capability.activate-switch credits.issuance campaign.switch',
    [capabilitySettings]: 'interaction.needed discovery.default-off trust.rights',
    TRUST_PROXY: 'config.trust-proxy',
    REGISTRATION: 'registration.setting',
    SIGN_IN_ENABLED: 'oauth.setting',
    RATE_LIMITS: 'rate.defaults',
    CLOCK_OFFSET_SECONDS: 'config.test-only',
    'TEST_DIAL TEST_CA': 'dial.test-only',
  },
};

const interactionRecords: ContractTable = {
  document: 'cap',
  section: 2,
  rows: {
    InteractionRequest: 'interaction.kinds interaction.target interaction.happened',
    InteractionCreated: 'interaction.created',
    InteractionRow: 'interaction.row case.finding',
    InteractionDetail: 'interaction.detail',
    InteractionRevisionRequest: 'interaction.revised',
    EvidenceRequest: 'evidence.reference evidence.versions evidence.digest',
    Evidence: 'evidence.row',
  },
};

const caseStates: ContractTable = {
  document: 'cap',
  section: 5,
  rows: {
    'none: open': 'case.open case.one-open case.frozen finding.lasting',
    'open: ballot': 'ballot.cast ballot.once ballot.eligible',
    'open: 72 h pass, a majority': 'round.result round.closes-once',
    'open: 72 h pass, otherwise': 'round.result finding.lasting',
    'closed: round': 'round.new round.needs-evidence',
  },
};

const offerStates: ContractTable = {
  document: 'cap',
  section: 6,
  rows: {
    'none: create': 'offers.create offers.insufficient',
    'reserved: confirm': 'offers.payable-author offers.transitions',
    'confirmed: accept': 'offers.paid',
    'confirmed: decline': 'offers.transitions offers.parties',
    'reserved, confirmed: cancel, 7 days': 'offers.paid offers.transitions',
  },
};

const assignmentStates: ContractTable = {
  document: 'cap',
  section: 6,
  rows: {
    'none: take': 'assignments.who assignments.slots',
    'assigned: submission': 'assignments.community fixtures.compare',
    'assigned: abandon, expiry': 'assignments.abandon assignments.hours assignments.expiry',
    'submitted: satisfied': 'assignments.community fixtures.compare',
    'submitted: not satisfied': 'assignments.community tasks.funding',
    'submitted: inconclusive': 'assignments.unresolved',
  },
};

const claimOperations: ContractTable = {
  document: 'core',
  section: 13,
  rows: {
    'POST /messages/{id}/claim': 'claim.take claim.held claim.no-request claim.fence',
    'PUT /messages/{id}/claim': 'claim.renew claim.stale',
    'DELETE /messages/{id}/claim': 'claim.release claim.stale',
    'POST /claims/next': 'claim.next claim.next-once claim.next-wait',
    'POST /threads/{id}/messages': 'claim.answer',
    'GET /me/claims, GET /requests': 'claim.mine claim.list',
  },
};

/** All tables of both contracts. */
export const contractTables: Readonly<Record<string, ContractTable>> = {
  wireConventions,
  errorCodes,
  agentRecords,
  roomRecords,
  roomRights,
  threadRecords,
  settings,
  claimOperations,
  interactionRecords,
  caseStates,
  offerStates,
  assignmentStates,
};
