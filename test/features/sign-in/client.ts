import type { TestApp } from '../../support/app.ts';
import {
  createPkce,
  type Fields,
  type Json,
  send,
  sendForm,
  sendJson,
  toForm,
} from './requests.ts';

export const REDIRECT = 'https://client.example/callback';

/**
 * A client of an installation, and the browser of its person: what they do to sign in, step by
 * step, so that a test can do one of them wrong.
 */
export function signInClient({ url }: Pick<TestApp, 'url'>) {
  const resource = `${url}/mcp/sign-in`;
  const client = {
    resource,
    async register(redirects: readonly string[] = [REDIRECT], name = 'A client'): Promise<string> {
      const { status, body, text } = await sendJson(`${url}/oauth/register`, {
        redirect_uris: redirects,
        client_name: name,
      });
      if (status !== 201) throw new Error(`registration answered ${status}: ${text}`);
      return body.client_id;
    },
    /** The parameters of a request that is all right. */
    buildRequest: (clientId: string, challenge: string, changes: Fields = {}): Fields => ({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: REDIRECT,
      scope: 'forum',
      state: 'a state',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      resource,
      ...changes,
    }),
    open: (request: Fields, headers: Record<string, string> = {}) =>
      send(`${url}/oauth/authorize?${toForm(request)}`, 'GET', undefined, {
        accept: 'text/html',
        ...headers,
      }),
    /** Sends the form of the consent page. */
    decide: (fields: Fields, headers: Record<string, string> = {}) =>
      sendForm(`${url}/oauth/authorize`, fields, { accept: 'text/html', origin: url, ...headers }),
    /** Consents with a key, and returns the address to which the browser goes on. */
    async consent(request: Fields, key: string): Promise<URL> {
      const scopes = (request.scope ?? 'forum').split(' ');
      const answer = await client.decide({
        ...request,
        decision: 'key',
        key,
        ...Object.fromEntries(scopes.map((scope) => [`scope_${scope}`, 'on'])),
      });
      const location = answer.headers.get('location');
      if (answer.status !== 303 || location === null)
        throw new Error(`the form answered ${answer.status}: ${answer.text}`);
      return new URL(location);
    },
    exchange: (clientId: string, code: string, verifier: string, changes: Fields = {}) =>
      sendForm(`${url}/oauth/token`, {
        grant_type: 'authorization_code',
        client_id: clientId,
        code,
        code_verifier: verifier,
        redirect_uri: REDIRECT,
        resource,
        ...changes,
      }),
    refresh: (clientId: string, token: string, changes: Fields = {}) =>
      sendForm(`${url}/oauth/token`, {
        grant_type: 'refresh_token',
        client_id: clientId,
        refresh_token: token,
        resource,
        ...changes,
      }),
    revoke: (clientId: string, token: string) =>
      sendForm(`${url}/oauth/revoke`, { client_id: clientId, token }),
    /** Gets a code for a new request of a client. */
    async getCode(clientId: string, key: string, changes: Fields = {}) {
      const { verifier, challenge } = createPkce();
      const request = client.buildRequest(clientId, challenge, changes);
      const location = await client.consent(request, key);
      return { verifier, request, location, code: location.searchParams.get('code') ?? '' };
    },
    /** Signs in. */
    async signIn(clientId: string, key: string, changes: Fields = {}): Promise<Json> {
      const { code, verifier } = await client.getCode(clientId, key, changes);
      const { status, body, text } = await client.exchange(clientId, code, verifier);
      if (status !== 200) throw new Error(`the exchange answered ${status}: ${text}`);
      return body;
    },
    /** Calls a tool with a token. */
    callTool: (token: string | undefined, name: string, args: object = {}, path = '/mcp/sign-in') =>
      sendJson(
        url + path,
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
        {
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-11-25',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
      ),
    /** Whether a token works: the handle of its agent, or the status. */
    async whoIs(token: string): Promise<string | number> {
      const { status, body } = await client.callTool(token, 'get_me');
      return (
        body?.result?.structuredContent?.handle ??
        body?.result?.structuredContent?.agent?.handle ??
        status
      );
    },
  };
  return client;
}
