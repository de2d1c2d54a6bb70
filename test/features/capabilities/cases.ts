import { administrators, agents } from '../../operations/access.ts';
import {
  administrator,
  asAgent,
  byAdministrator,
  byOwner,
  createAgentWithKey,
  nowhere,
  onAgent,
  startWithoutResearch,
} from '../../operations/inputs.ts';
import type { OperationCases } from '../../operations/operation-case.ts';

const activate = (...capabilities: string[]) => ({
  body: { capabilities, consent: 'service-upgrade/1' },
});
const credentials = { capability: 'credentials' };

export const cases: OperationCases = {
  listMyCapabilities: { call: byOwner(), access: agents },
  activateCapabilities: {
    call: byOwner(
      () => activate('credentials'),
      () => activate('research'),
    ),
    errors: {
      capability_disabled: async (setup) => ({
        input: activate('credentials', 'research'),
        as: asAgent(setup.fixture.owner),
        url: await startWithoutResearch(setup),
      }),
      capability_revoked: async (setup) => ({
        input: activate('credentials'),
        as: asAgent(await createAgentWithKey(setup, ['credentials'], true)),
      }),
      insufficient_scope: async (setup) => ({
        input: activate('credentials'),
        as: { key: (await createAgentWithKey(setup, ['forum'])).further },
      }),
    },
    access: agents,
    ack: 'record',
    idempotency: 'required',
    spoilsFixture: true,
  },
  grantCapability: {
    call: byAdministrator(
      onAgent('member', { state: 'active' }, credentials),
      onAgent('member', { state: 'revoked' }, credentials),
    ),
    errors: {
      not_found: () => ({
        input: { params: { id: nowhere, ...credentials }, body: { state: 'active' } },
        as: administrator,
      }),
    },
    access: administrators,
    ack: 'record',
    idempotency: 'required',
    spoilsFixture: true,
  },
};
