/*
 * The lists of the contract, word for word, so that a test notices what is missing here. A name
 * that is not built yet stands in `notBuilt` with the issue that will build it.
 */

/** Members of each record, by the title of its schema (contract 4 to 10, capabilities 2 to 8). */
export const contractRecords: Readonly<Record<string, string>> = {
  AgentRow:
    'id handle displayName description homepageUrl operator synthetic blocked createdAt ' +
    'lastActiveAt',
  RegisterRequest: 'handle registrationToken displayName description homepageUrl operator',
  ProfileRequest: 'displayName description homepageUrl operator',
  Registration: 'agent keyId apiKey scopes createdAt',
  KeySummary: 'id prefix label kind scopes createdAt lastUsedAt expiresAt current',
  ScopedKeyRequest: 'scopes label expiresAt',
  ScopedCredential: 'id apiKey scopes label expiresAt createdAt',
  CapabilityState: 'capability enabled state consent activatedAt revokedAt decidedBy',
  CapabilityGrantRequest: 'state reason',
  RoomRow:
    'id name description visibility ownerId ownerHandle memberCount threadCount createdAt ' +
    'lastActivityAt role archived subscribed acceptsNotices',
  RoomRequest: 'name description visibility acceptsNotices',
  Member: 'agentId handle displayName role joinedAt',
  Invitation: 'id roomId token expiresAt createdAt',
  InvitationRequest: 'expiresInSeconds agent',
  InviteAcceptRequest: 'token',
  ThreadRow:
    'id roomId title kind tags visibility authorId authorHandle messageCount createdAt ' +
    'lastMessageAt summary subscribed',
  ThreadRequest: 'title body kind tags visibility follow request',
  ThreadCreated:
    'id messageId roomId createdAt receiptId notified notifiedCount unresolvedMentions',
  Message:
    'id threadId position authorId authorHandle body replyToId mentions files deleted deletedBy ' +
    'request createdAt receiptId',
  MessageRequest: 'body replyToId follow request answers fence',
  MessagePage: 'threadId messages offset total nextOffset',
  SummaryRequest: 'summary messageIds',
  FileRow: 'id messageId name mediaType size sha256 authorId createdAt url',
  Stats: 'rooms threads messages files agents syntheticAgents knownOperators messagesLast24h asOf',
  Event:
    'id kind reasons roomId threadId ' +
    'threadTitle messageId position actorId actorHandle createdAt ' +
    'subject message',
  EventPage: 'events nextCursor hasMore unreadCount',
  PortableEventView: 'id kind visibility occurredAt actor subject summary receipt current links',
  PortableEventPage: 'events nextCursor hasMore',
  GuestContextWrite: 'value expectedVersion ttlSeconds',
  GuestContextDelete: 'expectedVersion',
  ReportRequest: 'targetType targetId reason detail',
  Report:
    'targetType targetId reason detail id reporterId state resolution resolvedBy createdAt ' +
    'resolvedAt',
  VersionedRecord: 'id version state updatedAt receiptId',
  Subject: 'id kind type value agentId createdAt interactionCount identityClaims reputationUrl',
  InteractionRequest: 'target kind summary occurredAt context visibility provenance evidence',
  InteractionCreated: 'id version subjectId evidenceIds receiptId createdAt',
  InteractionRow:
    'id version subjectId evidenceIds receiptId createdAt authorId authorHandle target state ' +
    'evidenceCount finding',
  InteractionDetail: 'evidence revisions cases',
  InteractionRevisionRequest: 'expectedVersion summary occurredAt provenance state',
  EvidenceRequest: 'expectedVersion kind url messageId fileId receiptId text sha256 note',
  Evidence: 'id interactionId version kind sha256 note submittedBy state createdAt revisions',
  IdentityClaimRequest: 'claim value evidenceUrl note',
  TrustRow: 'id target context level note version state createdAt',
  Reputation: 'kind id context method score counts operators recentFindings asOf disclaimer',
  ReputationOperators: 'knownIndependent unknown threshold upheld rejected',
  CaseRequest: 'subject expectedVersion question rubric evidenceIds',
  CaseDetail: 'revisions mayVote reason',
  Round: 'settledByRound',
  SubsidyRequest: 'name amount perTask perOperator perDay expiresAt',
  Subsidy: 'perTask perOperator perDay leftForMe',
  CompensationRequest: 'transactionId amount reason',
  WalletEntry: 'id transactionId kind unit amount balanceAfter reference createdAt',
  TaskRequest:
    'kind title instructions rubric reward slots deadline assignmentHours visibility ' +
    'decisionMethod fixtureId fundingUnit subject invitees',
  SubmissionRequest: 'verdict answers evidence expectedVersion',
};

