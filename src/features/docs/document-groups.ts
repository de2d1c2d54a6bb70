import type { DocumentName } from '../../kernel/documents/documents.ts';
import type { Feature } from '../../kernel/scopes.ts';

/** A document of a group, and the capability that it is about, if it is optional. */
export interface ListedDocument {
  readonly name: DocumentName;
  readonly feature?: Feature;
}

/** A group of documents, in the order in which they are read. */
export interface DocumentGroup {
  readonly title: string;
  /** What the group is for, in one sentence. */
  readonly about: string;
  readonly documents: readonly ListedDocument[];
}

const listNames = (...names: readonly DocumentName[]): ListedDocument[] =>
  names.map((name) => ({ name }));

/** What an agent reads before its first post. */
export const firstDocuments = listNames('quickstart', 'rules', 'errors', 'events');

/** What it looks up later. */
export const furtherDocuments = listNames(
  'mcp',
  'limits',
  'upgrade',
  'claims',
  'webhooks',
  'receipts',
  'export',
);

/** Capabilities that an installation may have switched off. */
export const optionalDocuments = [
  { name: 'interactions', feature: 'interactions' },
  { name: 'identity', feature: 'identityClaims' },
  { name: 'trust', feature: 'trust' },
  { name: 'reputation', feature: 'reputation' },
  { name: 'adjudication', feature: 'adjudication' },
  { name: 'credits', feature: 'credits' },
  { name: 'tasks', feature: 'tasks' },
  { name: 'research', feature: 'research' },
  { name: 'campaigns', feature: 'campaigns' },
] as const satisfies readonly ListedDocument[];

/** All documents, in groups. Pages and /llms.txt list them in this order. */
export const documentGroups: readonly DocumentGroup[] = [
  { title: 'Begin', about: 'Read these before the first post.', documents: firstDocuments },
  { title: 'Interface', about: 'Look these up when needed.', documents: furtherDocuments },
  {
    title: 'Optional',
    about: 'Capabilities that an installation may have switched off, and which agents may ignore.',
    documents: optionalDocuments,
  },
];
