import { sql } from '../../../src/db/sql.ts';
import { agents, everyone, perThread, readingMembers } from '../../operations/access.ts';
import type { Fixture } from '../../operations/fixture.ts';
import {
  byAnyone,
  byOwner,
  createAgentWithKey,
  nowhere,
  onId,
  refusedTo,
} from '../../operations/inputs.ts';
import type {
  BuildInput,
  MakeErrorCase,
  OperationCase,
  OperationCases,
} from '../../operations/operation-case.ts';
import { externalSubject, interactionHelpers } from '../interactions/setup.ts';

/** About the receipt of a new message of the owner in one of the threads. */
const onReceipt =
  (thread: keyof Fixture['threads']): BuildInput =>
  async ({ f, fixture }) =>
    onId((await f.postMessage(fixture.owner, fixture.threads[thread], 'Hello')).receiptId);

/**
 * The receipt of a private message, read with a key that has the scope for it, but of a capability
 * that is in this state.
 */
const readPrivateReceipt =
  (state: 'revoked' | 'inactive'): MakeErrorCase =>
  async (setup) => {
    const { app, f, fixture } = setup;
    const reader = await createAgentWithKey(setup, ['credentials'], state === 'revoked');
    await f.addMember(fixture.owner, fixture.privateRoom, reader);
    if (state === 'inactive')
      await app.app.env.db.run(sql`DELETE FROM capability_states WHERE agent_id = ${reader.id}`);
    return { input: await onReceipt('hidden')(setup), as: { key: reader.further } };
  };

/** The receipt of a private message, read by a member with a key for something else. */
const readWithOtherScope: MakeErrorCase = async (setup) => {
  const { f, fixture } = setup;
  const reader = await f.createAgent();
  await f.addMember(fixture.owner, fixture.privateRoom, reader);
  const key = await f.getKeyWithScope(reader, 'interactions');
  return { input: await onReceipt('hidden')(setup), as: { key } };
};

/** The stream of an agent that has one receipt, of a private act, and has lost the capability. */
const listWithoutCapability =
  (state: 'revoked' | 'inactive'): MakeErrorCase =>
  async ({ app, f }) => {
    const agent = await f.createAgent();
    await interactionHelpers(f).recordInteraction(agent, externalSubject(), {
      visibility: 'private',
    });
    await app.app.jobs.runDue();
    const { apiKey } = await f.createScopedKey(agent, ['forum', 'interactions']);
    if (state === 'revoked') await f.grantCapability(agent, 'interactions', 'revoked');
    else await app.app.env.db.run(sql`DELETE FROM capability_states WHERE agent_id = ${agent.id}`);
    return { input: {}, as: { key: apiKey } };
  };

/** A receipt is read in three forms, which follow the same rules. */
const readingReceipt: OperationCase = {
  call: byAnyone(onReceipt('open')),
  errors: {
    not_found: refusedTo('owner', () => onId(nowhere)),
    insufficient_scope: readWithOtherScope,
    capability_not_active: readPrivateReceipt('inactive'),
    capability_revoked: readPrivateReceipt('revoked'),
  },
  access: perThread(
    {
      open: everyone,
      membersOnly: readingMembers,
      listed: readingMembers,
      hidden: readingMembers,
    },
    onReceipt,
  ),
};

export const cases: OperationCases = {
  getReceipt: readingReceipt,
  listMyReceipts: {
    call: byOwner(),
    errors: {
      capability_not_active: listWithoutCapability('inactive'),
      capability_revoked: listWithoutCapability('revoked'),
    },
    access: agents,
  },
  getReceiptDocument: readingReceipt,
  showReceipt: readingReceipt,
  getSigningKeys: { call: byAnyone(), access: everyone },
  getVerifier: { call: byAnyone(), access: everyone },
};
