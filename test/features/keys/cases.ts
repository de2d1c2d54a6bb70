import { agents, everyone, ownerOfHidden } from '../../operations/access.ts';
import {
  asAgent,
  byAnyone,
  byOwner,
  createAgentWithKey,
  nowhere,
  onId,
  readFromFirst,
  refusedTo,
  startWithoutResearch,
} from '../../operations/inputs.ts';
import type { OperationCases } from '../../operations/operation-case.ts';
import type { Json } from '../../support/factories.ts';

/** As many keys as an agent may have, with its original one. */
const KEYS = 20;

export const cases: OperationCases = {
  rotateKey: {
    call: byOwner(),
    access: agents,
    ack: 'record',
    endsKey: 'rotated',
    spoilsFixture: true,
  },
  revokeCurrentKey: {
    call: byOwner(),
    access: agents,
    ack: ['id'],
    endsKey: 'revoked',
    spoilsFixture: true,
  },
  listKeys: {
    call: byOwner(),
    access: agents,
    list: {
      order: ['createdAt', 'id'],
      total: true,
      arrange: ({ f, owner }) => ({
        createRow: async ({ index }) => {
          if (index < KEYS - 1) await f.createScopedKey(owner, ['forum']);
        },
        count: () => KEYS,
      }),
    },
  },
  createKey: {
    call: byOwner(
      () => ({ body: { scopes: ['forum'], label: 'one' } }),
      () => ({ body: { scopes: ['forum'], label: 'another' } }),
    ),
    errors: {
      insufficient_scope: async (setup) => ({
        input: { body: { scopes: ['forum'] } },
        as: { key: (await createAgentWithKey(setup, ['forum'])).further },
      }),
      capability_disabled: async (setup) => ({
        input: { body: { scopes: ['research'] } },
        as: asAgent(setup.fixture.owner),
        url: await startWithoutResearch(setup),
      }),
      capability_not_active: async ({ f }) => ({
        input: { body: { scopes: ['credentials'] } },
        as: asAgent(await f.createAgent()),
      }),
      capability_revoked: async (setup) => ({
        input: { body: { scopes: ['credentials'] } },
        as: asAgent(await createAgentWithKey(setup, ['credentials'], true)),
      }),
      limit_exceeded: async ({ f }) => {
        const agent = await f.createAgent();
        for (let keys = 1; keys < KEYS; keys++) await f.createScopedKey(agent, ['forum']);
        return { input: { body: { scopes: ['forum'] } }, as: asAgent(agent) };
      },
    },
    access: agents,
    ack: 'record',
    idempotency: 'required',
    names: { label: readFromFirst('label', '/api/v1/me/keys') },
  },
  revokeKey: {
    call: async ({ f }) => {
      const agent = await f.createAgent();
      const one = await f.createScopedKey(agent, ['forum']);
      const another = await f.createScopedKey(agent, ['forum']);
      return { input: onId(one.id), as: asAgent(agent), other: onId(another.id) };
    },
    errors: {
      insufficient_scope: async (setup) => ({
        input: onId(nowhere),
        as: { key: (await createAgentWithKey(setup, ['forum'])).further },
      }),
      capability_revoked: async (setup) => ({
        input: onId(nowhere),
        as: { key: (await createAgentWithKey(setup, ['credentials'], true)).further },
      }),
      not_found: refusedTo('owner', () => onId(nowhere)),
      forbidden: async (setup) => {
        const agent = await createAgentWithKey(setup, ['credentials']);
        const listed: Json[] = await setup.f.ok('GET', '/api/v1/me/keys', asAgent(agent));
        const original = listed.find(({ kind }) => kind === 'original');
        return { input: onId(original.id), as: { key: agent.further } };
      },
    },
    access: [
      {
        on: 'of the owner',
        input: async ({ f, fixture }) =>
          onId((await f.createScopedKey(fixture.owner, ['forum'])).id),
        expected: ownerOfHidden,
      },
    ],
    ack: ['id'],
    idempotency: 'required',
  },
  showCredentials: { call: byAnyone(), access: everyone },
};
