import type { Requirements } from './requirement.ts';

export const webhooks: Requirements = {
  // Webhooks
  'webhook.none': {
    source: 'spec Webhook',
    text: 'GET /api/v1/me/webhook answers JSON null when none is configured.',
  },
  'webhook.put-pending': {
    source: 'spec States',
    text:
      'PUT with a valid url and secret creates a webhook that is pending. No delivery ' + 'starts.',
  },
  'webhook.record': {
    source: 'spec Resources, core 7',
    text:
      'A webhook has id, url, state, attempts, lastDeliveredAt, lastError, createdAt, ' +
      'verifiedAt and nextAttemptAt. The secret is never returned.',
  },
  'webhook.put-same': {
    source: 'spec States',
    text: 'A PUT with the same url, secret and credential changes nothing, in any state.',
  },
  'webhook.put-changed': {
    source: 'spec States',
    text:
      'A PUT with another url, secret or configuring credential creates a fresh hook that is ' +
      'pending, whatever the state was.',
  },
  'webhook.own': {
    source: 'spec Webhook delivery',
    text: 'There is one callback for each identity, and nobody else sees or changes it.',
  },
  'webhook.cursor-now': {
    source: 'spec States',
    text:
      'The cursor of a hook starts at the current event cursor. Earlier history is not ' +
      'pushed, but what comes before the verification is.',
  },
  'webhook.transitions': {
    source: 'spec States',
    text: 'The states of a hook change as the table of the spec says, and in no other way.',
  },
  'webhook.url-rules': {
    source: 'spec Webhook delivery, core 2',
    text:
      'Only https on port 443, without user information, query or fragment, is accepted. ' +
      'Anything else is invalid_webhook_url with the broken rule in detail, and nothing ' +
      'changes.',
  },
  'webhook.url-names': {
    source: 'core 7',
    text:
      'An IP literal in any notation, a trailing dot, and a name in localhost, .local, ' +
      '.internal, .onion or a homograph of these is refused when configured.',
  },
  'webhook.url-secret': {
    source: 'spec Webhook delivery',
    text: 'A path that contains a secret is refused.',
  },
  'webhook.secret-rule': {
    source: 'spec Webhook delivery, core 2',
    text: 'A secret that is not 64 lowercase hex digits is invalid_webhook_secret.',
  },
  'webhook.secret-at-rest': {
    source: 'spec Operator settings, issue 5.3',
    text:
      'The secret is stored encrypted with a fresh nonce and bound to its agent. It is in no ' +
      'other row and in no log.',
  },
  'webhook.delete': {
    source: 'spec States, core 7',
    text:
      'DELETE erases the configuration, and GET then returns null. Without a hook it changes ' +
      'nothing.',
  },
  'webhook.switched-off': {
    source: 'spec Operator settings, core 7',
    text:
      'With webhooks switched off PUT and verify are capability_disabled (webhooks), GET and ' +
      'DELETE work, and the capabilities say so.',
  },
  'webhook.key-required': {
    source: 'spec Operator settings, core 12',
    text:
      'Startup is refused with webhooks on and WEBHOOKS_ENCRYPTION_KEY missing or malformed, ' +
      'under either name.',
  },
  'webhook.key-wrong': {
    source: 'issue 5.3',
    text: 'Startup is refused, with a sentence, with a key that does not decrypt what is stored.',
  },
  'webhook.challenge': {
    source: 'spec Webhook delivery',
    text:
      'verify sends one POST of type, hookId and challenge with X-Service-Timestamp and ' +
      'X-Service-Signature, and forwards no credential.',
  },
  'webhook.proof': {
    source: 'spec Webhook delivery',
    text:
      'A 2xx with X-Service-Challenge-Response, the HMAC of "verify." and the challenge, ' +
      'makes the hook active.',
  },
  'webhook.no-proof': {
    source: 'spec Webhook delivery',
    text:
      'A plain 2xx, an echo of the request, or a missing or wrong proof does not activate the ' +
      'hook.',
  },
  'webhook.verify-reasons': {
    source: 'core 2',
    text:
      'webhook_verification_failed has the reason: timeout (five seconds), tls, connection, ' +
      'address_blocked, redirect, status, missing_proof, wrong_proof.',
  },
  'webhook.superseded': {
    source: 'spec States',
    text:
      'A hook that is replaced or deleted during its verification cannot be activated: ' +
      'superseded.',
  },
  'webhook.verify-limit': {
    source: 'spec Limits, core 7',
    text:
      'Each identity has four verifications an hour, across nodes, deletions and ' +
      'RATE_LIMITS=off. The fifth is rate_limited with Retry-After.',
  },
  'webhook.verify-bound': {
    source: 'core 2',
    text:
      'A process verifies at most 100 receivers at once. More are unavailable, and are ' +
      'neither contacted nor counted.',
  },
  'webhook.verify-none': { source: 'core 7', text: 'verify without a hook is not_found.' },
  'webhook.verify-lost': {
    source: 'core 7',
    text:
      'verify is credential_unavailable, and contacts nobody, until a hook that lost its ' +
      'credential is configured anew.',
  },
  'webhook.verify-once': {
    source: 'core 3',
    text:
      'A verification that is repeated with its key sends one challenge. The repeat is ' +
      'idempotency_in_progress during the first call and gets its answer later. After a ' +
      'crash the verification runs again.',
  },
  'webhook.credential-lost': {
    source: 'spec States, core 7',
    text:
      'When the configuring key is revoked, rotated or expires, or the agent is blocked, the ' +
      'hook is at once failed with credential_unavailable.',
  },
  'webhook.documented': {
    source: 'core 11',
    text: 'docs/webhooks.md names states, errors and reasons, and has the table of addresses.',
  },
  'hint.body': {
    source: 'spec Webhook delivery',
    text:
      'A hint is type, hookId, deliveryId and createdAt: no ids of rooms, threads or ' +
      'messages, no text, no key, no cursor.',
  },
  'hint.signature': {
    source: 'spec Webhook delivery',
    text:
      'X-Service-Signature is v1= and the hex HMAC-SHA256 of timestamp, dot and raw body ' +
      'under the decoded secret. The timestamp is that of this attempt.',
  },
  'hint.coalesced': {
    source: 'spec Webhook delivery',
    text: 'Hints are coalesced over five seconds: several arrivals share one.',
  },
  'hint.visible': {
    source: 'spec Webhook delivery',
    text:
      'Membership and deletion are checked before a delivery is scheduled: nothing is sent ' +
      'when the agent may see none of what arrived.',
  },
  'hint.credential': {
    source: 'spec Webhook delivery',
    text: 'Nothing is sent once the configuring credential no longer works.',
  },
  'hint.replaced': {
    source: 'spec Webhook delivery',
    text: 'Replacing or deleting a hook discards its pending notification.',
  },
  'hint.in-flight': {
    source: 'issue 5.2',
    text:
      'Arrivals during a delivery lead to one further hint. A delivery that ends after a ' +
      'replacement changes nothing.',
  },
  'hint.accepted': {
    source: 'spec Webhook delivery',
    text:
      'A 2xx within five seconds is an acceptance. Any other answer is an unsuccessful ' +
      'attempt.',
  },
  'hint.retry-schedule': {
    source: 'core 7',
    text:
      'Retries come 5 s, 30 s, 2 min, 10 min, 1 h, 4 h and 12 h after the previous attempt, ' +
      'each with a jitter of up to 20 %.',
  },
  'hint.same-id': {
    source: 'spec Webhook delivery',
    text: 'Retries have the same deliveryId and body, and a new timestamp and signature.',
  },
  'hint.eight-failures': {
    source: 'spec States',
    text:
      'After eight unsuccessful attempts the hook is failed with delivery_failed, and nothing ' +
      'more is sent.',
  },
  'hint.resumed': {
    source: 'spec States',
    text:
      'A failed hook that is verified resumes the same pending notification. One that is not ' +
      'stays failed.',
  },
  'hint.isolated': {
    source: 'issue 5.2',
    text:
      'One slow or dead receiver delays no other: attempts are limited for each host, for ' +
      'those that failed before, and in total.',
  },
  'hint.nodes': {
    source: 'issue 5.2, core 12',
    text: 'Several nodes on one database send each hint once.',
  },
  'hint.lease': {
    source: 'issue 5.2',
    text:
      "While one node's lease on a hint lasts, no other node sends it. A node that settles " +
      'too late changes nothing.',
  },
  'hint.restart': {
    source: 'spec Operator settings',
    text: 'Configuration and queue survive restarts. A shutdown finishes deliveries in progress.',
  },
  'hint.crash': {
    source: 'spec Webhook delivery',
    text:
      'Delivery is at least once: after kill -9 in the middle of one the same deliveryId is ' +
      'sent again.',
  },
  'hint.missed': {
    source: 'issue 5.2',
    text: 'A hint is sent also when the notice of an arrival was lost.',
  },
  'hint.not-receipts': {
    source: 'spec Portable stream, law-core T8',
    text: 'The webhook does not deliver the portable stream: a receipt causes no hint.',
  },
  'hint.not-dispatch': {
    source: 'spec Webhook delivery, law-core T8',
    text: 'Hooks do not depend on the outreach dispatch switch: hints are sent while it is off.',
  },
  'hint.metrics': {
    source: 'issue 5.6',
    text:
      'Metrics count hints sent, failed, retried and waiting, and state the age of the ' +
      'oldest that waits.',
  },
  'hint.end-to-end': {
    source: 'issue 5',
    text:
      'A real post causes a hint that reaches a published receiver, which reads the events ' +
      'by cursor.',
  },
  'hint.unchanged': {
    source: 'core 16, issue 20.4',
    text:
      'Body and headers of service-webhook/1 are byte for byte what they were before the common ' +
      'forms.',
  },
  'hint.standard-webhooks': {
    source: 'core 16, issue 20.4',
    text:
      'Each hint and challenge has webhook-id, webhook-timestamp and webhook-signature. The ' +
      'library standardwebhooks accepts it with the same 32 bytes, and refuses it with one bit ' +
      'of body, id or time flipped.',
  },
  'hint.cloudevents': {
    source: 'core 16, issue 20.4',
    text:
      'Each hint and challenge is a CloudEvent in binary mode, which the library cloudevents ' +
      'accepts. Its id, type, subject and time agree with what is signed.',
  },
  'hint.common-id': {
    source: 'core 16',
    text: 'webhook-id, ce-id and ce-time of a retry are those of the first attempt.',
  },
  'client.common-receivers': {
    source: 'issue 20.4',
    text:
      'docs/webhooks.md has a receiver in ten lines for each of both libraries. It passes a ' +
      'challenge, accepts hints and refuses forgeries.',
  },
  'dial.sends': {
    source: 'spec Webhook delivery',
    text:
      'A request to a receiver carries what it is given and no credential or address of its ' +
      'own.',
  },
  'dial.addresses': {
    source: 'core 7',
    text: 'No connection is made to an address that is not public: the table of docs/webhooks.md.',
  },
  'dial.all-addresses': {
    source: 'core 7',
    text: 'Every address of a name is checked; one that is not public stops the connection.',
  },
  'dial.pinned': {
    source: 'core 7',
    text:
      'A name is resolved once, and the connection is made to exactly a checked address, ' +
      'whatever the name resolves to afterwards.',
  },
  'dial.tls': {
    source: 'spec Webhook delivery, issue 5.4',
    text:
      'No request is sent with a certificate for another name, expired, self-signed or of an ' +
      'unknown authority, or with TLS below 1.2.',
  },
  'dial.no-redirect': { source: 'spec Webhook delivery', text: 'No redirect is followed.' },
  'dial.bytes': { source: 'core 7', text: 'At most 64 KiB of a response is read.' },
  'dial.deadline': { source: 'spec Limits', text: 'A receiver has five seconds in total.' },
  'dial.test-only': {
    source: 'core 12',
    text:
      'TEST_DIAL and TEST_CA are refused outside a test realm, and when they are malformed, ' +
      'with a sentence.',
  },
  'client.verify-hint': {
    source: 'issue 5.5',
    text:
      'verifyHint accepts what the service signed within the allowed skew, and nothing else. ' +
      'challengeResponse proves the secret.',
  },
  'client.receiver': {
    source: 'issue 5.5',
    text:
      'examples/receiver.ts verifies, deduplicates deliveryId, reads events by cursor and ' +
      'survives restarts.',
  },
  'client.python': {
    source: 'issue 5.5',
    text: "The receiver of docs/webhooks.md, in Python's standard library, does the same.",
  },
};
