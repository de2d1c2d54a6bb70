import { agents } from '../../operations/access.ts';
import { byOwner } from '../../operations/inputs.ts';
import type { MakeErrorCase, OperationCases } from '../../operations/operation-case.ts';
import { raiseVersion } from '../interactions/record-situations.ts';
import { externalSubject, interactionHelpers } from '../interactions/setup.ts';

/** A call about trust in the owner, by an agent who trusts it already unless told otherwise. */
const callAboutTrust =
  (more: object, trustsAlready = true): MakeErrorCase =>
  async ({ f, fixture }) => {
    const agent = await f.createAgent();
    const target = { agent: fixture.owner.handle };
    if (trustsAlready) await interactionHelpers(f).recordTrust(agent, { target });
    return {
      input: { body: { target, level: 1, ...more } },
      as: { key: await f.getKeyWithScope(agent, 'interactions') },
    };
  };

const buildTrust = (agent: string) => ({
  body: { target: { agent }, level: 1, note: 'So far' },
});

export const cases: OperationCases = {
  recordTrust: {
    // In a new agent each time: an agent says it once about each target.
    call: byOwner(
      async ({ f }) => buildTrust((await f.createAgent()).handle),
      ({ fixture }) => buildTrust(fixture.member.handle),
      'interactions',
    ),
    errors: {
      not_found: callAboutTrust({ expectedVersion: 1 }, false),
      already_exists: callAboutTrust({}),
      version_conflict: callAboutTrust({ expectedVersion: 2 }),
      limit_exceeded: async (setup) => {
        const { f } = setup;
        const agent = await f.createAgent();
        const target = externalSubject();
        const { id } = (await interactionHelpers(f).recordTrust(agent, { target })).body;
        await raiseVersion(setup, id);
        return {
          input: { body: { target, level: 1, expectedVersion: 200 } },
          as: { key: await f.getKeyWithScope(agent, 'interactions') },
        };
      },
    },
    access: agents,
    ack: 'record',
    idempotency: 'required',
  },
  listMyTrust: {
    call: byOwner(undefined, undefined, 'interactions'),
    access: agents,
    list: {
      order: ['createdAt', 'id'],
      arrange: async ({ f }) => {
        const author = await f.createAgent();
        return {
          as: { key: await f.getKeyWithScope(author, 'interactions') },
          createRow: ({ index }) =>
            interactionHelpers(f).recordTrust(author, {
              target: externalSubject(`model ${index}`, 'model'),
            }),
        };
      },
    },
  },
};
