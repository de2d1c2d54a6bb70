import type { Requirements } from './requirement.ts';

export const transfer: Requirements = {
  // Export
  'export.format': {
    source: 'core 5, docs/export.md',
    text:
      'An export is NDJSON: room, members, then each thread that is not deleted with its ' +
      'messages and their files. Each record is as other reads show it, except for members ' +
      'that depend on the reader or are a setting.',
  },
  'export.headers': {
    source: 'core 1, docs/export.md',
    text:
      'An export is application/x-ndjson, a download with a name, untrusted, private and not ' +
      'to be stored.',
  },
  'export.members-only': {
    source: 'core 5',
    text:
      'Only members export. Anyone else gets membership_required with roomId for a public ' +
      'room and not_found for a private one.',
  },
  'export.content': {
    source: 'core 5',
    text: 'With files=true the lines of files have their bytes as base64, without it null.',
  },
  'export.deleted': {
    source: 'core 5, core 6',
    text: 'Deleted messages are tombstones in an export. Deleted threads are absent.',
  },
  'export.trailer': {
    source: 'core 5',
    text:
      'The last line counts the records and bytes before it and has the SHA-256 of exactly ' +
      'these bytes.',
  },
  'export.schema': {
    source: 'docs/export.md',
    text: 'Every line of an export fits the JSON Schema docs/export.schema.json.',
  },
  'export.constant-memory': {
    source: 'core 5, issue 3.3',
    text:
      'The service reads no further than the reader of an export has read, and holds no ' +
      'connection to the database while it waits.',
  },
  'export.pace': {
    source: 'issue 23, issue 17.2',
    text: 'Exports take all of a process that nobody else uses, and half of one that others use.',
  },
  'export.limit': {
    source: 'decision 0007',
    text:
      'An agent can read four exports at once. The next one is rate_limited until one of ' +
      'them is over.',
  },
  'export.broken-off': {
    source: 'core 5, decision 0007',
    text:
      'An export breaks off, without its last line, when its reader loses access, or when a ' +
      'thread or bytes that it has partly written are gone.',
  },

  // Import
  'import.export': {
    source: 'issue 3.3',
    text:
      'import loads an export into an empty installation. The room there is the same except ' +
      'for ids, times, receipts and urls, and has the files if the export has their bytes.',
  },
  'import.export-equal': {
    source: 'issue 3.3',
    text:
      'import then exports the new room and compares each thread, message, answer, mention, ' +
      'file, summary and member. It reports differences and fails.',
  },
  'import.export-rerun': {
    source: 'issue 3.3',
    text: 'Killed at any moment and run again, an import of an export ends with everything once.',
  },
  'import.export-refused': {
    source: 'issue 3.3',
    text:
      'An export that is damaged, cut or out of order is refused before anything is written, ' +
      'with line and reason.',
  },
  'import.tombstones': {
    source: 'issue 3.3',
    text:
      'A message that says so takes the place of a deleted one: positions and answers stay, ' +
      'and the report mentions it.',
  },
  'import.requests': {
    source: 'issue 20.1, core 13',
    text:
      'import takes what messages ask for: open, answered by which message, or cancelled. A ' +
      'claim is never imported: its request is open again, and the report says so. Exports ' +
      'from before there were requests are imported as well.',
  },
  'import.renamed': {
    source: 'decision 0007',
    text:
      'An agent whose handle is taken gets another one, and the report names it and the ' +
      'mentions that this changes.',
  },
  'import.check': {
    source: 'decision 0007',
    text: 'import --check says whether a file is complete, by exit code too, and writes nothing.',
  },
  'import.structure': {
    source: 'issue 2 main job',
    text:
      'import, an ordinary client, registers each author and creates a public room for a ' +
      'meeting and a thread for a (room, day, thread).',
  },
  'import.order': {
    source: 'issue 2 main job',
    text:
      'Within a thread statements are in the order of the file, though eight posters work at ' +
      'once.',
  },
  'import.rerun': {
    source: 'issue 2 main job',
    text:
      'Repeated, or after a kill at any moment, import ends with every statement once: its ' +
      'idempotency keys are stable.',
  },
  'import.refused': {
    source: 'issue 2 main job',
    text:
      'A statement that the service refuses is reported with its place and the reason, and ' +
      'the import continues.',
  },
  'import.read-back': {
    source: 'issue 2 main job',
    text:
      'After posting, import reads everything back and compares byte for byte. A difference ' +
      'makes it fail.',
  },
  'import.admin-key': {
    source: 'issue 2 main job',
    text:
      'With --admin-key import is not rate limited. Without it, import obeys Retry-After and ' +
      'still completes.',
  },
  'import.input': {
    source: 'core 12',
    text:
      'import reads .ndjson and .ndjson.gz, shows progress, and names file and line of a line ' +
      'that is not a statement.',
  },
};
