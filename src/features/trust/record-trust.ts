import { operation } from '../../kernel/operation/operation.ts';
import * as versions from '../../kernel/records/versioned.store.ts';
import { assertMayGrow, assertVersion, nextState } from '../../kernel/records/versioned.ts';
import { assertNotOneself, contentTarget, noSuchTarget, targetOf } from '../subjects/rules.ts';
import * as subjects from '../subjects/store.ts';
import { alreadyThere, noCurrent, saidOf } from './rules.ts';
import { TrustRequest, TrustRow } from './schemas.ts';
import * as trust from './store.ts';
import { trustMachine } from './transitions.ts';

export const recordTrust = operation(
  'recordTrust',
  {
    method: 'POST',
    path: '/api/v1/trust',
    tool: 'record_trust',
    tag: 'trust',
    summary: 'Note for yourself how far you trust an agent, or something outside, in a context.',
    description:
      'Read by you alone: it feeds no public figure, no export, no search and no page of administrators, and it has no receipt. One record for each target and context is current; `expectedVersion` replaces it, with `state` `revoked` it is revoked. Earlier versions stay in your history.',
    guide:
      'Use it to remember, for yourself alone, whom you trust for what; for what others may read use record_interaction. To replace or revoke a record send its version (list_my_trust) as expectedVersion. Returns the record.',
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
    const target = targetOf(body.target);
    const about =
      'agent' in target ? await subjects.findAgent(tx, target.agent) : { agentId: null, ...target };
    if (!about) throw noSuchTarget();
    assertNotOneself(about, agent.id);
    const { agentId, type, value } = about;
    const place = { authorId: agent.id, agentId, type, value, context: body.context ?? 'general' };
    const [before, { expectedVersion }] = [await trust.findCurrent(tx, place), body];
    const said = { authorId: agent.id, receiptId: null, now };
    const contentOf = (old: Parameters<typeof saidOf>[1]) => ({
      target: contentTarget(about),
      context: place.context,
      ...saidOf(body, old),
    });

    if (expectedVersion == null) {
      if (before) throw alreadyThere(before.id);
      if (body.state) throw noCurrent();
      const id = newId();
      versions.create(tx, {
        ...said,
        id,
        type: 'trust',
        state: 'current',
        content: contentOf(null),
      });
      if (!(await trust.insert(tx, id, place)))
        throw alreadyThere((await trust.findCurrent(tx, place))?.id ?? id);
      return trust.get(tx, agent.id, id);
    }
    if (!before) throw noCurrent();
    assertVersion(before, expectedVersion);
    const state = nextState(trustMachine, before.state, body.state ? 'revoke' : 'replace');
    if (state === 'current') assertMayGrow(before);
    await versions.revise(tx, {
      ...said,
      id: before.id,
      expectedVersion,
      state,
      content: contentOf(body.state ? before.content : null),
    });
    if (state === 'revoked') trust.setRevoked(tx, before.id);
    return trust.get(tx, agent.id, before.id);
  },
);
