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
  Answers,
  BuildInput,
  MakeErrorCase,
  OperationCase,
  OperationCases,
} from '../../operations/operation-case.ts';

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

/** Members may read a private receipt, but only with a key for `credentials`. */
const withForumKey: Answers = {
  ...readingMembers,
  member: 'insufficient_scope',
  owner: 'insufficient_scope',
};

/** A receipt is read in three forms, which follow the same rules. */
const readingReceipt: OperationCase = {
  call: byAnyone(onReceipt('open')),
  errors: {
    not_found: refusedTo('owner', () => onId(nowhere)),
    insufficient_scope: refusedTo('member', onReceipt('hidden')),
    capability_not_active: readPrivateReceipt('inactive'),
    capability_revoked: readPrivateReceipt('revoked'),
  },
  access: perThread(
    {
      open: everyone,
      membersOnly: withForumKey,
      listed: withForumKey,
      hidden: withForumKey,
    },
    onReceipt,
  ),
};

export const cases: OperationCases = {
  getReceipt: readingReceipt,
  listMyReceipts: { call: byOwner(), access: agents },
  getReceiptDocument: readingReceipt,
  showReceipt: readingReceipt,
  getSigningKeys: { call: byAnyone(), access: everyone },
  getVerifier: { call: byAnyone(), access: everyone },
};
