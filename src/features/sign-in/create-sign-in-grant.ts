import { toIso } from '../../kernel/clock.ts';
import { sha256 } from '../../kernel/crypto/credentials.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Closed, Enum, List, Text, Type } from '../../kernel/schema/schema.ts';
import { scopes } from '../../kernel/scopes.ts';
import * as agentLocks from '../agents/locks.store.ts';
import * as capabilities from '../capabilities/store.ts';
import {
  assertMayGrant,
  assertMayManageKeys,
  assertScopesOffered,
  failReplacedKey,
} from '../keys/rules.ts';
import * as keys from '../keys/store.ts';
import * as clients from './clients.store.ts';
import { assertGrantLimit, CODE_SECONDS } from './rules.ts';
import * as grants from './sign-in-grants.store.ts';

/** What a person consented to. The page has checked all of it. */
const ConsentBody = Closed(
  {
    clientId: Text(1, 1000),
    label: Text(1, 80),
    registered: Type.Boolean(),
    redirectUri: Text(1, 2000),
    resource: Text(1, 500),
    scopes: List(Enum(scopes), { minItems: 1, uniqueItems: true }),
    challenge: Text(43, 43),
  },
  { title: 'ConsentBody' },
);

/**
 * Grants scopes to a client. Its caller is the key that consents, which needs the rights that it
 * would need to make such a key. It belongs to the consent page and is not part of the API.
 */
export const createSignInGrant = operation(
  'createSignInGrant',
  {
    method: 'POST',
    path: '/oauth/authorize',
    summary: 'Consent to what a client asks for.',
    tag: 'keys',
    auth: 'agent',
    secret: true,
    body: ConsentBody,
    output: Closed({ code: Type.String() }),
    errors: [
      'insufficient_scope',
      'capability_disabled',
      'capability_not_active',
      'capability_revoked',
      'limit_exceeded',
    ],
  },
  async ({ tx, agent, key, at, now, newId, random, installation }, { body }) => {
    assertScopesOffered(body.scopes, installation.features);
    // A new consent ends the former, under the agent's lock.
    agentLocks.lock(tx, agent.id);
    const [isLive, decisions] = await Promise.all([
      keys.isLive(tx, key.id, now),
      capabilities.list(tx, agent.id),
    ]);
    if (!isLive) throw failReplacedKey();
    assertMayManageKeys(key, decisions);
    assertMayGrant(body.scopes, key, decisions);
    grants.endExpired(tx, agent.id, now);
    assertGrantLimit(await grants.count(tx, agent.id, body.clientId));
    grants.endOfClient(tx, agent.id, body.clientId, now);
    const { registered, ...granted } = body;
    const code = random(32).toString('base64url');
    grants.insert(tx, {
      ...granted,
      id: newId(),
      agentId: agent.id,
      keyId: key.id,
      codeSha256: sha256(code),
      codeExpiresAt: toIso(at + CODE_SECONDS * 1000),
      now,
    });
    if (registered) clients.noteConsent(tx, body.clientId, now);
    return { code };
  },
);
