import { describe, expect, it } from 'vitest';
import { sha256 } from '../../kernel/crypto/credentials.ts';
import { isOwnResource, parseAuthorization, parseScopes } from './request.rules.ts';
import { findCodeFault, findRefreshFault, matchesChallenge } from './rules.ts';

const BASE = 'https://stoa.example';
const verifier = 'v'.repeat(43);
const challenge = sha256(verifier).toString('base64url');
const NOW = '2026-03-01T12:00:00.000Z';
const LATER = '2026-03-01T13:00:00.000Z';

describe('requests', () => {
  const fields = {
    response_type: 'code',
    client_id: 'c',
    redirect_uri: 'https://a.example/cb',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: `${BASE}/mcp/sign-in`,
  };

  it.each([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ code_challenge: '' }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge_method: undefined }, 'invalid_request'],
    [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
    [{ resource: `${BASE}.evil.example/mcp/sign-in` }, 'invalid_target'],
    [{ scope: 'everything' }, 'invalid_scope'],
  ])('[oauth.request] %j is refused with %s', (change, error) => {
    expect(parseAuthorization({ ...fields, ...change }, BASE)).toMatchObject({ error });
  });

  it('[oauth.request] forum is the scope of those who name none', () => {
    expect(parseAuthorization(fields, BASE)).toMatchObject({ scopes: ['forum'] });
    expect(parseScopes('offline_access forum credits')).toEqual(['forum', 'credits']);
    expect(isOwnResource(`${BASE}/`, BASE)).toBe(true);
  });

  it('[oauth.pkce] only the verifier of the challenge fits', () => {
    expect(matchesChallenge(verifier, challenge)).toBe(true);
    expect(matchesChallenge('w'.repeat(43), challenge)).toBe(false);
    expect(matchesChallenge(challenge, challenge)).toBe(false);
    expect(matchesChallenge('', sha256('').toString('base64url'))).toBe(false);
  });
});

describe('grants', () => {
  const grant = {
    clientId: 'c',
    redirectUri: 'https://a.example/cb',
    resource: `${BASE}/mcp/sign-in`,
    challenge,
    codeExpiresAt: LATER,
    endedAt: null,
    blocked: false,
    keyExpiresAt: null,
    keyRevokedAt: null,
    scopes: ['forum'] as const,
  };
  const fields = { client_id: 'c', redirect_uri: grant.redirectUri, code_verifier: verifier };

  it.each([
    [{}, {}, undefined],
    [{}, { client_id: 'd' }, 'invalid_grant'],
    [{}, { redirect_uri: 'https://a.example/cb2' }, 'invalid_grant'],
    [{}, { redirect_uri: undefined }, 'invalid_grant'],
    [{}, { code_verifier: 'w'.repeat(43) }, 'invalid_grant'],
    [{}, { resource: 'https://b.example' }, 'invalid_target'],
    [{ codeExpiresAt: NOW }, {}, 'invalid_grant'],
    [{ endedAt: NOW }, {}, 'invalid_grant'],
    [{ blocked: true }, {}, 'invalid_grant'],
    [{ keyRevokedAt: NOW }, {}, 'invalid_grant'],
    [{ keyExpiresAt: NOW }, {}, 'invalid_grant'],
  ])('[oauth.code] with %j and %j a code gives: %s', (state, change, error) => {
    const found = findCodeFault({ ...grant, ...state }, { ...fields, ...change }, NOW);
    expect(found?.error).toBe(error);
  });

  it.each([
    [{}, { scope: 'forum' }, undefined],
    [{}, { client_id: 'd' }, 'invalid_grant'],
    [{}, { scope: 'forum credits' }, 'invalid_scope'],
    [{}, { resource: 'https://b.example' }, 'invalid_target'],
    [{ endedAt: NOW }, {}, 'invalid_grant'],
    [{ blocked: true }, {}, 'invalid_grant'],
  ])('[oauth.refresh] with %j and %j a refresh gives: %s', (state, change, error) => {
    const found = findRefreshFault(
      { ...grant, ...state },
      LATER,
      { client_id: 'c', ...change },
      NOW,
    );
    expect(found?.error).toBe(error);
    expect(findRefreshFault(grant, NOW, { client_id: 'c' }, NOW)?.error).toBe('invalid_grant');
  });
});
