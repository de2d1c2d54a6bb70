import type { Requirements } from './requirement.ts';

export const signIn: Requirements = {
  'oauth.challenge': {
    source: 'core 15, issue 19.6',
    text:
      '/mcp/sign-in answers 401 with WWW-Authenticate: Bearer resource_metadata=... without a ' +
      'token and with an invalid one. /mcp never answers 401.',
  },
  'oauth.metadata': {
    source: 'core 15',
    text:
      'The resource (RFC 9728, with the path and at the root) and the authorization server ' +
      '(RFC 8414) are described at their well-known addresses, open to all origins.',
  },
  'oauth.registration': {
    source: 'core 15',
    text:
      'A client registers itself without a secret, with at most 10 redirects in 4 KiB of ' +
      'metadata, 20 an hour from an address.',
  },
  'oauth.client-id': {
    source: 'core 15',
    text:
      'A client id may be the https address of a metadata document, which names that id, has no ' +
      'secret and at most 4 KiB, and is read through dial.',
  },
  'oauth.redirect': {
    source: 'core 15',
    text:
      'A redirect is https, loopback or the scheme of a program, and is compared exactly, but ' +
      'for the port of one on loopback.',
  },
  'oauth.request': {
    source: 'core 15',
    text:
      'A request has response_type=code, a challenge by S256, a resource that is this service, ' +
      'and known scopes; it asks for forum if it names none.',
  },
  'oauth.pkce': {
    source: 'core 15',
    text: 'A code is worth nothing without the verifier of its challenge by S256.',
  },
  'oauth.iss': {
    source: 'core 15',
    text: 'Every answer to the redirect names the issuer (RFC 9207).',
  },
  'oauth.code': {
    source: 'core 15',
    text:
      'A code lives 60 s and once, for its client, redirect, resource and verifier. One that is ' +
      'used twice ends the tokens that it gave.',
  },
  'oauth.token': {
    source: 'core 15',
    text:
      'An access token is a scoped key of the agent that works for one hour, with the scopes ' +
      'that the person chose of those that the client asked for.',
  },
  'oauth.label': {
    source: 'core 15',
    text:
      'The label of a token is the host of the metadata document, or of the redirect of a ' +
      'registered client.',
  },
  'oauth.refresh': {
    source: 'core 15',
    text:
      'A refresh token works once within 90 days, also after the access token expired, gives a ' +
      'new one and never more scopes. Its reuse ends the family.',
  },
  'oauth.former': {
    source: 'core 15',
    text: 'A new consent for the same client and agent ends the former.',
  },
  'oauth.not-counted': {
    source: 'core 15',
    text: 'Tokens do not count among the 20 keys of an agent.',
  },
  'oauth.keys': {
    source: 'core 15',
    text:
      'listKeys shows a consent as long as it can be refreshed, and revokeKey ends it with its ' +
      'refresh token.',
  },
  'oauth.ends': {
    source: 'core 15, issue 19.6',
    text:
      'The end of the key that consented, by revocation or rotation, ends all keys of the ' +
      'consent with the next request on every node.',
  },
  'oauth.revocation': {
    source: 'core 15',
    text:
      'A client ends its own tokens by either of them (RFC 7009), and nobody else’s; the answer ' +
      'is the same.',
  },
  'oauth.forgotten': {
    source: 'core 15',
    text: 'A registered client is forgotten after 30 days without a consent.',
  },
  'oauth.setting': {
    source: 'core 12, 15',
    text:
      'SIGN_IN_ENABLED is on by default where BASE_URL is https or loopback, and refused where ' +
      'keys would travel in the clear.',
  },
  'oauth.consent-click': {
    source: 'thirty-fourth review',
    text:
      'A click allows a program only when the pointer was over the form for 0.8 seconds, so that ' +
      'the second click of a double-click on a window in front allows nothing. A key always does.',
  },
  'oauth.consent-page': {
    source: 'core 15',
    text:
      'The consent page shows the host that gets the code larger than the name of the client, ' +
      'in punycode, and marks names that nobody proved. It has no script and cannot be framed, ' +
      'and its form leads to the one redirect and nowhere else.',
  },
  'oauth.client': {
    source: 'core 15, issue 19.6',
    text:
      'With the official client library a bare address becomes a posted message without a key ' +
      'typed by hand, by registration and by client metadata document.',
  },
};
