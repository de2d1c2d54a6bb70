import type { Requirements } from './requirement.ts';

export const discovery: Requirements = {
  // Discovery
  'discovery.version': {
    source: 'spec Versioning 2, core 11',
    text: 'GET /version returns service, version and api v1, all strings.',
  },
  'discovery.capabilities': {
    source: 'core 11',
    text:
      'GET /capabilities has service, realm, baseUrl, selfServiceActivation, consent, links, ' +
      'limits and enabled for each of the 14 capabilities.',
  },
  'discovery.manifest': {
    source: 'core, core 11',
    text:
      '/.well-known/{SERVICE_NAME}.json and /.well-known/service.json return the same ' +
      'manifest, built from the facts of /capabilities.',
  },
  'discovery.default-off': {
    source: 'spec 9, Versioning 5',
    text:
      'All optional capabilities, webhooks and selfServiceActivation are reported off by ' +
      'default.',
  },
  'discovery.limits': {
    source: 'core 11',
    text: 'limits are those in force: they follow the settings.',
  },
  'discovery.fixed': {
    source: 'spec 13',
    text:
      'No header, query or body of a caller selects realm, feature flags, issuance or ' +
      'dispatch.',
  },
  'discovery.stats': {
    source: 'core 6',
    text:
      'GET /stats has its nine fields, and counts only public rooms, threads, messages and ' +
      'files: private acts change none of these four.',
  },

  // Documents for agents and people
  'docs.names': {
    source: 'core 11, spec Public discovery',
    text:
      'GET /docs/{name}.md answers each document as Markdown with the address of this ' +
      'installation in it and an ETag. Another name is not_found.',
  },
  'docs.one-list': {
    source: 'issue 10.4',
    text: 'The documents at /docs, in /llms.txt and over MCP come from one list.',
  },
  'docs.quickstart': {
    source: 'issue 10.4',
    text:
      'The quickstart leads to a posted message and read events in five curl commands that ' +
      'work as written.',
  },
  'docs.errors': {
    source: 'core 2, core 11',
    text:
      'The document of errors has a heading for every code of the table, with status, title ' +
      'and what to do next. The type of every problem leads to one.',
  },
  'docs.limits': {
    source: 'core 11',
    text: 'The document of limits states the limits and rates that are in force.',
  },
  'docs.pages': {
    source: 'core 11',
    text:
      '/docs lists all documents with a sentence each. /docs/{name} is the document as HTML ' +
      'with anchors at its headings, and links its Markdown form.',
  },
  'docs.api': {
    source: 'issue 10.5',
    text:
      'The reference has a page for every operation of the OpenAPI document, without script: ' +
      'address, caller, parameters, body, answer, errors and a curl that makes this call.',
  },
  'docs.small': {
    source: 'issue 10',
    text: 'The median page of the reference and of the documents is under 30 KB.',
  },
  'docs.groups': {
    source: 'issue 25',
    text:
      '/docs lists the documents in the groups Begin, Interface and Optional, and marks those of ' +
      'capabilities that are switched off.',
  },
  'docs.neighbors': {
    source: 'issue 25',
    text: 'A document leads to those before and after it in the list.',
  },
  'docs.contents': {
    source: 'issue 25',
    text:
      'A document with several headings has a table of contents: beside it from 1,100 px, and ' +
      'above it to be opened elsewhere.',
  },
  'docs.examples': {
    source: 'issue 25',
    text:
      'The page of an operation shows its call with both clients, as programs that run, with ' +
      'variables instead of ids that are made up.',
  },
  'docs.start': {
    source: 'core 11, issue 10.4',
    text:
      '/start has a command to copy for an agent and for its operator, over MCP too where it ' +
      'is on.',
  },
  'markdown.accept': {
    source: 'contract 14 "Markdown", issue 19.4',
    text:
      'Threads, messages, rooms, agents and operations answer with Markdown where Accept prefers ' +
      'it, over REST and on pages, to whom they answer at all. Words of others are quoted.',
  },
  'docs.operation-markdown': {
    source: 'contract 14 "Markdown", issue 19.4',
    text: '/docs/api/{operation}.md has what an agent needs to make one call.',
  },
  'docs.skill': {
    source: 'contract 14 "Markdown", issue 19.5',
    text:
      '/skill.md has the first calls of /llms.txt, and /.well-known/agent-skills/index.json ' +
      'names it with its hash.',
  },
  'docs.llms': {
    source: 'core 11',
    text:
      '/llms.txt has a title, a summary, sections with links to every document, and the first ' +
      'calls.',
  },
  'docs.first-calls': {
    source: 'contract 14, issue 19.5',
    text:
      '/llms.txt teaches to join, start a thread, post a message with an idempotency key and ' +
      'catch up, in at most 1,300 tokens.',
  },
  'docs.links': {
    source: 'issue 10.4',
    text:
      'Every link of the service to itself leads somewhere: in pages, documents, addresses ' +
      'in capabilities and types of problems, with every capability on and off.',
  },
  'crawl.robots': {
    source: 'core 11',
    text: '/robots.txt names the sitemap and closes forms and endless pages.',
  },
  'crawl.sitemap': {
    source: 'core 11, issue 10.4',
    text:
      '/sitemap.xml has what anyone may read and nothing else: public threads, 1,000 at a ' +
      'time, with an index when there are more.',
  },
  'crawl.security': {
    source: 'core 11, RFC 9116',
    text:
      '/.well-known/security.txt has the contacts of SECURITY_CONTACT, an Expires within a ' +
      'year by the clock, and Canonical. Without the setting it is not_found.',
  },
  'feed.rooms': {
    source: 'issue 10.4, RFC 4287',
    text:
      'Each public room has an Atom feed of its newest threads with stable ids, updated, ' +
      'links to itself and its page, and an ETag.',
  },
  'feed.threads': {
    source: 'issue 10.4, RFC 4287',
    text:
      'Each public thread has an Atom feed of its newest messages with the same properties ' +
      'and without deleted ones. Any text is well-formed and inert in it.',
  },
  'feed.private': {
    source: 'issue 10.4, core 6',
    text:
      'The feed of a private room or thread is not_found for callers who may not know of it, ' +
      'and private and uncacheable for a member.',
  },
  'feed.announced': {
    source: 'issue 10.4',
    text:
      'Pages of public rooms and threads link their feeds in their head. Those of private ' +
      'ones link none.',
  },

  // OpenAPI
  'openapi.spec-paths': {
    source: 'core 11',
    text:
      'Every path of the tables of the spec is in the document and routed, text documents and ' +
      'switched-off operations too.',
  },
  'openapi.version': {
    source: 'spec Versioning 1',
    text: '/openapi.json is OpenAPI 3.1.1, with REST paths under /api/v1.',
  },
  'openapi.complete': {
    source: 'core 11, issue 2.2',
    text:
      'Every operation that the service routes is in the document and every documented one ' +
      'is routed, with parameters, headers and bodies.',
  },
  'openapi.itself': {
    source: 'core 11',
    text: 'The address of the OpenAPI document is itself one of its paths.',
  },
  'openapi.lint': {
    source: 'core 11',
    text:
      'The document passes strict linting by Redocly, and every operation has examples that ' +
      'fit their schemas.',
  },
  'openapi.truth': {
    source: 'core 11, design',
    text: 'Every response that tests see matches the schema of its operation and status.',
  },

  // The registry of operations
  'registry.one-line': {
    source: 'issue 2.2',
    text:
      'Each operation is declared once. Adding it to the registry alone yields route, ' +
      'OpenAPI entry, client method, generic tests and the one pipeline.',
  },
  'registry.client': {
    source: 'issue 2.2',
    text:
      'The typed client has every operation of the registry, and its types are those of the ' +
      'schemas.',
  },
  'registry.generic-tests': {
    source: 'issue 2.2, design',
    text:
      'Authentication, scope, visibility, idempotency and bad input are tested for every ' +
      'operation from the registry.',
  },
};
