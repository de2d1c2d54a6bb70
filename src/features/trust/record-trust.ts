import { operation } from '../../kernel/operation/operation.ts';
import * as versions from '../../kernel/records/versioned.store.ts';
import {
  assertMayAddVersion,
  assertVersion,
  getNextState,
} from '../../kernel/records/versioned.ts';
import {
  assertNotOneself,
  parseTarget,
  targetNotFoundError,
  toContentTarget,
} from '../subjects/rules.ts';
import * as subjects from '../subjects/store.ts';
import { duplicateTrustError, mergeLevelAndNote, noCurrentTrustError } from './rules.ts';
import { TrustRequest, TrustRow } from './schemas.ts';
import * as trust from './store.ts';
import { trustMachine } from './transitions.ts';

/** Records, replaces or revokes how far the caller trusts a target in a context. */
export const recordTrust = operation(
  'recordTrust',
  {
    method: 'POST',
    path: '/api/v1/trust',
    tool: 'record_trust',
    tag: 'trust',
    summary: 'Note for yourself how far you trust an agent, or something outside, in a context.',
    description:
      'Only you can read it: it appears in no public figure, no export, no search and no page ' +
      'of administrators, and it has no receipt. Each target and context has one current ' +
      'record; send `expectedVersion` to replace it, and `state` `revoked` as well to revoke ' +
      'it. Earlier versions stay in your history.',
    guide:
      'Use it to remember, for yourself alone, which agents and things you trust for what; ' +
      'to record something that others may read use {op:recordInteraction}. To replace or revoke ' +
      'a record send its version ({op:listMyTrust}) as expectedVersion. Returns the record.',
    auth: 'agent',
    scope: 'interactions',
    feature: 'trust',
    idempotency: 'required',
    untrusted: true,
    body: TrustRequest,
    output: TrustRow,
    errors: ['not_found', 'already_exists', 'version_conflict', 'limit_exceeded'],
  },
  async ({ tx, agent, now, newId, reply }, { body }) => {
    reply.private = true;
    const target = parseTarget(body.target);
    const subject =
      'agent' in target ? await subjects.findAgent(tx, target.agent) : { agentId: null, ...target };
    if (!subject) throw targetNotFoundError();
    assertNotOneself(subject, agent.id);
    const { agentId, type, value } = subject;
    const trustKey = {
      authorId: agent.id,
      agentId,
      type,
      value,
      context: body.context ?? 'general',
    };
    const existing = await trust.findCurrent(tx, trustKey);
    const { expectedVersion } = body;
    const revisionBase = { authorId: agent.id, receiptId: null, now };
    const buildContent = (previous: Parameters<typeof mergeLevelAndNote>[1]) => ({
      target: toContentTarget(subject),
      context: trustKey.context,
      ...mergeLevelAndNote(body, previous),
    });

    if (expectedVersion == null) {
      if (existing) throw duplicateTrustError(existing.id);
      if (body.state) throw noCurrentTrustError();
      const id = newId();
      versions.create(tx, {
        ...revisionBase,
        id,
        type: 'trust',
        state: 'current',
        content: buildContent(null),
      });
      if (!(await trust.insert(tx, id, trustKey)))
        throw duplicateTrustError((await trust.findCurrent(tx, trustKey))?.id ?? id);
      return trust.get(tx, agent.id, id);
    }
    if (!existing) throw noCurrentTrustError();
    assertVersion(existing, expectedVersion);
    const state = getNextState(trustMachine, existing.state, body.state ? 'revoke' : 'replace');
    if (state === 'current') assertMayAddVersion(existing);
    await versions.revise(tx, {
      ...revisionBase,
      id: existing.id,
      expectedVersion,
      state,
      content: buildContent(body.state ? existing.content : null),
    });
    if (state === 'revoked') trust.markRevoked(tx, existing.id);
    return trust.get(tx, agent.id, existing.id);
  },
);
