import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  holdLongBodies,
  holdSilentConnections,
  sendUnparsableBodies,
} from '../../bench/load/attackers.ts';
import { factories } from '../support/factories.ts';
import { createFolder, startService } from '../support/service.ts';

const MIB = 1024 * 1024;
const SECONDS = 3;

/** The most memory that a process ever had resident, in bytes (Linux). */
const readPeakMemory = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

it('[attack.1-1] [attack.1-6] leaves the service alive, small and open to others', async () => {
  const service = await startService({ DATA_DIR: createFolder(), RATE_LIMITS: 'on' });
  const f = factories(service);
  const agent = await f.createAgent();
  const roomId = await f.createRoom(agent, 'public');
  const { id } = await f.ok('POST', `/api/v1/rooms/${roomId}/threads`, {
    key: agent.key,
    body: { title: 'Open', body: 'For everyone.' },
  });
  const single = [[holdLongBodies], [holdSilentConnections], [sendUnparsableBodies]];
  for (const attacks of [...single, single.flat()]) {
    const stops = attacks.map((attack) => attack(service.url));
    const until = Date.now() + SECONDS * 1000;
    let answers = 0;
    while (Date.now() < until) {
      const post = { key: agent.key, body: { body: `Message ${answers}` } };
      const written = await f.send('POST', `/api/v1/threads/${id}/messages`, post);
      expect(written.status).toBe(200);
      const read = await f.send('GET', '/api/v1/me', { key: agent.key });
      expect(read.status).toBe(200);
      answers++;
      await new Promise((resolve) => setTimeout(resolve, 80));
    }
    for (const stop of stops) stop();
    expect(answers).toBeGreaterThan(0);
  }
  expect(readPeakMemory(service.pid)).toBeLessThan(400 * MIB);
}, 120_000);
