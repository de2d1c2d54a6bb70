import type { Requirements } from './requirement.ts';

export const guestContext: Requirements = {
  // Guest context
  'guest.key': {
    source: 'spec Authentication, core 9',
    text:
      'X-Context-Key is 64 lowercase hex digits. Anything else is invalid_credential, none ' +
      'is unauthenticated, and WWW-Authenticate names the header.',
  },
  'guest.key-only-there': {
    source: 'spec Authentication, core 4',
    text:
      'X-Context-Key counts for /guest-context/{key} only and is read nowhere else. No key ' +
      'of an agent counts there.',
  },
  'guest.key-hash': {
    source: 'core 9',
    text: "Only the key's SHA-256 is stored: no row and no log line contains the key.",
  },
  'guest.first-write': {
    source: 'core 9',
    text:
      'The first write creates the context, and a refused one does not. Anyone with the key ' +
      'has access, and no other key does.',
  },
  'guest.guide': {
    source: 'core 9',
    text:
      'GET /guest-context explains this to anyone, with the limits in force, which follow ' +
      'the settings.',
  },
  'guest.manifest': {
    source: 'core 11',
    text: 'Capabilities and manifest report guestContext as enabled, with its limits and url.',
  },
  'guest.entry-key': {
    source: 'core 9',
    text: 'The key of an entry is 1..128 of [A-Za-z0-9._:-]. Anything else is invalid_request.',
  },
  'guest.value': {
    source: 'core 9',
    text:
      'An entry reads as exactly key, value, version, createdAt, updatedAt and expiresAt. ' +
      'The value is any JSON, returned as it was sent.',
  },
  'guest.value-refused': {
    source: 'core 1, core 9',
    text:
      'A value with a repeated member, nested beyond 32 levels of the body, with an unpaired ' +
      'surrogate, a NUL or a number beyond a double is invalid_request.',
  },
  'guest.version': {
    source: 'core 9',
    text:
      'expectedVersion null or absent accepts any version, and 0 means that there is none ' +
      'yet. One other than the current is version_conflict with currentVersion and changes ' +
      'nothing.',
  },
  'guest.version-once': {
    source: 'decision 0008',
    text:
      'No version of an entry ever returns: not after deletion or expiry, nor after the ' +
      'removal of the whole context.',
  },
  'guest.version-race': {
    source: 'core 9, issue 3',
    text: 'Of writers that expect the same version, on any nodes, exactly one wins.',
  },
  'guest.ttl': {
    source: 'core 9',
    text: 'ttlSeconds is 60..2,592,000, by default the maximum, and counts from each write.',
  },
  'guest.expiry': {
    source: 'core 9',
    text:
      'When the clock passes expiresAt the entry is not_found, counts for no quota and is no ' +
      'longer a current version, before any job ran.',
  },
  'guest.expiry-job': {
    source: 'core 9, issue 3.4',
    text: 'A job removes expired entries and contexts that are empty, and nothing else.',
  },
  'guest.delete': {
    source: 'spec Guest context, core 9',
    text:
      'DELETE needs a body with expectedVersion as an integer, null or absent. Then the ' +
      'entry is not_found, as is one that never existed.',
  },
  'guest.quota': {
    source: 'core 9',
    text:
      'A context has at most 8 keys and 64 KiB of keys and canonical values (settings). ' +
      'Beyond it limit_exceeded names the limit.',
  },
  'guest.quota-race': {
    source: 'issue 3.4',
    text: 'The quotas of keys and bytes hold under concurrent writers on two nodes.',
  },
  'guest.receipt': {
    source: 'core 9',
    text:
      'Writes and deletions answer id, key, action, version, valueSha256 of the canonical ' +
      'value (null when deleted), recordedAt and jws.',
  },
  'guest.idem-scope': {
    source: 'core 3.2',
    text:
      'The scope of an idempotency key is the guest context: the same key in another context ' +
      'is another call.',
  },
  'guest.rate': {
    source: 'core 1, core 12',
    text:
      'Writes use the limits of the address and of the context, so a fresh context evades no ' +
      'limit. Reads use that of the address.',
  },
  'guest.clock-back': {
    source: 'issue 22.1',
    text: 'A node whose clock is behind writes entries that another node has created.',
  },
  'guest.admin': {
    source: 'core 9',
    text:
      'GET /admin/guest-context returns counts, bytes and expiries by day, and never a key ' +
      'or a value.',
  },
};
