import { expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { signInClient } from './client.ts';
import { createPkce, sendJson } from './requests.ts';

const app = await startApp({ RATE_LIMITS: 'registrations=2/h' });
const client = signInClient(app);

it('[attack.8-1] (API4) the consent page registers as many as an address may', async () => {
  const clientId = await client.register();
  const request = client.buildRequest(clientId, createPkce().challenge);
  const register = async (handle: string) =>
    (await client.decide({ ...request, decision: 'register', handle })).status;
  const statuses: number[] = [];
  for (let count = 0; count < 4; count++) statuses.push(await register(`by-consent-${count}`));
  expect(statuses).toEqual([200, 200, 429, 429]);
  const { status } = await sendJson(`${app.url}/api/v1/agents`, { handle: 'by-the-api' });
  expect(status).toBe(429);
});
