import type { Requirements } from './requirement.ts';

export const wire: Requirements = {
  // Wire conventions
  'wire.absent-null': {
    source: 'core 1',
    text:
      'Responses are UTF-8 JSON with camelCase members, and absent optional values are null, ' +
      'never missing, but for `via` of messages that came by the API.',
  },
  'wire.unknown-members': {
    source: 'core 1',
    text:
      'An unknown member in a request body is invalid_request, with an entry in errors that ' +
      'names it.',
  },
  'wire.json-strict': {
    source: 'core 1',
    text:
      'A request body with the same member name twice in one object, or nested deeper than 32 ' +
      'levels, is invalid_request.',
  },
  'wire.uuid-v7': {
    source: 'spec, core 1',
    text:
      'Every new agent, key, room, invitation, thread and message has a UUIDv7 as its id, so ' +
      'that ids sort by creation.',
  },
  'wire.uuid-input': {
    source: 'core 1',
    text:
      'Any RFC 9562 UUID, whatever its version, is accepted as input: an unknown one is ' +
      'not_found, not invalid_request.',
  },
  'wire.time': {
    source: 'spec, core 1',
    text:
      'Times in responses are ISO 8601 UTC with milliseconds and Z, and everything that one ' +
      'request writes has one reading of the injected clock.',
  },
  'wire.time-input': {
    source: 'core 1',
    text:
      'A time in a request is any RFC 3339 time that exists: a 30th of February, an hour 24 ' +
      'or a year that is not 0001..9999 is invalid_request.',
  },
  'wire.integers': {
    source: 'core 1',
    text:
      'Cursors and counts are JSON integers of at most 2^53-1; a fractional, negative or ' +
      'larger cursor is invalid_request.',
  },
  'wire.success-200': {
    source: 'spec Endpoints',
    text: 'Every operation that succeeds answers 200, creations and deletions included.',
  },
  'wire.late-request': {
    source: 'issue 22.1, seed 844',
    text:
      'A request that has not arrived in time, as when the service itself stood still, is ' +
      'answered with 503, which callers repeat; one that is no HTTP with 400.',
  },
  'wire.head-options': {
    source: 'core 1',
    text: 'HEAD (status and headers of the GET, no body) and OPTIONS work on every read.',
  },
  'wire.ack': {
    source: 'core 1',
    text:
      'An ack result is id and createdAt plus only the fields that the contract names. The ' +
      'acknowledgement of a deletion is { "id": uuid } alone.',
  },
  'wire.list-paging': {
    source: 'spec, core 1',
    text:
      'A list is a bare array, paged by offset (int32 >= 0, default 0) and limit (1..100, ' +
      'default 50). A value outside is invalid_request.',
  },
  'wire.list-link': {
    source: 'core 1',
    text:
      'A list has Link with rel="next" while more remains, and following it visits every row ' +
      'once. X-Total-Count, where sent, is exact for this reader.',
  },
  'wire.list-before': {
    source: 'contract 1 "Lists"',
    text:
      'before, the id of the last row seen, goes on after it; Link uses it. An id that is no row ' +
      'of the list, or of a row that the reader may not see, is invalid_request.',
  },
  'wire.list-deep': {
    source: 'contract 1 "Lists", issue 17.7',
    text:
      'An offset far beyond the end is answered without a walk; a deep one that takes too long ' +
      'is unavailable and says to use before, and delays no other read.',
  },
  'contract.lists': {
    source: 'issue 18.1, law-core T1',
    text:
      'What the lists of the contract name is there: members of records, operations, settings, ' +
      'kinds of receipts and documents; or it is noted as not built yet.',
  },
  'contract.rows': {
    source: 'issue 18 "Done when", law-core T1',
    text:
      'Each row of each table of both contracts is held by a requirement of its section, and so ' +
      'by a test.',
  },
  'wire.digests': {
    source: 'core 1 "Digests"',
    text:
      'Digests are SHA-256 as 64 lowercase hex digits, of a text over its UTF-8 bytes, of a JSON ' +
      'value over its RFC 8785 form.',
  },
  'wire.list-moving': {
    source: 'contract 1 "Lists", issue 17.7',
    text:
      'Link of a list whose rows move carries where the last row stood, so that following it ' +
      'repeats no row that has not moved, and ends.',
  },
  'wire.list-unseen': {
    source: 'issue 17.7',
    text: 'A page of a list walks no row that its reader may not see.',
  },
  'wire.list-order': {
    source: 'core 1',
    text: 'Lists are newest first by createdAt, then id, unless the contract says otherwise.',
  },
  'wire.list-hides': {
    source: 'core 1',
    text: 'No list, count or Link shows what its reader may not know exists.',
  },
  'wire.etag': {
    source: 'core 1',
    text:
      'The OpenAPI document and the manifest have a strong ETag, and If-None-Match with it ' +
      'answers 304 without a body or a length.',
  },
  'wire.compression': {
    source: 'contract 1 "Compression", issue 17.7',
    text:
      'JSON, text and pages above 1 KiB come as br or gzip where Accept-Encoding allows, with a ' +
      'tag of their own; never what holds a secret.',
  },
  'wire.no-store': {
    source: 'core 1',
    text: 'Responses with private content have Cache-Control: private, no-store.',
  },
  'wire.request-id': {
    source: 'core 1',
    text:
      "Every response has X-Request-Id: the caller's if it is 1..64 of [A-Za-z0-9._-], and a " +
      'new one otherwise.',
  },
  'wire.cors': {
    source: 'core 1',
    text:
      'Public reads allow any origin without credentials. No other operation sends CORS ' +
      'permission, also not to a preflight.',
  },
  'wire.body-limit': {
    source: 'core 1',
    text:
      'A JSON body over 512 KiB is payload_too_large with limit, refused before it is ' +
      'buffered, with or without Content-Length.',
  },
  'wire.trust-mark': {
    source: 'core 1',
    text: 'A response that carries text written by agents has X-Content-Trust: untrusted.',
  },
  'wire.text-exact': {
    source: 'core 1',
    text:
      'Text that passes the checks is stored and returned exactly as sent, bidi marks, markup ' +
      'and emoji included.',
  },
  'wire.text-refused': {
    source: 'core 1',
    text: 'Invalid UTF-8, NUL and unpaired surrogates in any text are invalid_request.',
  },
  'wire.names': {
    source: 'core 1',
    text:
      'Names and titles are trimmed and normalized to NFC. With control characters or bidi ' +
      'controls (U+202A..E, U+2066..9) they are invalid_request.',
  },
  'wire.code-points': {
    source: 'core 1',
    text:
      'Length limits count code points unless bytes are named: 120 emoji are a legal room ' +
      'name, 121 are not.',
  },

  // Errors
  'error.problem-json': {
    source: 'spec Errors, core 2',
    text:
      'Every error is application/problem+json with type ({base_url}/docs/errors.md#code), ' +
      'title, status, detail, code and requestId.',
  },
  'error.page-by-accept': {
    source: 'core 2, law-core D10',
    text:
      'The error of a page is HTML where Accept names text/html, and a problem document for ' +
      'everyone else, such as a client that takes anything.',
  },
  'error.query-encoding': {
    source: 'core 2, law-core D11',
    text:
      'A query whose percent-encoding is malformed, or that is not UTF-8, is invalid_request: it ' +
      'is never read as the text of its escapes.',
  },
  'error.answer-read': {
    source: 'core 2 `unsupported_media_type`, issue 18.1',
    text:
      'A refused body, a form of another media type included, is read within bounds, so that a ' +
      'sender that is still writing receives the answer.',
  },
  'error.pointers': {
    source: 'core 2',
    text:
      'invalid_request lists in errors, for each fault, a JSON pointer into the request and a ' +
      'detail.',
  },
  'error.bounded': {
    source: 'core 2, design',
    text:
      'invalid_request describes at most 20 faults, with names of at most 200 characters, ' +
      'and states how many more faults there are.',
  },
  'error.detail-plain': {
    source: 'core 2 `detail`, law-core D7, issue 18.1',
    text:
      'No detail of an error uses the words of a validator: it says in plain English what is ' +
      'wrong, whichever operation got whatever bad input.',
  },
  'error.detail-advice': {
    source: 'core 2 `detail`, law-core D7 T5, issue 18.1',
    text: 'Each detail says what to do next, or what would be accepted instead.',
  },
  'error.one-table': {
    source: 'core 2',
    text:
      'One table in the code is the only source of codes, and its codes and statuses are ' +
      'those of contract section 2.',
  },
  'error.declared': {
    source: 'core 2',
    text:
      'OpenAPI lists per operation the codes that it can really return: an undeclared code ' +
      'fails the tests, and every declared one is reached.',
  },
  'error.invalid-request': {
    source: 'core 2',
    text:
      'Unparsable JSON, a missing body, a bad UUID in a path and a bad query value are ' +
      'invalid_request (400).',
  },
  'error.foreign-reference': {
    source: 'core 2',
    text:
      'A replyToId, messageIds entry or anchorId that names a message of another thread is ' +
      'invalid_request.',
  },
  'error.unauthenticated': {
    source: 'core 2',
    text:
      'No credential where one is needed is unauthenticated (401), and WWW-Authenticate names ' +
      'the header.',
  },
  'error.credential-header': {
    source: 'core 2, RFC 9110 11.6.1',
    text:
      'WWW-Authenticate of every 401 names the header of the credential that is missing or ' +
      'wrong, whether or not the operation requires it.',
  },
  'error.invalid-credential': {
    source: 'core 2',
    text:
      'An unknown, revoked or malformed key is invalid_credential (401), on public reads too, ' +
      'never treated as anonymous.',
  },
  'error.not-found-identical': {
    source: 'core 2',
    text:
      'Resources that do not exist and those that the caller may not know of yield the same ' +
      'not_found: body and headers differ in the request id only.',
  },
  'error.not-found-cost': {
    source: 'core 2 `not_found`, law-core D4 T4',
    text:
      'To a stranger, what is hidden costs what does not exist costs: the same statements are ' +
      'sent, and none of them waits for a lock on what is hidden.',
  },
  'error.routes': {
    source: 'core 2',
    text:
      'An unknown path is not_found, a wrong method method_not_allowed (405) with Allow, a ' +
      'body that is not JSON unsupported_media_type (415).',
  },
  'error.internal': {
    source: 'core 2',
    text:
      'An unexpected failure is internal_error (500) that reveals nothing of the cause. Its ' +
      'requestId finds the cause in the log.',
  },
  'error.unavailable': {
    source: 'core 2',
    text:
      'While starting, stopping, overloaded or without its store the service answers ' +
      'unavailable (503) with Retry-After.',
  },
  'error.conflicts': {
    source: 'issue 22.1',
    text: 'A call that conflicts with others each time it is tried is unavailable (503).',
  },
  'error.fuzz-no-500': {
    source: 'issue 2 bad input',
    text:
      'A fuzz test generated from the schemas of all operations gets code, pointer and a ' +
      'sentence for invalid input, and never a 500.',
  },
  'error.nothing-half-done': {
    source: 'issue 2 bad input',
    text:
      'A request that is refused or fails at any point leaves no row, event, count or ' +
      'idempotency record behind.',
  },

  // Idempotency
  'idem.required': {
    source: 'spec 5, core 3.1',
    text:
      'Every operation that the spec marks Idem answers idempotency_key_required (400) ' +
      'without the header Idempotency-Key.',
  },
  'idem.accepted': {
    source: 'core 3.1',
    text:
      'Every other mutation accepts an Idempotency-Key and then replays like the required ' +
      'ones.',
  },
  'idem.key-format': {
    source: 'core 2',
    text:
      'An Idempotency-Key that is not 1..255 visible ASCII characters is ' +
      'idempotency_key_invalid (400).',
  },
  'idem.scope': {
    source: 'core 3.2',
    text:
      'The same key used by another agent, an administrator or for another operation is ' +
      'separate. A rotated key of the same agent is the same caller.',
  },
  'idem.fingerprint': {
    source: 'core 3.3',
    text:
      'The fingerprint covers method, path parameters and the RFC 8785 body: other member ' +
      'order or whitespace is the same request.',
  },
  'idem.same-transaction': {
    source: 'core 3.4',
    text:
      'Effect and idempotency record commit together: after a crash at any moment either both ' +
      'exist or neither.',
  },
  'idem.replay': {
    source: 'core 3.5',
    text:
      'A repeat returns the first response byte for byte with Idempotency-Replayed: true and ' +
      'has no second effect.',
  },
  'idem.race': {
    source: 'core 3.5',
    text:
      'Of concurrent requests with one key exactly one has an effect. The others get its ' +
      'answer or idempotency_in_progress with Retry-After: 1.',
  },
  'idem.reused': {
    source: 'core 3.5',
    text: 'The same key with a different request is idempotency_key_reused (422).',
  },
  'idem.errors-unrecorded': {
    source: 'core 3.6',
    text:
      'An error leaves the key unused: the corrected or repeated request with the same key ' +
      'succeeds.',
  },
  'idem.retention': {
    source: 'core 3.7',
    text:
      'A record is stored for 7 days, and the setting for it refuses less than 24 h. After ' +
      'that the key is free again, also where no job has come by.',
  },
  'idem.sealed': {
    source: 'core 3.8',
    text:
      'A stored response with a secret is encrypted with AES-256-GCM: the caller can replay ' +
      'it, and the database contains no readable secret.',
  },
  'idem.sealed-other-key': {
    source: 'core 3.8',
    text:
      'Replaying a response with a secret by another credential of the same agent is ' +
      'idempotency_replay_sealed (409).',
  },
  'idem.rotation-replay': {
    source: 'core 3.9',
    text:
      'A rotation sent with an idempotency key can be replayed with the old key until the new ' +
      'one is used, for 15 minutes at most. The old key works for nothing else.',
  },
  'idem.registration': {
    source: 'core 3.9',
    text:
      'A registration repeated with its idempotency key returns the same sealed answer. The ' +
      'key is its own scope and must be a fresh random UUID; else idempotency_key_invalid.',
  },
  'idem.secret-keys': {
    source: 'core 3.9, law-core T10',
    text:
      'A registration or a rotation with an idempotency key that can be guessed is ' +
      'idempotency_key_invalid and changes nothing: no UUID, one of a low version, one that ' +
      'tells an old time, or one that was published.',
  },
  'idem.replay-lost-access': {
    source: 'core 3.10',
    text:
      'A replay is the stored answer although access to the resource is lost. A revoked or ' +
      'blocked caller gets invalid_credential or agent_blocked.',
  },

  // Rate limits
  'rate.everyone': {
    source: 'issue 17.10',
    text: 'API4: All addresses together have a limit too, a hundred times that of one.',
  },
  'rate.log-sample': {
    source: 'issue 17.10',
    text: 'Refusals (429, 503) are logged by sample; a line counts those that were left out.',
  },
  'rate.buckets': {
    source: 'core 1',
    text:
      'Limits are token buckets by agent for calls with a key and by address for anonymous ' +
      'calls: one caller never uses up the limit of another.',
  },
  'rate.sites': {
    source: 'contract 1 "Rate limits"',
    text: 'IPv6 callers are limited by /64 and, ten times as much, by /48.',
  },
  'rate.loopback': {
    source: 'contract 12',
    text: 'Callers from loopback may register 1,000 agents an hour.',
  },
  'rate.headers': {
    source: 'core 1',
    text: 'Every limited response has RateLimit-Policy and RateLimit as in the IETF draft.',
  },
  'rate.refusal': {
    source: 'core 1, core 2',
    text:
      'A call over the limit is rate_limited (429) with Retry-After and retryAfterSeconds, ' +
      'after which it succeeds.',
  },
  'rate.defaults': {
    source: 'core 12',
    text:
      'The defaults are 20 registrations an hour for an address and 1,200 reads and 300 ' +
      'writes a minute. RATE_LIMITS=off lifts them, and writes=600/m changes only writes.',
  },
  'rate.shared': {
    source: 'core 1',
    text: 'All processes and nodes of an installation share the limits.',
  },
  'rate.admin-exempt': {
    source: 'core 12',
    text: 'A request that also carries a valid administrator key is not limited.',
  },
  'read.one-moment': {
    source: 'issue 22.3',
    text:
      'An answer whose parts must agree shows one moment: a version and its list of versions, a ' +
      'balance and its entries, members and their X-Total-Count.',
  },
};
