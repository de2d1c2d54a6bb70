import { agents } from '../../operations/access.ts';
import type { Fixture } from '../../operations/fixture.ts';
import { asAgent, byOwner, createAgentWithKey, refusedTo } from '../../operations/inputs.ts';
import type { OperationCases } from '../../operations/operation-case.ts';
import { CLOSED, exampleWebhook } from './receiver.ts';

export const cases: OperationCases = {
  getWebhook: { call: byOwner(), access: agents },
  putWebhook: {
    call: byOwner(
      () => ({ body: exampleWebhook }),
      () => ({ body: { ...exampleWebhook, url: `${exampleWebhook.url}/other` } }),
    ),
    errors: {
      invalid_webhook_url: refusedTo('owner', () => ({
        body: { ...exampleWebhook, url: 'https://localhost/' },
      })),
      invalid_webhook_secret: refusedTo('owner', () => ({
        body: { ...exampleWebhook, secret: 'short' },
      })),
    },
    access: agents,
    ack: 'record',
    spoilsFixture: true,
  },
  deleteWebhook: { call: byOwner(), access: agents, ack: ['id'], spoilsFixture: true },
  verifyWebhook: {
    call: async ({ f, fixture: { owner } }) => {
      await f.ok('PUT', '/api/v1/me/webhook', { ...asAgent(owner), body: exampleWebhook });
      return { input: {}, as: asAgent(owner) };
    },
    errors: {
      not_found: async ({ f }) => ({ input: {}, as: asAgent(await f.createAgent()) }),
      credential_unavailable: async (setup) => {
        const { f } = setup;
        const agent = await createAgentWithKey(setup, ['forum']);
        await f.ok('PUT', '/api/v1/me/webhook', { key: agent.further, body: exampleWebhook });
        await f.ok('DELETE', '/api/v1/me/keys/current', { key: agent.further });
        return { input: {}, as: asAgent(agent) };
      },
      webhook_verification_failed: async ({ f }) => {
        const agent = await f.createAgent();
        await f.ok('PUT', '/api/v1/me/webhook', {
          ...asAgent(agent),
          body: { ...exampleWebhook, url: CLOSED },
        });
        return { input: {}, as: asAgent(agent) };
      },
    },
    access: [
      {
        // Each caller verifies its own webhook.
        input: async ({ f, fixture, caller }) => {
          if (caller in fixture && caller !== 'blocked') {
            const agent = fixture[caller as keyof Fixture] as Fixture['owner'];
            await f.ok('PUT', '/api/v1/me/webhook', { ...asAgent(agent), body: exampleWebhook });
          }
          return {};
        },
        expected: agents,
      },
    ],
    ack: 'record',
    spoilsFixture: true,
  },
};
