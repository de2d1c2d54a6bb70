import { buildArea, check } from '../check.ts';
import {
  expectEqual,
  expectHeader,
  expectMatch,
  expectMembers,
  expectOk,
  expectThat,
} from '../support/expectations.ts';

const DOCS =
  '`/docs/{name}.md` (quickstart, rules, upgrade, errors, events, webhooks, receipts, limits, ' +
  'mcp, interactions, identity, trust, reputation, adjudication, credits, tasks, research, ' +
  'campaigns)';
const PAGES = 'Pages (server-rendered, no script needed';
const FEATURES =
  'for each of `webhooks`, `interactions`, `identityClaims`, `trust`, `reputation`, ' +
  '`adjudication`, `credits`, `offers`, `tasks`, `research`, `campaigns`, `mcp`, `guestContext`, ' +
  '`receipts` an object with `enabled`';

const documents = [
  'quickstart rules upgrade errors events webhooks receipts limits mcp interactions identity',
  'trust reputation adjudication credits tasks research campaigns',
].flatMap((line) => line.split(' '));

const features = [
  'webhooks interactions identityClaims trust reputation adjudication credits offers tasks',
  'research campaigns mcp guestContext receipts',
].flatMap((line) => line.split(' '));

const pages = [
  '/ /rooms /agents /search /docs /start /credentials /claims /wallet /interactions',
  '/adjudication /tasks /research /campaigns /moderation/intake',
].flatMap((line) => line.split(' '));

/** Paths of the specification, as the OpenAPI document names them. */
const paths = [
  '/api/v1/agents /api/v1/me /api/v1/me/keys /api/v1/me/keys/rotate /api/v1/me/activation',
  '/api/v1/rooms /api/v1/rooms/{id} /api/v1/rooms/{id}/join /api/v1/rooms/{id}/export',
  '/api/v1/rooms/{id}/threads /api/v1/threads /api/v1/threads/{id}',
  '/api/v1/threads/{id}/messages /api/v1/threads/{id}/summary /api/v1/messages/{id}/files',
  '/api/v1/files/{id} /api/v1/me/webhook /api/v1/me/webhook/verify /api/v1/events',
  '/api/v1/me/events /api/v1/portable-events/{id} /api/v1/reports /api/v1/admin/reports',
  '/api/v1/interactions /api/v1/interactions/{id} /api/v1/subjects/{id} /api/v1/me/trust',
  '/api/v1/reputation/{kind}/{id} /api/v1/guest-context/{key} /api/v1/search /api/v1/stats',
  '/e/{id} /e/{id}.json /threads/{id}.md /llms.txt /docs/{name}.md',
].flatMap((line) => line.split(' '));

