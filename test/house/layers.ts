/**
 * The table of ARCHITECTURE.md: which file may import which. A layer is what a file is for; the
 * first pattern that fits names it. Roots put things together and may import everything. Paths are
 * relative to `src`.
 */
export const layers: readonly (readonly [layer: string, pattern: RegExp])[] = [
  ['root', /^(main|app\/.+|cli\/.+)\.ts$/],
  ['registry', /^operations\.ts$/],
  ['config', /^(?:config|face-parsers|limit-parsers|setting-parsers)\.ts$/],
  ['kernel', /^kernel\/[^/]+$/],
  ['kernel/crypto', /^kernel\/crypto\//],
  ['kernel/schema', /^kernel\/schema\//],
  ['kernel/text', /^kernel\/text\//],
  ['kernel/records', /^kernel\/records\//],
  ['kernel/html', /^kernel\/html\//],
  ['kernel/callers', /^kernel\/callers\//],
  ['kernel/limits', /^kernel\/limits\//],
  ['kernel/operation', /^kernel\/operation\//],
  ['kernel/pipeline', /^kernel\/pipeline\//],
  ['kernel/documents', /^kernel\/documents\//],
  ['outgoing', /^outgoing\//],
  ['blobs', /^blobs\//],
  ['db', /^db\//],
  ['http', /^http\//],
  ['traces', /^traces\//],
  ['mcp', /^mcp\//],
  ['jobs', /^jobs\//],
  ['import', /^import\//],
  ['client', /^\.\.\/client\//],
  ['index', /^features\/[^/]+\/index\.ts$/],
  ['store', /^features\/[^/]+\/(?:[^/]+\/)?([^/]+\.)?store\.ts$/],
  ['rules', /^features\/[^/]+\/(?:[^/]+\/)?(([^/]+\.)?rules|transitions)\.ts$/],
  ['schemas', /^features\/[^/]+\/(?:[^/]+\/)?([^/]+\.)?schemas\.ts$/],
  ['job', /^features\/[^/]+\/(?:[^/]+\/)?[^/]+\.job\.ts$/],
  ['markdown', /^features\/[^/]+\/(?:[^/]+\/)?[^/]+\.markdown\.ts$/],
  ['rows', /^features\/[^/]+\/(?:[^/]+\/)?[^/]+-rows?\.page\.ts$/],
  ['page', /^features\/[^/]+\/(?:[^/]+\/)?[^/]+\.page\.ts$/],
  ['operation', /^features\/[^/]+\/(?:[^/]+\/)?[^/]+\.ts$/],
];

/** The rooms of the kernel. Features and edges may use all of them. */
const kernel = [
  'kernel',
  'kernel/crypto',
  'kernel/schema',
  'kernel/text',
  'kernel/records',
  'kernel/html',
  'kernel/callers',
  'kernel/limits',
  'kernel/operation',
  'kernel/pipeline',
  'kernel/documents',
];

interface MayImport {
  /** Layers that may be imported from anywhere. */
  readonly any: readonly string[];
  /** Layers that may be imported from the same feature only. */
  readonly own?: readonly string[];
}

/** What each layer may import. */
export const mayImport: Readonly<Record<string, MayImport>> = {
  registry: { any: ['index'] },
  config: { any: [...kernel, 'outgoing', 'config'] },
  kernel: { any: ['kernel'] },
  'kernel/crypto': { any: ['kernel', 'kernel/crypto', 'db'] },
  'kernel/schema': { any: ['kernel', 'kernel/schema'] },
  'kernel/text': { any: ['kernel', 'kernel/text'] },
  'kernel/records': { any: ['kernel', 'kernel/crypto', 'kernel/schema', 'kernel/records', 'db'] },
  'kernel/html': { any: ['kernel', 'kernel/crypto', 'kernel/schema', 'kernel/html'] },
  'kernel/callers': { any: ['kernel', 'kernel/crypto', 'kernel/html', 'kernel/callers', 'db'] },
  'kernel/limits': { any: ['kernel', 'kernel/limits', 'db'] },
  'kernel/operation': {
    any: [
      'kernel',
      'kernel/crypto',
      'kernel/schema',
      'kernel/text',
      'kernel/html',
      'kernel/callers',
      'kernel/limits',
      'kernel/operation',
    ],
  },
  'kernel/pipeline': {
    any: [...kernel.filter((room) => room !== 'kernel/documents'), 'outgoing', 'blobs', 'db'],
  },
  'kernel/documents': { any: ['kernel', 'kernel/limits', 'kernel/documents'] },
  // Connections out of the process. It knows neither the database nor the kernel.
  outgoing: { any: ['outgoing'] },
  blobs: { any: ['blobs', 'db'] },
  db: { any: ['db'] },
  http: { any: ['http', 'traces', ...kernel, 'registry'] },
  traces: { any: ['traces', 'kernel'] },
  mcp: { any: ['mcp', ...kernel, 'registry'] },
  // It knows the jobs of features, and nothing of their operations.
  jobs: { any: ['jobs', ...kernel, 'blobs', 'job', 'store'] },
  // An ordinary client: it knows the service over HTTP only.
  import: { any: ['import', 'client'] },
  index: { any: [], own: ['operation'] },
  store: { any: ['db', ...kernel], own: ['schemas', 'store'] },
  rules: { any: ['rules', ...kernel] },
  schemas: { any: ['schemas', ...kernel] },
  // An operation may answer with a page of its own feature.
  operation: {
    any: [...kernel, 'store', 'rules', 'schemas', 'markdown'],
    own: ['operation', 'page'],
  },
  job: { any: [...kernel, 'store', 'rules', 'schemas'], own: ['operation', 'job'] },
  page: { any: [...kernel, 'store', 'rules', 'schemas', 'rows'], own: ['operation', 'page'] },
  // An answer as Markdown: a pure function of what a schema describes.
  markdown: { any: [...kernel, 'schemas', 'markdown'] },
  // Things of one kind as a list: they look alike on every page.
  rows: { any: [...kernel, 'schemas'] },
};

/**
 * Imports beyond the table, and why each is right. One that is not needed any more fails the test.
 */
export const exceptions: Readonly<Record<string, string>> = {
  'config > db/host-list.ts': 'an address is checked by what reads it',
  'kernel > db/sql.ts': '*access.ts say who may see what as predicates, effects.ts names a type',
  'kernel > blobs/blobs.ts': 'a type: what a range of bytes is',
  'kernel/operation > db/database.ts': 'types: handlers get a transaction',
  'kernel/operation > blobs/blobs.ts': 'a type: handlers of content get the bytes',
  'kernel/operation > outgoing/dial.ts': 'a type: external calls get the way out',
  'store > rules': 'the bits and names of a column are pure facts of the rules',
  'schemas > rules': 'enums on the wire are the names that the rules know',
  'rules > schemas': 'types and constants of records, nothing that runs',
  'http > db/database-errors.ts': 'tells an unreachable store from a defect',
  'http > blobs/blobs.ts': 'tells an unreachable store from a defect, and names ranges',
  'import > features/messages/rules.ts': 'a check applies the limit of a body that a post does',
  'import > kernel/errors.ts': 'the refusals of those rules',
  'import > kernel/schema/json.ts': 'a check applies the rules of texts that a call does',
  'import > kernel/clock.ts': 'clock and chance come from one place',
  'import > kernel/ids.ts': 'clock and chance come from one place',
  'import > kernel/schema/text.ts': 'it cuts names by the rules by which they are checked',
  'import > features/export/schemas.ts': 'the format of an export is written down once',
  'import > kernel/schema/validate.ts': 'it validates its records by that schema',
  'job > db/database.ts': 'a type: a job opens its own transactions',
  'features/log/integrate-receipts.job.ts > features/receipts/receipt-payload.ts':
    'pure, like rules, but a file of its own',
  'features/webhooks/webhook-protocol.ts > outgoing/dial.ts':
    'types: it is the way out of an external call',
  'operation > db/database.ts': 'types: parts of handlers say what they read from',
  'features/receipts/store.ts > features/receipts/receipt-payload.ts':
    'a type: what a payload is built from',
  'features/interactions/readable-references.ts > features/receipts/receipt-subjects.ts':
    'only receipts know what a receipt is about, which decides who may refer to it',
  'operation > features/interactions/readable-references.ts':
    'who may refer to what is decided once, for all evidence',
  'operation > features/interactions/assert-digests.ts':
    'evidence about other records states digests that are compared in the same way',
  'operation > features/interactions/add-evidence.ts':
    'evidence is submitted in one way, whatever it is about',
  'features/campaigns/dispatch-campaign.ts > features/threads/start-thread.ts':
    'a notice is posted like any other first message',
  'features/research/read-export-data.ts > features/export/concurrent-exports.ts':
    'one limit covers all exports that an agent reads at once',
  'features/admin/delete-message.ts > features/messages/deletion/leave-tombstone.ts':
    'a message is deleted in one way, whoever does it',
  'features/admin/recover-agent.ts > features/offers/cancel-open-offers.ts':
    'an offer is cancelled in one way, whoever does it',
  'features/admin/delete-file.ts > features/files/detach-file.ts':
    'a file is deleted in one way, whoever does it',
  'features/reports/resolve-report-by-form.ts > features/admin/moderate-target.ts':
    'one form deletes, blocks and closes by the operations of administrators',
  'features/messages/message-ranges.store.ts > features/requests/request-status.store.ts':
    'a message shows what it asks for, read in the same statement',
  'operation > features/requests/open-request.ts':
    'a request is opened in one way, also with the first message of a thread',
  'features/messages/post-message.ts > features/requests/answer-request.ts':
    'an answer is a post that ends a claim in the same transaction',
  'operation > features/rooms/join-public-room.ts':
    'forms of several features join a public room in one way on their way',
  'features/rooms/room.page.ts > features/threads/thread-form.page.ts':
    'the form that starts a thread stands on the page of its room',
  'features/messages/thread.page.ts > features/threads/outcome-form.page.ts':
    'the form that sets the outcome of a thread stands on the page of its messages',
  'features/threads/create-thread.ts > features/messages/mentions.ts':
    'pure, like rules, but a file of its own',
};

/** Readers of clock, chance and environment beside the kernel and config.ts. */
export const clockReaders: Readonly<Record<string, RegExp>> = {
  'it starts the process': /^(main\.ts$|cli\/)/,
  'it waits for processes of the machine and names temporary files, none of which reach a record':
    /^db\/embedded\//,
};

/**
 * The tables that the kernel itself owns, by room. No file of the kernel names a table of a feature
 * but `access.ts`, `record-access.ts` and `task-access.ts`, which decide who may see what.
 */
export const kernelTables: Readonly<Record<string, readonly string[]>> = {
  'kernel/callers': [
    'admin_keys',
    'agents',
    'capability_states',
    'idempotency_records',
    'api_keys',
    'page_sessions',
    'session_secret',
    'stream_reads',
  ],
  'kernel/limits': ['rate_buckets'],
  'kernel/crypto': ['signing_keys'],
  'kernel/records': ['agents', 'record_revisions', 'records'],
  'kernel/pipeline': [
    'event_heads',
    'events',
    'idempotency_claims',
    'idempotency_records',
    'mutes',
    'portable_events',
    'portable_queue',
  ],
};
