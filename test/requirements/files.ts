import type { Requirements } from './requirement.ts';

export const files: Requirements = {
  // Files
  'file.attach': {
    source: 'spec Threads, core 6',
    text:
      'POST /messages/{id}/files takes the form field file and returns a FileRow with ' +
      'exactly its nine fields. GET /files/{id} returns the same bytes.',
  },
  'file.listed': {
    source: 'core 6',
    text:
      'A message shows its files in the order of their arrival, also on a page that was ' +
      'cached before. GET /stats counts the public ones.',
  },
  'file.form': {
    source: 'spec Threads, issue 3.1',
    text:
      'A form without file, with another field, with two parts or without a filename, and a ' +
      'body that is no form, are refused with a pointer or 415.',
  },
  'file.broken-form': {
    source: 'issue 3.1',
    text:
      'A form that breaks off, lies about its length, never ends or never begins is refused, ' +
      'and leaves no row, no bytes and no temporary file.',
  },
  'file.limit': {
    source: 'core 1, issue 3.1',
    text:
      'A file over the limit (FILE_BYTES, default 10 MiB) is payload_too_large with limit, ' +
      'also when its length was not announced. A file of exactly the limit is stored.',
  },
  'file.checked-first': {
    source: 'issue 3.1',
    text: 'A caller who may not attach is refused before a byte of the file is read.',
  },
  'file.author': {
    source: 'core 6',
    text:
      'Only the author attaches to a message, and only as a member of the room. A deleted ' +
      'message accepts none (gone).',
  },
  'file.ten': {
    source: 'core 6',
    text:
      'The eleventh file of a message is limit_exceeded with limit 10, also when two race ' +
      'for the tenth place.',
  },
  'file.day': {
    source: 'core 6',
    text: 'A message accepts files for 24 hours. Then attaching is state_conflict.',
  },
  'file.names': {
    source: 'core 1, 6, issue 3.1',
    text:
      'A file name is 1..255 code points, normalised like a name. Only the last part of a ' +
      'path counts, and control and bidi characters are refused.',
  },
  'file.type': {
    source: 'core 6',
    text:
      'A file is served with the type that its bytes look like if that is on a safe list, ' +
      'and as application/octet-stream otherwise, whatever its sender called it.',
  },
  'file.unopened': {
    source: 'issue 3.1',
    text: 'An archive is stored and served as it is, and nothing inside it is read.',
  },
  'file.headers': {
    source: 'core 6',
    text:
      'A file is served with nosniff, Content-Disposition: attachment with its name by RFC ' +
      '6266, Content-Security-Policy: sandbox and the trust mark.',
  },
  'file.etag': {
    source: 'core 1, 6',
    text:
      'A file has its SHA-256 as strong ETag, and If-None-Match with it answers 304 without a ' +
      'body.',
  },
  'file.range': {
    source: 'core 2, 6',
    text:
      'Range answers 206 with the part and Content-Range. One that cannot be satisfied is ' +
      '416 with the size, and a malformed or multiple one, or another If-Range, returns the ' +
      'whole.',
  },
  'file.head': {
    source: 'core 1',
    text: 'HEAD of a file has the headers of GET, including its length, and no body.',
  },
  'file.access': {
    source: 'core 6, issue 3.1',
    text:
      'Access to a file is access to its thread at every read: forbidden in a listed thread, ' +
      'not_found in a hidden one, and private, no-store when private.',
  },
  'file.gone': {
    source: 'core 2, 6',
    text:
      'Files of a deleted message or thread are gone for callers who could read them, and no ' +
      'longer on any page or in any count.',
  },
  'file.receipt': {
    source: 'core 8',
    text:
      'Attaching records one portable event file.attached with the SHA-256 of the bytes, ' +
      'private where the thread is.',
  },
  'file.idempotent': {
    source: 'core 3.3, 3.5',
    text:
      'A repeated upload with the same bytes, name and type gets the first answer byte for ' +
      'byte, even with another boundary. Other bytes, name or type are ' +
      'idempotency_key_reused.',
  },
  'file.replay-first': {
    source: 'core 3.10',
    text:
      'The stored answer to an upload is replayed although the message accepts no file by ' +
      'now, or the caller may no longer read it.',
  },
  'file.once': {
    source: 'core 6',
    text:
      'Identical bytes are stored once, however many files have them, also when they arrive ' +
      'concurrently.',
  },
  'file.committed-last': {
    source: 'core 6',
    text:
      'The row of a file is committed only when its bytes are stored. An upload that fails ' +
      'leaves no row.',
  },
  'file.collected': {
    source: 'core 6, issue 3.1',
    text:
      'Bytes and temporary files that a crash or deletion left behind are gone within a day, ' +
      'and nothing as young as an upload can be is touched.',
  },
  'file.never-lost': {
    source: 'issue 3.1',
    text:
      'The collector never deletes bytes that a file refers to or that an upload is about to ' +
      'refer to, whatever runs at the same time.',
  },
  'file.stores': {
    source: 'core 6, issue 3.1',
    text:
      'The local disk and an S3-compatible store behave the same: bytes are stored once, ' +
      'read whole and in part, and deleted, repeatedly without harm, and an absent file is ' +
      'distinguished from an unreachable store.',
  },
  'file.store-down': {
    source: 'core 2',
    text:
      'While the store of files cannot be reached, uploads and reads are unavailable with ' +
      'Retry-After, and the same upload succeeds afterwards.',
  },
  'file.store-setting': {
    source: 'core 12',
    text:
      'FILE_STORE is DATA_DIR or s3://bucket/prefix with AWS variables and S3_ENDPOINT. A ' +
      'store that cannot be used aborts startup with a sentence.',
  },
};
