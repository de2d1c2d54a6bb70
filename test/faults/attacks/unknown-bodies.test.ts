import { expect, it } from 'vitest';
import { waitUntil } from '../../support/factories.ts';
import { buildHead, defaults, openSocket, startAttacked } from './replay.ts';

const STRANGERS = 20;
const limits = `requests.strangers=${STRANGERS},requests.stranger=${STRANGERS}`;
const { service, f } = await startAttacked({ ...defaults, LOAD_LIMITS: limits });
const { url } = service;

it('[attack.35-3] (API4) bodies of nobody known hold no room of known callers', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': 1000 };
  const agent = await f.createAgent();
  const statuses: number[] = [];
  const sockets = ['/oauth/token', '/session', '/oauth/authorize'].flatMap((path) =>
    Array.from({ length: STRANGERS }, () => {
      const socket = openSocket(
        url,
        `${buildHead(url, `POST ${path}`, { ...form, origin: url })}a`,
      );
      socket.once('data', (piece) => statuses.push(Number(String(piece).split(' ')[1])));
      return socket;
    }),
  );
  await waitUntil('all but a few are refused', () => statuses.length >= 2 * STRANGERS);
  expect([...new Set(statuses)]).toEqual([429]);
  expect((await f.send('GET', '/api/v1/me', { key: agent.key })).status).toBe(200);
  for (const socket of sockets) socket.destroy();
});
