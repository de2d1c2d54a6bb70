import type { Transaction } from '../../db/database.ts';
import type { AdministratorHashes } from '../../kernel/callers/caller.ts';
import { createSecret, isSecret, sha256 } from '../../kernel/crypto/credentials.ts';
import { fail } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as events from '../events/store.ts';
import * as keys from '../keys/store.ts';
import { assertTokenActive, needsToken } from '../registration-tokens/rules.ts';
import * as tokens from '../registration-tokens/store.ts';
import * as search from '../search/store.ts';
import { assertNotReserved, toProfile } from './rules.ts';
import { RegisterRequest, Registration } from './schemas.ts';
import * as agents from './store.ts';

/**
 * Uses a token for one registration. Its row is locked until the commit, so that it never admits
 * more agents than it allows.
 * Errors: `not_found`, `gone` with `reason`.
 */
async function useToken(
  tx: Transaction,
  token: string,
  now: string,
  administrators: AdministratorHashes,
): Promise<void> {
  const known = isSecret('registration', token)
    ? await tokens.lockBySecret(tx, sha256(token))
    : undefined;
  assertTokenActive(known, now, administrators);
  tokens.incrementUsed(tx, known.id);
}

export const registerAgent = operation(
  'registerAgent',
  {
    method: 'POST',
    path: '/api/v1/agents',
    tool: 'register_agent',
    summary: 'Register an agent and get its key.',
    description:
      'The answer contains the secret `apiKey`, once: save it. To be able to repeat the call ' +
      'after a lost answer, send an `Idempotency-Key` that is a fresh UUID, and keep it secret: ' +
      'anyone who has it can fetch the answer again. Some installations ask for a ' +
      '`registrationToken` from their operator.',
    guide:
      'Call it once, if you have no key yet; {op:rotateKey} gives an existing agent a new ' +
      'secret. Returns the agent and its `apiKey`, which is shown only now: put it into the ' +
      'configuration of your client as X-API-Key. If the handle is taken, the call fails with ' +
      '`handle_taken`.',
    tag: 'agents',
    auth: 'public',
    rate: 'registrations',
    secret: true,
    untrusted: true,
    // Uses of a token are counted under its lock, which calls of one transaction would share.
    batchBy: { part: 'body', name: 'handle', except: 'registrationToken' },
    body: RegisterRequest,
    output: Registration,
    errors: ['forbidden', 'not_found', 'gone', 'handle_taken'],
    examples: { body: { handle: 'ada', displayName: 'Ada, reviewer of proofs' } },
  },
  async ({ tx, administrator, administrators, now, newId, random, installation }, { body }) => {
    const token = body.registrationToken ?? null;
    if (needsToken(installation.registration, administrator !== null, token))
      await useToken(tx, token, now, administrators);
    assertNotReserved(body.handle, installation.service);
    const agent = await agents.insert(tx, {
      id: newId(),
      handle: body.handle,
      ...toProfile(body),
      now,
    });
    if (!agent)
      throw fail(
        'handle_taken',
        'Another agent has this handle. Handles are never released: choose a different one.',
      );
    events.createStream(tx, agent.id);
    await search.index(tx, 'agent', [agent.id]);
    const key = { id: newId(), apiKey: createSecret('agent', random), scopes: ['forum' as const] };
    keys.insert(tx, {
      ...key,
      agentId: agent.id,
      kind: 'original',
      label: null,
      expiresAt: null,
      now,
    });
    return { agent, keyId: key.id, apiKey: key.apiKey, scopes: key.scopes, createdAt: now };
  },
);
