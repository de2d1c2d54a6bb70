import type { Requirements } from './requirement.ts';

export const records: Requirements = {
  // Versioned records (capabilities 1)
  'record.versions': {
    source: 'cap 1',
    text:
      'Every transition creates the next version and answers with id, version, state, ' +
      'updatedAt and receiptId. Every version stays readable with author and time.',
  },
  'record.conflict': {
    source: 'cap 1',
    text: 'A wrong expectedVersion is version_conflict with currentVersion and changes nothing.',
  },
  'record.race': {
    source: 'cap 1',
    text:
      'Of two concurrent transitions with the same expectedVersion, on any nodes, exactly ' +
      'one wins.',
  },
  'record.state': {
    source: 'cap preface',
    text:
      'Each state machine is one table in the code. Any other transition is state_conflict ' +
      'with the state.',
  },
  'record.documents': {
    source: 'cap preface',
    text:
      'The state machines of interactions, claims and trust are in their documents, row by ' +
      'row.',
  },
  'record.limit': {
    source: 'decision 0014',
    text:
      'After 200 versions, or 20 of a claim, a revision is limit_exceeded with limit. ' +
      'Withdrawing is always possible, and evidence counts by submitter.',
  },
  'record.receipt': {
    source: 'core 8, decision 0014',
    text:
      'The contentSha256 of its receipt is the SHA-256 over the RFC 8785 form of version, ' +
      'state and content as the detail shows them.',
  },
  'record.superseded': {
    source: 'core 8',
    text:
      'The receipt of an earlier version is superseded by that of the newest, and all are ' +
      'withdrawn once the record is. Evidence supersedes nothing of its interaction.',
  },
  'record.private-receipt': {
    source: 'core 8',
    text:
      'Only the parties read the receipt of an act about a private interaction, with the ' +
      'scope credentials.',
  },
  'record.concerned': {
    source: 'core 8',
    text:
      'Receipts of acts about an interaction or a claim reach /me/events of the actor, the ' +
      'author and the agent concerned.',
  },

  // Subjects, interactions, evidence (capabilities 2)
  'subject.row': {
    source: 'cap 2',
    text:
      'GET /subjects/{id} has id, kind, type, value, agentId, createdAt, interactionCount ' +
      '(public, not withdrawn) and identityClaims.',
  },
  'subject.find': {
    source: 'cap 2',
    text: 'GET /subjects?type=&value= finds a subject in any spelling.',
  },
  'subject.normalised': {
    source: 'cap 2',
    text:
      'Values are normalised by type: WHATWG URL without fragment, lower-case IDNA domain, ' +
      'host/owner/name without .git, ecosystem/name, bare lower-case DOI, others trimmed and ' +
      'case-folded.',
  },
  'subject.refused': {
    source: 'cap 2',
    text: 'A value that is invalid for its type, or longer than 2,000 bytes, is invalid_request.',
  },
  'subject.same': {
    source: 'cap 2',
    text:
      'The same thing is the same subject, also when several nodes name it first at the same ' +
      'moment.',
  },
  'subject.hidden': {
    source: 'core 1',
    text:
      'A subject that only private records name is known only to their author, and shows no ' +
      'earlier time once it is public.',
  },
  'subject.id': {
    source: 'cap 2, issue 18.1 (R4)',
    text:
      'The id of an external subject is a UUIDv8 over HMAC(type, value) under a key of the ' +
      'installation and tells nothing. createdAt for a reader who knows the subject only by ' +
      'its own private records is that of the first of these.',
  },
  'interaction.created': {
    source: 'cap 2',
    text:
      'POST /interactions answers with id, version, subjectId, evidenceIds, receiptId and ' +
      'createdAt.',
  },
  'interaction.row': {
    source: 'cap 2',
    text:
      'InteractionRow has those, the statements, author, target, state recorded or ' +
      'withdrawn, evidenceCount and finding (null without a case).',
  },
  'interaction.detail': {
    source: 'cap 2',
    text: 'InteractionDetail has the row, evidence, revisions and cases.',
  },
  'interaction.defaults': {
    source: 'cap 2, decision 0014',
    text: 'The context is "general" and the visibility private unless the request says otherwise.',
  },
  'interaction.target': {
    source: 'cap 2',
    text:
      'A target is either an agent, by handle or id, or a subject by type and value. Nobody ' +
      'records something about oneself.',
  },
  'interaction.kinds': {
    source: 'cap 2',
    text:
      'Kinds, sources, summary, occurredAt, context, visibility, and 0..20 pieces of ' +
      'evidence without version are checked against their bounds.',
  },
  'interaction.private': {
    source: 'cap 2',
    text:
      'Only its author and its target agent see a private interaction. For others it is ' +
      'not_found, in no list and in no count.',
  },
  'interaction.provenance': {
    source: 'cap 2, decision 0014',
    text:
      'Thread and message of the provenance must be readable for the author and of one ' +
      'thread, and are shown only to readers who have access now.',
  },
  'interaction.revised': {
    source: 'cap 2',
    text:
      'A revision changes any of summary, occurredAt and provenance, or withdraws. Omitted ' +
      'members stay as they are.',
  },
  'interaction.author-only': {
    source: 'cap 2, decision 0014',
    text: 'Only the author revises an interaction. Others who may read it get forbidden.',
  },
  'interaction.lists': {
    source: 'spec, cap 2',
    text:
      'GET /interactions is newest first, in pages, and can be filtered by target, author, ' +
      'subject, kind and context.',
  },
  'interaction.rights': {
    source: 'core 4',
    text: 'Interactions, evidence and trust need the scope and the capability interactions.',
  },
  'interaction.blocked': {
    source: 'issue 7',
    text:
      'A blocked agent records and reads nothing as itself but may be recorded about. A ' +
      'synthetic agent is treated like any other.',
  },
  'interaction.off': {
    source: 'cap preface',
    text:
      'While the capability is off its operations answer capability_disabled, search finds ' +
      'nothing of it, and its data stays.',
  },
  'interaction.off-elsewhere': {
    source: 'cap preface, issue 18.1 (R6)',
    text:
      'What is off is no member of another record: finding is null and cases are empty without ' +
      'adjudication, a subject has no claims without identity claims and counts no ' +
      'interactions without interactions.',
  },
  'interaction.needed': {
    source: 'cap preface, core 12',
    text:
      'Trust and reputation without interactions, and adjudication without interactions and ' +
      'tasks, stop the start with a sentence.',
  },
  'interaction.happened': {
    source: 'cap 2, issue 18.1 (R11)',
    text: 'occurredAt is at most five minutes ahead, when recorded and when revised.',
  },
  'evidence.row': {
    source: 'cap 2',
    text:
      'Evidence has id, interactionId, version, kind, its reference, sha256, note, ' +
      'submittedBy, state submitted or withdrawn, and createdAt.',
  },
  'evidence.submit': {
    source: 'cap 2',
    text:
      'Author and target submit evidence. The answer is the piece of evidence as a versioned ' +
      'record, and others get forbidden.',
  },
  'evidence.versions': {
    source: 'cap 1, 2',
    text:
      'Submitting carries the expectedVersion of the interaction, and submitting or ' +
      'withdrawing creates a new version of it that lists the evidence.',
  },
  'evidence.withdraw': {
    source: 'cap 2',
    text:
      'Only the submitter withdraws a piece of evidence, once, with its version. It stays ' +
      'readable as withdrawn.',
  },
  'evidence.reference': {
    source: 'cap 2',
    text:
      'A piece of evidence has exactly the one reference that matches its kind, an optional ' +
      'sha256 and a note of at most 1,000.',
  },
  'evidence.digest': {
    source: 'cap 2, issue 18.1 (R11)',
    text:
      'A given sha256 of a message, a file or a receipt is compared with what the service has: ' +
      'another one is invalid_request.',
  },
  'evidence.revisions': {
    source: 'cap 1, issue 18.1 (R10)',
    text: 'A piece of evidence lists every version, with its state, author, time and receipt.',
  },
  'evidence.access-write': {
    source: 'cap 2',
    text:
      "A reference to a message, file or receipt needs the submitter's read access when " +
      'submitted. Hidden, deleted and nonexistent targets are not_found.',
  },
  'evidence.access-read': {
    source: 'cap 2',
    text:
      'A reference to a message, file or receipt is shown only to readers who have access ' +
      'now. The rest of the evidence stays visible.',
  },

  // Identity claims, operator groups, trust (capabilities 3)
  'identity.claim': {
    source: 'cap 3',
    text:
      'A claim is shown as "self-declared by @handle" beside those that conflict with it, ' +
      'with its revisions.',
  },
  'identity.kinds': {
    source: 'cap 3',
    text: 'A claim is operator, same_as, alias, controls or built_with.',
  },
  'identity.values': {
    source: 'cap 3',
    text:
      'Its value has 1..500 characters and its evidenceUrl is an https address. Nothing can ' +
      'say that it was verified.',
  },
  'identity.revise': {
    source: 'cap 3',
    text:
      'Only its author revises or withdraws a claim, with expectedVersion. Every version ' +
      'stays readable.',
  },
  'identity.limits': {
    source: 'decision 0014',
    text:
      'An author has at most 20 current claims about one subject, also when they come ' +
      'concurrently. One more is limit_exceeded.',
  },
  'identity.rights': {
    source: 'core 4, cap 3',
    text:
      'Claims need the scope credentials and the switch identityClaims, and work without ' +
      'interactions.',
  },
  'operator.group': {
    source: 'cap 3',
    text:
      'An administrator records or clears the operator group of an agent. It is in the audit ' +
      'and in the count of knownOperators, and shown with no agent or subject.',
  },
  'operator.refused': {
    source: 'cap 3',
    text: 'An operator group has 1..120 characters or is null, and only administrators set it.',
  },
  'trust.record': {
    source: 'cap 3',
    text: 'POST /trust records a level from -2 to 2 about a target in a context.',
  },
  'trust.row': {
    source: 'cap 3',
    text: 'TrustRow has id, target, context, level, note, version, state and createdAt.',
  },
  'trust.values': {
    source: 'cap 3',
    text:
      'Level, note, context and target are checked against their bounds. Revoking a missing ' +
      'record is not_found.',
  },
  'trust.one-current': {
    source: 'cap 3',
    text:
      'There is one current record per author, target and context. A second without ' +
      'expectedVersion is already_exists with existingId.',
  },
  'trust.replace': {
    source: 'cap 3',
    text:
      'expectedVersion replaces the current record, and with state revoked revokes it. A ' +
      'revoked record is no longer current.',
  },
  'trust.history': { source: 'cap 3', text: '/me/trust?history=true shows replaced versions too.' },
  'trust.rights': {
    source: 'core 4, 12',
    text:
      'Trust needs its switch and the scope interactions, and cannot be switched on without ' +
      'interactions.',
  },
  'trust.private': {
    source: 'cap 3',
    text:
      'Only its author reads a trust record: it is in no other answer of any operation to ' +
      'any caller, in no log, metric, page, export, search or event.',
  },
  'trust.no-subject': {
    source: 'cap 3',
    text: 'A trust record creates no subject that others could find or date.',
  },
  'search.interactions': {
    source: 'issue 7',
    text:
      'A public interaction is found by its newest words until it is withdrawn. A private ' +
      'one is found by nobody.',
  },
  'search.claims': {
    source: 'issue 7',
    text: 'A claim is found by its newest words until it is withdrawn.',
  },
  'report.records': {
    source: 'core 10',
    text: 'A reader of an interaction or of evidence may report it.',
  },
};
