import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { buildHead, defaults, openSocket, startAttacked } from './replay.ts';

const { service } = await startAttacked(defaults);
const { url } = service;

it('[attack.26-1] (API4) answers that cannot be sent take nothing from others', async () => {
  const refused = { 'content-type': 'application/json', 'content-length': 3 };
  const sent = `${buildHead(url, 'POST /oauth/register', refused)}{a}${buildHead(url, 'GET /')}`;
  for (let round = 0; round < 15; round++)
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const socket = openSocket(url, sent);
        socket.resume();
        await once(socket, 'close');
      }),
    );
  const statuses = new Set<number>();
  for (let call = 0; call < 300; call++) {
    statuses.add((await fetch(`${url}/robots.txt`)).status);
    await sleep(30);
  }
  expect([...statuses]).toEqual([200]);
});
