import { describe, expect, it } from 'vitest';
import {
  cleanName,
  parseClientAddress,
  parseDocument,
  parseMetadata,
  toLabel,
} from './client.rules.ts';
import {
  buildRedirect,
  describeRedirect,
  isRedirect,
  matchesRedirect,
  toFormTarget,
} from './redirects.rules.ts';

const BASE = 'https://stoa.example';

describe('redirects', () => {
  it.each([
    ['https://claude.ai/api/mcp/auth_callback', true],
    ['http://127.0.0.1:33418/', true],
    ['http://localhost/callback?x=1', true],
    ['http://[::1]:8080/cb', true],
    ['cursor://anysphere.cursor-mcp/oauth/callback', true],
    ['com.example.app:/cb', true],
    ['http://example.com/cb', false],
    ['http://127.0.0.1.evil.example/', false],
    ['http://127.0.0.1@evil.example/', false],
    ['https://user@claude.ai/cb', false],
    ['https://claude.ai/cb#frag', false],
    ['https:claude.ai', false],
    ['https://clаude.ai/cb', false],
    ['https://claude.ai\\@evil.example/', false],
    ['https://claude.ai/c b', false],
    ['javascript:alert(1)', false],
    ['data:text/html,x', false],
    ['file:///etc/passwd', false],
    ['//evil.example/cb', false],
    ['https://[::1]:8443/cb', true],
    ['https://x;sandbox;y.example/cb', false],
    ['https://a,b.example/cb', false],
    ['https://*/cb', false],
    ["https://a'.example/cb", false],
  ])('[oauth.redirect] [attack.28-3] %s may get codes: %s', (address, ok) => {
    expect(isRedirect(address)).toBe(ok);
  });

  it.each([
    ['https://a.example/cb', 'https://a.example/cb', true],
    ['https://a.example/cb', 'https://a.example/cb/', false],
    ['https://a.example/cb', 'https://a.example/cb?x=1', false],
    ['https://a.example/cb', 'https://a.example/cb/../evil', false],
    ['https://a.example/cb', 'https://a.example:8443/cb', false],
    ['https://a.example/cb', 'https://A.example/cb', false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51004/cb', true],
    ['http://127.0.0.1:1/cb', 'http://127.0.0.1:51004/cb', true],
    ['http://127.0.0.1/cb', 'http://localhost:51004/cb', false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51004/cb2', false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51004/x/../cb', false],
    ['http://localhost/cb', 'https://localhost:4/cb', false],
  ])('[oauth.redirect] %s named, %s given: %s', (named, given, ok) => {
    expect(matchesRedirect([named], given)).toBe(ok);
  });

  it('[oauth.consent-page] hosts stay in punycode, and only they may follow the form', () => {
    expect(describeRedirect('https://xn--clude-3ve.ai/cb')).toBe('xn--clude-3ve.ai');
    expect(describeRedirect('https://%D0%B0pple.com/cb')).toMatch(/^xn--/);
    expect(describeRedirect('http://127.0.0.1:9/cb')).toBe('this computer (127.0.0.1:9)');
    expect(describeRedirect('cursor://x/cb')).toBe('a program on this computer (cursor:)');
    expect(toFormTarget('https://a.example/cb;x,y?q')).toBe('https://a.example/cb%3Bx%2Cy');
    expect(toFormTarget('cursor://x/cb')).toBe('cursor:');
    expect(toFormTarget('http://[::1]:8/cb')).toBeNull();
  });

  it('[oauth.iss] answers name the issuer and keep the query of the redirect', () => {
    expect(buildRedirect('https://a.example/cb?x=1', BASE, { code: 'c', state: undefined })).toBe(
      'https://a.example/cb?x=1&code=c&iss=https%3A%2F%2Fstoa.example',
    );
  });
});

describe('clients', () => {
  it.each([
    ['https://claude.ai/oauth/client.json', true],
    ['https://claude.ai/', false],
    ['http://claude.ai/client.json', false],
    ['https://claude.ai:8443/client.json', false],
    ['https://me@claude.ai/client.json', false],
    ['https://claude.ai/a/../client.json', false],
    ['https://claude.ai/client.json#x', false],
    ['https://127.0.0.1/client.json', false],
    ['https://[::1]/client.json', false],
    ['https://localhost/client.json', false],
    ['https://2130706433/client.json', false],
  ])('[oauth.client-id] %s is the address of a document: %s', (id, ok) => {
    expect(parseClientAddress(id) !== null).toBe(ok);
  });

  it('[oauth.registration] metadata has 1 to 10 redirects of the right form', () => {
    const redirect_uris = ['https://a.example/cb'];
    expect(parseMetadata({ redirect_uris, client_name: ' A\u202e \n client ' })).toEqual({
      name: 'A client',
      redirectUris: redirect_uris,
    });
    for (const [metadata, error] of [
      [null, 'invalid_client_metadata'],
      [[], 'invalid_client_metadata'],
      [{}, 'invalid_redirect_uri'],
      [{ redirect_uris: [] }, 'invalid_redirect_uri'],
      [{ redirect_uris: [1] }, 'invalid_redirect_uri'],
      [{ redirect_uris: ['javascript:x'] }, 'invalid_redirect_uri'],
      [{ redirect_uris: Array(11).fill('https://a.example/') }, 'invalid_redirect_uri'],
      [{ redirect_uris, grant_types: ['implicit'] }, 'invalid_client_metadata'],
      [{ redirect_uris, response_types: ['token'] }, 'invalid_client_metadata'],
    ] as const)
      expect(parseMetadata(metadata)).toMatchObject({ error });
  });

  it('[oauth.client-id] a document is that of its own address and has no secret', () => {
    const address = new URL('https://a.example/client.json');
    const document = { client_id: address.href, redirect_uris: ['https://a.example/cb'] };
    expect(parseDocument(document, address)).toMatchObject({ documentHost: 'a.example' });
    expect(parseDocument({ ...document, client_id: 'https://b.example/c' }, address)).toMatchObject(
      { error: 'invalid_client' },
    );
    expect(
      parseDocument({ ...document, token_endpoint_auth_method: 'private_key_jwt' }, address),
    ).toMatchObject({ error: 'invalid_client' });
  });

  it('[oauth.label] is the host of the document, or of the redirect', () => {
    const client = { clientId: 'x', name: null, redirectUris: [], documentHost: 'a.example' };
    expect(toLabel(client, 'http://127.0.0.1:9/')).toBe('a.example');
    expect(toLabel({ ...client, documentHost: null }, 'https://b.example/cb')).toBe('b.example');
    expect(toLabel({ ...client, documentHost: null }, 'com.example.app:/cb')).toBe(
      'com.example.app:',
    );
    expect(cleanName('\u200b')).toBeNull();
  });
});
