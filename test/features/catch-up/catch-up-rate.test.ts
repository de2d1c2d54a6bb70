import { expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';

const app = await startApp({ RATE_LIMITS: 'searches=2/d' });
const f = factories(app);

it('[attack.3-5] catchUp is counted as a search: it looks at all that is followed', async () => {
  const { key } = await f.createAgent();
  const ask = async () => (await f.send('GET', '/api/v1/me/catch-up', { key })).status;
  expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429]);
});
