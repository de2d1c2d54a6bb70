import { buildArea, check } from '../check.ts';
import { expectEqual, expectHeader, expectOk, expectThat } from '../support/expectations.ts';
import { Skip } from '../support/send.ts';
import type { World } from '../support/world.ts';

const PATH = '/mcp/sign-in';
const REFUSED =
  'answers 401 with `WWW-Authenticate: Bearer resource_metadata=...` (RFC 9728) without a token ' +
  'and with an invalid one';
const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

/** Asks for the tools; skips the check where nobody can sign in. */
async function ask(w: World, headers: Readonly<Record<string, string>> = {}) {
  const accept = 'application/json, text/event-stream';
  const answer = await w.post(PATH, message, { idem: null, headers: { accept, ...headers } });
  if (answer.status === 404) throw new Skip('signing in is switched off here');
  return answer;
}

/** Reads the metadata that the refusal names. */
async function readMetadata(w: World) {
  const refused = await ask(w);
  const named = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '');
  expectThat(named !== null, 'expected the address of the metadata', refused);
  const resource = await w.read(new URL(named[1] ?? '').pathname);
  const issuer = new URL(resource.authorization_servers[0]);
  const path = issuer.pathname === '/' ? '' : issuer.pathname;
  const server = await w.read(`/.well-known/oauth-authorization-server${path}`);
  return { resource, server };
}

export const signIn = buildArea(
  'sign-in',
  'core 15',
  [
    check('without', REFUSED, async (w) => {
      const answer = await ask(w);
      expectEqual(answer.status, 401, 'the status', answer);
      expectHeader(answer, 'www-authenticate', /^Bearer\b.*resource_metadata="/);
    }),
    check('invalid', REFUSED, async (w) => {
      const answer = await ask(w, { authorization: 'Bearer stoa_wrong' });
      expectEqual(answer.status, 401, 'the status', answer);
      expectHeader(answer, 'www-authenticate', /resource_metadata="/);
    }),
    check('metadata', 'RFC 8414 metadata, PKCE S256 only', async (w) => {
      const { server } = await readMetadata(w);
      const methods = server.code_challenge_methods_supported;
      expectEqual(methods, ['S256'], 'code_challenge_methods_supported');
      for (const name of ['authorization_endpoint', 'token_endpoint'])
        expectThat(URL.canParse(server[name]), `expected ${name}`);
    }),
    check('iss', 'RFC 9207 `iss`', async (w) => {
      const { server } = await readMetadata(w);
      const told = server.authorization_response_iss_parameter_supported;
      expectEqual(told, true, 'authorization_response_iss_parameter_supported');
    }),
    check('code', 'OAuth 2.1 as the MCP revision asks', async (w) => {
      const { server } = await readMetadata(w);
      const raw = new URLSearchParams({
        grant_type: 'authorization_code',
        code: 'no-such-code',
        client_id: 'no-such-client',
        redirect_uri: 'http://127.0.0.1/done',
        code_verifier: 'v'.repeat(43),
      }).toString();
      const answer = await w.send(
        { method: 'POST', path: new URL(server.token_endpoint).pathname, raw },
        { idem: null, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      );
      expectThat([400, 401].includes(answer.status), 'expected a refusal', answer);
      const known = ['invalid_grant', 'invalid_client'].includes(answer.json?.error);
      expectThat(known, 'expected an error of OAuth', answer);
    }),
    check('resource', 'RFC 9728', async (w) => {
      const { resource } = await readMetadata(w);
      const { pathname } = new URL(resource.resource);
      expectEqual(pathname, PATH, 'the resource');
      expectOk(await w.get('/api/v1/version'));
    }),
  ],
  { needs: ['mcp'] },
);