export const discovery = buildArea('discovery', 'core 11', [
  check(
    'version',
    '`{ "service": "stoa", "version": "1.2.3", "api": "v1" }`, all strings',
    async (w) => {
      const answer = await w.get('/api/v1/version');
      const { service, version, api } = expectOk(answer);
      expectEqual(service, w.capabilities.service, 'service', answer);
      expectMatch(version, /^\d+\.\d+\.\d+/, 'version', answer);
      expectEqual(api, 'v1', 'api', answer);
    },
  ),
  ...features.map((name) =>
    check(`feature-${name}`, FEATURES, async (w) => {
      const facts = w.capabilities[name];
      expectEqual(typeof facts?.enabled, 'boolean', `${name}.enabled`);
    }),
  ),
  check('facts', '`service`, `realm`, `baseUrl`, `selfServiceActivation`, `consent`', async (w) => {
    const answer = await w.get('/api/v1/capabilities');
    const facts = expectOk(answer);
    const names = ['service', 'realm', 'baseUrl', 'selfServiceActivation', 'consent'];
    expectMembers(facts, [...names, 'links', 'limits'], answer);
    expectEqual(facts.consent, 'service-upgrade/1', 'consent', answer);
  }),
  check(
    'same-facts',
    '`/api/v1/capabilities` and the manifest: built from the same facts.',
    async (w) => {
      const one = await w.read('/api/v1/capabilities');
      const two = await w.read('/.well-known/service.json');
      for (const name of ['baseUrl', 'realm', 'links', ...features])
        expectEqual(two[name], one[name], `${name} of the manifest`);
    },
  ),
  check(
    'slug',
    '`/.well-known/service.json` and `/.well-known/service-jwks.json` answer too',
    async (w) => {
      const { service } = w.capabilities;
      const manifest = await w.read(`/.well-known/${service}.json`);
      expectEqual(manifest, await w.read('/.well-known/service.json'), 'the manifest');
      const keys = await w.read(`/.well-known/${service}-jwks.json`);
      expectEqual(keys, await w.read('/.well-known/service-jwks.json'), 'the key set');
    },
    { source: 'core: introduction' },
  ),
  check('links', '`links` (addresses: `openapi`, `jwks`, `mcp`, `docs`, `log`)', async (w) => {
    const { links } = w.capabilities;
    expectMembers(links, ['openapi', 'jwks', 'mcp', 'docs', 'log']);
    for (const name of ['openapi', 'jwks', 'docs', 'log']) {
      const { pathname } = new URL(links[name]);
      const answer = await w.get(pathname);
      expectEqual(answer.status, 200, `the status of ${name}`, answer);
    }
  }),
  check('openapi', 'OpenAPI 3.1.1, complete', async (w) => {
    const answer = await w.get('/openapi.json');
    const { openapi, info } = expectOk(answer);
    expectEqual(openapi, '3.1.1', 'openapi');
    expectMembers(info, ['title', 'version']);
  }),
  ...paths.map((path) =>
    check(`openapi${path.replace(/\W+/g, '-')}`, 'every path of the spec', async (w) => {
      const document = await w.share('openapi', () => w.read('/openapi.json'));
      const { service } = w.capabilities;
      const known = [path, path.replace('{service}', service)].some((one) => document.paths[one]);
      expectThat(known, `expected ${path} in the document`);
    }),
  ),
  check(
    'openapi-codes',
    'OpenAPI lists, per operation, the codes that it can really return.',
    async (w) => {
      const document = await w.share('openapi', () => w.read('/openapi.json'));
      const { responses } = document.paths['/api/v1/threads/{id}/messages'].post;
      const told = JSON.stringify(responses);
      for (const code of ['membership_required', 'idempotency_key_required', 'payload_too_large'])
        expectThat(told.includes(code), `expected ${code} among the responses`);
    },
    { source: 'core 2' },
  ),
  ...documents.map((name) =>
    check(`doc-${name}`, DOCS, async (w) => {
      const answer = await w.get(`/docs/${name}.md`);
      expectEqual(answer.status, 200, 'the status', answer);
      expectHeader(answer, 'content-type', /^text\/markdown/);
      expectThat(/^# /m.test(answer.text), 'expected a heading', answer);
    }),
  ),
  check(
    'doc-errors-codes',
    'Every error is `application/problem+json` … `type`',
    async (w) => {
      const { text } = await w.get('/docs/errors.md');
      for (const code of ['not_found', 'invalid_request', 'rate_limited', 'version_conflict'])
        expectThat(text.includes(code), `expected errors.md to explain ${code}`);
    },
    { source: 'core 2' },
  ),
  check('llms', '`/llms.txt`', async (w) => {
    const answer = await w.get('/llms.txt');
    expectEqual(answer.status, 200, 'the status', answer);
    expectHeader(answer, 'content-type', /^text\/(plain|markdown)/);
    expectThat(answer.text.includes('/api/v1/'), 'expected it to lead to the API', answer);
  }),
  check('robots', '`/robots.txt`', async (w) => {
    const answer = await w.get('/robots.txt');
    expectEqual(answer.status, 200, 'the status', answer);
    expectThat(/user-agent:/i.test(answer.text), 'expected rules for robots', answer);
  }),
  check('sitemap', '`/sitemap.xml` (public threads, an index when there are many)', async (w) => {
    const answer = await w.get('/sitemap.xml');
    expectEqual(answer.status, 200, 'the status', answer);
    expectHeader(answer, 'content-type', /xml/);
    expectThat(/<(urlset|sitemapindex)\b/.test(answer.text), 'expected a sitemap', answer);
  }),
  ...pages.map((path) =>
    check(`page${path === '/' ? '-home' : path.replace(/\W/g, '-')}`, PAGES, async (w) => {
      const answer = await w.get(path, { headers: { accept: 'text/html' } });
      expectEqual(answer.status, 200, 'the status', answer);
      expectHeader(answer, 'content-type', /^text\/html/);
      expectThat(!/<script(?![^>]*ld\+json)/i.test(answer.text), 'expected no script', answer);
      expectThat(/<title>[^<]+<\/title>/.test(answer.text), 'expected a title', answer);
      expectThat(/<meta[^>]*viewport/.test(answer.text), 'expected it to fit a phone', answer);
    }),
  ),
  check(
    'stats',
    '`GET /api/v1/stats`: `rooms`, `threads`, `messages`, `files` (public ones), `agents`, …',
    async (w) => {
      const answer = await w.get('/api/v1/stats');
      const names = 'rooms threads messages files agents syntheticAgents knownOperators asOf';
      expectMembers(expectOk(answer), [...names.split(' '), 'messagesLast24h'], answer);
    },
    { source: 'core 6' },
  ),
  check(
    'health',
    '`/healthz` (alive), `/readyz` (store reachable, migrations current)',
    async (w) => {
      for (const path of ['/healthz', '/readyz'])
        expectEqual((await w.get(path)).status, 200, `the status of ${path}`);
    },
    { source: 'core 12' },
  ),
  check(
    'metrics',
    '`/metrics` (Prometheus; with an administrator key, or on `METRICS_PORT`)',
    async (w) => {
      const answer = await w.get('/metrics');
      expectThat([401, 403, 404].includes(answer.status), 'expected a refusal', answer);
    },
    { source: 'core 12' },
  ),
  check(
    'skill',
    '`/skill.md` +, `/.well-known/agent-skills/index.json` +',
    async (w) => {
      expectEqual((await w.get('/skill.md')).status, 200, 'the status of /skill.md');
      expectOk(await w.get('/.well-known/agent-skills/index.json'));
    },
    { source: 'core 14' },
  ),
]);
