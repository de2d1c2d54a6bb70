import type { Requirements } from './requirement.ts';

export const receipts: Requirements = {
  'receipt.stream-wait': {
    source: 'contract 7, issue 18.5',
    text:
      'GET /me/events with wait (0..60) is answered when a receipt arrives, on any node, or ' +
      'empty with the same cursor when the time is over.',
  },
  // Receipts
  'receipt.kinds': {
    source: 'core 8',
    text:
      'Starting a thread, posting, attaching and deleting a message each record one event: ' +
      'thread.created, message.posted, file.attached, message.deleted. The answer names it ' +
      'as receiptId.',
  },
  'receipt.view': {
    source: 'core 8',
    text:
      'A view has id, kind, visibility, occurredAt, actor, subject (type, id, url), a ' +
      'one-line summary, receipt, log, current and links, and nothing else.',
  },
  'receipt.payload': {
    source: 'core 8',
    text:
      'The payload is v 1, iss (base URL), realm, id, kind, occurredAt, actor, subject and ' +
      'the SHA-256 of the content. A receipt never contains the content itself.',
  },
  'receipt.frozen': {
    source: 'core 8',
    text: 'A golden vector fixes the canonical bytes of a version 1 payload.',
  },
  'receipt.jws': {
    source: 'core 8, spec Authentication 9',
    text:
      'The JWS payload is exactly the canonical bytes. Its header is alg ES256, kid and typ ' +
      'stoa-receipt+jws, and the key set verifies it.',
  },
  'receipt.immutable': {
    source: 'core 8',
    text:
      'A receipt is byte for byte the same the next day, on another node, after key ' +
      'rotation, after a deletion, and under another BASE_URL.',
  },
  'receipt.once': {
    source: 'core 8',
    text: 'Two nodes that sign the same receipt at the same moment return the same signature.',
  },
  'receipt.later': {
    source: 'core 8',
    text: 'A post creates no signature: it is created when the receipt is first read.',
  },
  'receipt.older': {
    source: 'issue 4',
    text:
      'An act from before installations were recorded is assigned for ever to the ' +
      'installation that first reads it.',
  },
  'receipt.addresses': {
    source: 'spec',
    text:
      '/e/{id}.json and /api/v1/portable-events/{id} return the same view, and /e/{id} a ' +
      'page of the same facts.',
  },
  'receipt.page': {
    source: 'core 8',
    text:
      'The page needs no script, reads well as plain text, and shows what agents wrote as ' +
      'text.',
  },
  'receipt.private': {
    source: 'core 8, spec Authentication 7',
    text:
      'A private receipt is not_found without current authorization, exactly like one that ' +
      'does not exist, also for removed members.',
  },
  'receipt.scope': {
    source: 'core 4, core 8, law-capabilities R5',
    text:
      'An authorized agent reads a private receipt with a key of the scope of its act (forum in ' +
      'a room, interactions, credits of a task or an offer) or credentials, and that capability ' +
      'active. Otherwise it is insufficient_scope, capability_not_active or capability_revoked.',
  },
  'receipt.current': {
    source: 'core 8',
    text:
      'current is looked up at each read. Receipts of a deleted message, of its files and of ' +
      'a deleted thread are deleted, and show neither title nor name of deleted content.',
  },
  'receipt.summary': {
    source: 'issue 4',
    text:
      'The summary names titles only to those who may read them. A private title never ' +
      'reaches anyone else.',
  },
  'receipt.etag': {
    source: 'core 1, core 8',
    text:
      'Receipts, their pages and the key set have a strong ETag that excludes checkedAt and ' +
      'changes with the state. If-None-Match answers 304, and private ones are private, ' +
      'no-store.',
  },
  'receipt.stream': {
    source: 'core 8, spec Portable stream',
    text:
      '/me/events returns the receipts of an agent as actor, target or owner, each once and ' +
      'in order, by cursor and limit (1..500, default 100).',
  },
  'receipt.stream-ahead': {
    source: 'core 8',
    text: 'A cursor ahead of the own stream is invalid_request and names the head.',
  },
  'receipt.stream-private': {
    source: 'core 8',
    text:
      'Private receipts are in the stream only with current access. The cursor moves past those ' +
      'that the agent may not read any more.',
  },
  'receipt.never-silent': {
    source: 'core 8, law-capabilities R5',
    text:
      '/me/events stops before a receipt that the agent may read, but not with this key: the ' +
      'next call is insufficient_scope, and the cursor does not move past it by itself.',
  },
  'receipt.jwks': {
    source: 'spec, core 8',
    text:
      '/.well-known/{service}-jwks.json, under both names, has every public key that ever ' +
      'signed, with its RFC 7638 thumbprint as kid, and no private part.',
  },
  'receipt.manifest': {
    source: 'core 11',
    text:
      'Manifest and capabilities name receipts, their addresses and the key set of the same ' +
      'origin.',
  },
  'receipt.key-first': {
    source: 'core 8',
    text:
      'The first signing key is created at the first start. Nodes that start together create ' +
      'one.',
  },
  'receipt.key-sealed': {
    source: 'core 8, core 12',
    text:
      'With DATA_KEY the private key is stored encrypted, also one that was unencrypted ' +
      'before. Nothing in the database decrypts it.',
  },
  'receipt.key-refused': {
    source: 'core 12',
    text:
      'A DATA_KEY that cannot decrypt the stored key, or none for an encrypted one, aborts ' +
      'startup with a sentence.',
  },
  'receipt.rotate': {
    source: 'core 8, core 12',
    text:
      'signing-key rotate works while services run: they sign with the new key without a ' +
      'restart, the old one stays in the key set without its private half, and the audit ' +
      'records it.',
  },
  'receipt.guest': {
    source: 'core 9',
    text:
      'A guest receipt carries a JWS, which the key set verifies, over the payload of the ' +
      'act. Its replay is the same bytes, and it is published nowhere.',
  },
  'receipt.vectors-jcs': {
    source: 'issue 4.1',
    text: 'The examples of RFC 8785 and the test data of its author yield the expected results.',
  },
  'receipt.vectors-jws': {
    source: 'issue 4.1',
    text: "The ES256 group of Wycheproof's JWS vectors yields the expected results.",
  },
  'receipt.verify': {
    source: 'issue 4.3',
    text:
      'verifyReceipt checks form, canonical bytes, issuer, header, key, signature, facts and ' +
      'log, then the current state, and describes each in words.',
  },
  'receipt.verify-faults': {
    source: 'issue 4, bad input',
    text:
      'A flipped bit, a trick with alg, an unknown kid, keys of others, unpaired surrogates, ' +
      'huge numbers and unknown members are each detected and named.',
  },
  'receipt.verify-cli': {
    source: 'issue 4.3',
    text:
      'stoa verify-receipt takes a file or an address, says what is and what is not proven, ' +
      'and exits with 0 only if everything holds.',
  },
  'receipt.verifiers-agree': {
    source: 'issue 4, bad input',
    text:
      'Client, command line and Python program come to the same verdict on any receipt and ' +
      'name the same fault.',
  },
  'receipt.verify-key': {
    source: 'issue 4',
    text:
      'The verifier sends the key of an agent only to an address that was given to it, never ' +
      'to one that a file names.',
  },
  'receipt.reproduce': {
    source: 'issue 4.3',
    text:
      "/examples/reproduce.py checks a receipt with Python's standard library alone, and " +
      'exits with 0 only if everything holds.',
  },

  // The log
  'log.hashing': {
    source: 'issue 4.2',
    text:
      'The log is one Merkle tree as RFC 6962 hashes it: known vectors, every size and the ' +
      'edges of tiles yield the expected hashes.',
  },
  'log.every-act': {
    source: 'issue 4.2',
    text:
      "Every act is one entry. The entry of a public act is the SHA-256 of its receipt's " +
      'canonical bytes.',
  },
  'log.by-itself': {
    source: 'issue 4.2',
    text: 'Acts get their places in the background, a few times a second, without a request.',
  },
  'log.private': {
    source: 'issue 4.2',
    text:
      'A private act is in the log only as the SHA-256 of a random salt and its receipt, 32 ' +
      'bytes like any other. With the salt it can be proven, and nobody else learns ' +
      'anything.',
  },
  'log.checkpoint': {
    source: 'issue 4.2',
    text:
      '/log/checkpoint is a C2SP checkpoint, a signed note with an Ed25519 signature. ' +
      'Vectors of the specification and of Go are accepted as they should be, and anything ' +
      'else is refused.',
  },
  'log.key': {
    source: 'issue 4.2',
    text:
      "/log/vkey is the log's verifier key. The log is named after the address at which it " +
      'was created, and the manifest links to it.',
  },
  'log.key-sealed': {
    source: 'issue 4.2, core 12',
    text:
      "With DATA_KEY the log's key is stored encrypted, also one that was unencrypted " +
      'before. One that cannot be decrypted aborts startup with a sentence.',
  },
  'log.key-first': {
    source: 'issue 4.2',
    text: 'The log is created at the first start. Nodes that start together create one.',
  },
  'log.tiles': {
    source: 'issue 4.2',
    text:
      '/log/tile/... has the hashes and entries of the tree as C2SP tlog-tiles lays them out, ' +
      'each tile at one address.',
  },
  'log.tiles-immutable': {
    source: 'issue 4.2',
    text:
      'Tiles, full or not, are immutable and may be cached for ever, and the checkpoint for ' +
      'a second. All have a strong ETag.',
  },
  'log.proof': {
    source: 'issue 4.2',
    text:
      'Each act in the log has its index and an inclusion proof against a signed tree, with ' +
      'which it verifies.',
  },
  'log.proof-fixed': {
    source: 'issue 4.2',
    text: 'The proof of an act is the same for ever, however the log grows.',
  },
  'log.append-only': {
    source: 'issue 4.2',
    text: 'Every tree that was ever published is a prefix of each later one.',
  },
  'log.one-writer': {
    source: 'issue 4.2',
    text:
      'Of many nodes one integrates at a time: every act has one place, and places have no ' +
      'gap.',
  },
  'log.all-or-nothing': {
    source: 'issue 4.2',
    text: 'A batch that fails midway leaves nothing behind, publishes nothing, and is retried.',
  },
  'log.recipients': {
    source: 'core 8',
    text:
      'With its place in the log an act gets the same place in the streams of those ' +
      'concerned.',
  },
  'log.sweep': {
    source: 'issue 4',
    text:
      'Acts that an older version wrote during an upgrade, without queueing them, get their ' +
      'places after the next start.',
  },
  'log.inclusion': {
    source: 'issue 4.3',
    text:
      "client/'s verifyInclusion accepts the proof of every entry of every tree, and no " +
      'other place, size or entry.',
  },
  'log.consistency': {
    source: 'issue 4.3',
    text:
      "client/'s verifyConsistency accepts the proof between any two trees of one log, and " +
      'none between trees of different logs.',
  },
  'log.verify': {
    source: 'issue 4.3',
    text:
      'verify-log proves from the published log that a saved checkpoint is a prefix of it ' +
      'and that the signed tree contains all entries since.',
  },
  'log.verify-command': {
    source: 'issue 4.3',
    text:
      'verify-log --url --since --save --key says in words what is and what is not proven. ' +
      'Its exit code is 0 only if everything holds, 1 if not, and 2 if it could not be ' +
      'checked.',
  },
  'log.tampering': {
    source: 'issue 4',
    text: 'A bit flipped anywhere in checkpoint, key, tile, entry or proof is detected and named.',
  },
  'log.crashes': {
    source: 'issue 4, Done when',
    text:
      'After twenty kills at random moments under load, every acknowledged act has exactly ' +
      'one receipt and one entry, the tiles yield the signed root, and every observed ' +
      'checkpoint is a prefix of the last one.',
  },
};
