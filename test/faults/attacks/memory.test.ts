import { expect, it } from 'vitest';
import {
  holdLongBodies,
  holdSilentConnections,
  sendUnparsableBodies,
} from '../../../bench/load/attackers.ts';
import { buildHead, defaults, openSocket, readPeakMemory, startAttacked } from './replay.ts';

const MIB = 1024 * 1024;
const SECONDS = 2;
const { service, f } = await startAttacked(defaults);

/** 800 sockets that hold all but the last byte of 512 KiB for an address of REST. */
function holdBodies(url: string): () => void {
  const length = MIB / 2;
  const head = buildHead(url, 'POST /api/v1/rooms', { 'content-length': length });
  const sockets = Array.from({ length: 800 }, () =>
    openSocket(url, head + 'x'.repeat(length - 1)).resume(),
  );
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

it('[attack.1-1] [attack.1-6] (API4) harms nobody: bodies without an end', async () => {
  const agent = await f.createAgent();
  const roomId = await f.createRoom(agent, 'public');
  const id = await f.createThread(agent, roomId);
  const single = [[holdLongBodies], [holdBodies], [holdSilentConnections], [sendUnparsableBodies]];
  for (const attacks of [...single, single.flat()]) {
    const stops = attacks.map((attack) => attack(service.url));
    const until = Date.now() + SECONDS * 1000;
    let answers = 0;
    while (Date.now() < until) {
      await f.postMessage(agent, id, `Message ${answers}`);
      const read = await f.send('GET', '/api/v1/me', { key: agent.key });
      expect(read.status).toBe(200);
      answers++;
      await new Promise((resolve) => setTimeout(resolve, 80));
    }
    for (const stop of stops) stop();
    expect(answers).toBeGreaterThan(0);
  }
  expect(readPeakMemory(service.pid)).toBeLessThan(400 * MIB);
});