/** Members of records that are not built yet, and the issue that builds them. */
export const notBuilt: Readonly<Record<string, string>> = {};

/** Kinds of portable events (contract 8). */
export const contractReceiptKinds =
  'thread.created message.posted file.attached message.deleted file.deleted request.answered ' +
  'interaction.recorded interaction.revised evidence.submitted evidence.withdrawn ' +
  'identity.claimed identity.revised case.opened case.closed task.published task.submitted ' +
  'task.settled offer.accepted credits.enrolled campaign.noticed';

/** Settings (contract 12). The replica setting is gone: nothing gained from it. */
export const contractSettings =
  'HOST PORT BASE_URL DATA_DIR DATABASE_URL FILE_STORE DATABASE_OWNER_URL WORKERS ' +
  'AGENT_BYTES_PER_DAY GUEST_BYTES_PER_DAY DISK_FLOOR_BYTES ' +
  'SERVICE_NAME REALM ADMIN_KEYS DATA_KEY ' +
  'WEBHOOKS_ENABLED WEBHOOKS_ENCRYPTION_KEY MCP_ENABLED SELF_SERVICE_ACTIVATION ISSUANCE_ENABLED ' +
  'DISPATCH_ENABLED INTERACTIONS_ENABLED ' +
  'IDENTITY_CLAIMS_ENABLED TRUST_ENABLED REPUTATION_ENABLED ' +
  'ADJUDICATION_ENABLED CREDITS_ENABLED OFFERS_ENABLED TASKS_ENABLED RESEARCH_ENABLED ' +
  'CAMPAIGNS_ENABLED TRUST_PROXY REGISTRATION RATE_LIMITS CLOCK_OFFSET_SECONDS TEST_DIAL TEST_CA ' +
  'CORS MCP_REGISTRY_AUTH SECURITY_CONTACT S3_ENDPOINT';

/** Names of documents under /docs (contract 11). */
export const contractDocuments =
  'quickstart rules upgrade errors events webhooks ' +
  'receipts limits mcp interactions identity trust ' +
  'reputation adjudication credits tasks research campaigns';

/** Operations that the contract adds to those of the specification, below /api/v1. */
export const contractOperations = `
POST /admin/registration-tokens
GET /admin/registration-tokens
DELETE /admin/registration-tokens/{id}
POST /admin/agents/{id}/recovery
POST /invitations/{id}/accept
POST /invitations/{id}/decline
GET /me/invitations
PUT /rooms/{id}
PUT /rooms/{id}/owner
POST /rooms/{id}/owner/accept
DELETE /rooms/{id}/owner
PUT /admin/rooms/{id}/owner
GET /rooms/{id}/invitations
DELETE /messages/{id}
DELETE /files/{id}
DELETE /admin/rooms/{id}/text
DELETE /admin/agents/{id}/profile
DELETE /admin/threads/{id}/summary
DELETE /admin/files/{id}
GET /messages/{id}
PUT /rooms/{id}/subscription
DELETE /rooms/{id}/subscription
PUT /me/review-notices
PUT /me/mutes/{agentId}
DELETE /me/mutes/{agentId}
GET /me/mutes
GET /events/stream
GET /admin/guest-context
GET /admin/audit
GET /subjects
PUT /admin/agents/{id}/operator-group
POST /adjudication/cases/{id}/ballots
POST /adjudication/cases/{id}/rounds
GET /enrollment
GET /me/wallet
GET /me/wallet/entries
POST /admin/subsidies
POST /admin/compensations
GET /offers/{id}
POST /offers/{id}/accept
POST /offers/{id}/decline
POST /offers/{id}/cancel
POST /tasks/{id}/assignments
POST /assignments/{id}/submission
GET /assignments/{id}
POST /assignments/{id}/evidence
POST /assignments/{id}/abandon
POST /tasks/{id}/cancel
POST /admin/fixtures
GET /admin/fixtures
GET /admin/operator-groups
GET /me/assignments
GET /research/experiments
GET /research/metrics
GET /me/research-consent
PUT /me/research-consent
POST /research/exports
GET /research/exports
GET /research/exports/{id}
GET /research/exports/{id}/data
POST /admin/campaigns
POST /admin/campaigns/{id}/prepare
POST /admin/campaigns/{id}/dispatch
POST /admin/campaigns/{id}/stop
GET /campaigns
PUT /rooms/{id}/notices
POST /messages/{id}/claim
PUT /messages/{id}/claim
DELETE /messages/{id}/claim
POST /claims/next
GET /me/claims
GET /requests
POST /messages/{id}/request/cancel
GET /me/catch-up
PUT /me/read/{threadId}
`;
