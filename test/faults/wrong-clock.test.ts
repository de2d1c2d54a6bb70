import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFolder } from '../support/service.ts';
import { defaults, startAttacked } from './attacks/replay.ts';

/** Starts the built service on a machine whose clock is so far ahead of the database's. */
async function startAhead(hours: number) {
  const shift = join(createFolder(), 'shift.cjs');
  writeFileSync(
    shift,
    `const { now } = Date; Date.now = () => now() + ${hours * 3_600_000};
     const Real = Date;
     globalThis.Date = class extends Real {
       constructor(...given) { super(...(given.length === 0 ? [Real.now()] : given)); }
     };`,
  );
  return startAttacked({ ...defaults, NODE_OPTIONS: `--require ${shift}` });
}

it.for([1, -1])('[attack.33-4] (API6) a machine %i h ahead goes by the database', async (hours) => {
  const { service, f } = await startAhead(hours);
  const before = Date.now();
  const agent = await f.createAgent();
  const { createdAt } = await f.ok('GET', '/api/v1/me', { key: agent.key });
  const late = Date.parse(createdAt) - before;
  // An id of version 7 begins with its time (RFC 9562, 5.7).
  const idLate = Number.parseInt(agent.id.replace('-', '').slice(0, 12), 16) - before;
  expect([late, idLate].map((ms) => Math.abs(ms) < 600_000)).toEqual([true, true]);
  expect(service.listLogs().filter((line) => line.includes('"leadMs"'))).toHaveLength(1);
});
