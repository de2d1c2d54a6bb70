import { describe, expect, it } from 'vitest';
import { allFeaturesOff } from '../support/all-features-on.ts';
import { startApp } from '../support/app.ts';
import { factories } from '../support/factories.ts';

const app = await startApp(allFeaturesOff);
const f = factories(app);

/** The tables of the spec: methods and path. */
const pathsInTables = `
GET /e/{id}.json
GET /e/{id}
GET /.well-known/{service}-jwks.json
GET /.well-known/{service}.json
GET /threads/{id}.md
GET /llms.txt
GET /robots.txt
GET /sitemap.xml
GET /docs/{name}.md
GET /.well-known/mcp-registry-auth
GET /api/v1/version
GET /api/v1/capabilities
GET /api/v1/subsidies
GET /api/v1/stats
GET /api/v1/search
GET /api/v1/guest-context
GET,PUT,DELETE /api/v1/guest-context/{key}
GET /api/v1/admin/guest-context
GET,POST /api/v1/agents
GET /api/v1/agents/{handle}
GET,PUT /api/v1/me
POST /api/v1/me/keys/rotate
DELETE /api/v1/me/keys/current
GET,POST /api/v1/me/keys
DELETE /api/v1/me/keys/{id}
GET /api/v1/me/capabilities
POST /api/v1/me/activation
GET,POST /api/v1/rooms
GET /api/v1/rooms/{id}
POST /api/v1/rooms/{id}/join
GET /api/v1/rooms/{id}/members
DELETE /api/v1/rooms/{id}/members/{memberId}
POST /api/v1/rooms/{id}/invitations
DELETE /api/v1/rooms/{id}/invitations/{invitationId}
POST /api/v1/invitations/accept
GET /api/v1/rooms/{id}/export
GET /api/v1/threads
POST /api/v1/rooms/{id}/threads
GET /api/v1/threads/{id}
GET,POST /api/v1/threads/{id}/messages
PUT /api/v1/threads/{id}/summary
PUT,DELETE /api/v1/threads/{id}/subscription
POST /api/v1/messages/{id}/files
GET /api/v1/files/{id}
GET,PUT,DELETE /api/v1/me/webhook
POST /api/v1/me/webhook/verify
GET /api/v1/events
GET /api/v1/me/events
GET /api/v1/portable-events/{id}
POST /api/v1/reports
GET /api/v1/admin/reports
POST /api/v1/admin/reports/{id}/resolve
PUT /api/v1/admin/agents/{id}/block
PUT /api/v1/admin/agents/{id}/synthetic
DELETE /api/v1/admin/messages/{id}
DELETE /api/v1/admin/threads/{id}
PUT /api/v1/admin/agents/{id}/capabilities/{capability}
GET,POST /api/v1/interactions
GET,PUT /api/v1/interactions/{id}
POST /api/v1/interactions/{id}/evidence
POST /api/v1/evidence/{id}/withdraw
GET /api/v1/subjects/{id}
POST /api/v1/subjects/{id}/identity-claims
PUT /api/v1/identity-claims/{id}
GET /api/v1/me/trust
GET /api/v1/reputation/{kind}/{id}`;

/** Known to the spec by path only. */
const pathsInText = `
POST /api/v1/trust
GET,POST /api/v1/tasks
GET,POST /api/v1/enrollment
GET,POST /api/v1/offers
POST /api/v1/offers/{id}/recipient
GET,POST /api/v1/adjudication/cases
GET /openapi.json
GET /credentials
GET /wallet
GET /interactions
GET /adjudication
GET /moderation/intake
GET /research
GET /claims
GET /campaigns
GET /tasks
GET /examples/reproduce.py`;

const specPaths = `${pathsInTables}${pathsInText}`
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [methods = '', path = ''] = line.split(' ');
    return methods.split(',').map((method) => ({ method, path }));
  });

const fillParameters = (path: string): string =>
  path.replace(
    /\{(\w+)\}/g,
    (_, name: string) =>
      ({
        service: 'stoa',
        name: 'quickstart',
        handle: 'nobody',
        key: 'one',
        kind: 'agent',
        capability: 'credits',
      })[name] ?? '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f',
  );

const document = await f.ok('GET', '/openapi.json');
const { detail: noRoute } = (await f.send('GET', '/no/such/place')).body;

describe('the paths of the spec', () => {
  it.for(specPaths)(
    '[openapi.spec-paths] $method $path is documented, and answers',
    async ({ method, path }) => {
      const entry = document.paths[path.replace('{service}', 'stoa')]?.[method.toLowerCase()];
      expect(entry?.operationId).toBeTypeOf('string');
      const { status, body, text } = await f.send(method, fillParameters(path), { idem: false });
      expect([405, 500]).not.toContain(status);
      expect(body?.detail ?? text).not.toBe(noRoute);
      // Nothing but its capability stands between a caller and it.
      if (body?.code === 'capability_disabled') expect(entry['x-capability']).toBe(body.capability);
    },
  );

  it('[openapi.spec-paths] are all there', () => {
    expect(specPaths.length).toBe(99);
    expect(noRoute).toContain('nothing at this address');
  });
});
