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
  expect({ hours, isRight: Math.abs(late) < 600_000 }).toEqual({ hours, isRight: true });
  expect(service.listLogs().filter((line) => line.includes('"leadMs"'))).toHaveLength(1);
});
