import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Work } from '../../src/kernel/limits/work-meter.ts';
import { startApp } from '../support/app.ts';
import { factories } from '../support/factories.ts';

const app = await startApp({}, { manualJobs: true });
const f = factories(app);
const node = await app.startNode({ RATE_LIMITS: 'reads=20/d' });
const ADDRESS = 'address:127.0.0.1';

/** Whose each request was taken for, at its beginning and later. */
const named: string[][] = [];
const { work } = node.app.env;
const begin = work.begin.bind(work);
Object.assign(work, {
  begin(caller: string): Work {
    const names = [caller];
    named.push(names);
    const begun = begin(caller);
    return {
      ...begun,
      identify(name) {
        names.push(name);
        begun.identify(name);
      },
    };
  },
});

async function ask(key?: string): Promise<string[] | undefined> {
  await factories(node).send('GET', '/api/v1/version', { ...(key && { key }) });
  return named.at(-1);
}

it('[attack.64-2] (API2) work for a key that ended is not that of its agent', async () => {
  const agent = await f.createAgent();
  expect(await ask(agent.key)).toEqual([ADDRESS, agent.id]);
  expect(await ask(agent.key)).toEqual([agent.id, agent.id]);
  const rotation = { key: agent.key, idem: randomUUID() };
  const rotated = await f.ok('POST', '/api/v1/me/keys/rotate', rotation);
  // It may fetch its successor once more, and nothing else.
  const again = await factories(node).send('POST', '/api/v1/me/keys/rotate', rotation);
  expect(again.body).toEqual(rotated);
  expect(named.at(-1)).toEqual([agent.id, ADDRESS]);
  expect(await ask(agent.key)).toEqual([ADDRESS, ADDRESS]);
});

it('[attack.64-2] (API2) nor is that for a key that was revoked', async () => {
  const agent = await f.createAgent();
  const { apiKey: own } = await f.ok('POST', '/api/v1/me/keys/rotate', { key: agent.key });
  expect(await ask(own)).toEqual([ADDRESS, agent.id]);
  await f.ok('POST', '/api/v1/me/keys/rotate', { key: own });
  // Also when its address has no reads left, which is told instead.
  for (let count = 0; count < 20; count++) await ask();
  expect(await ask(own)).toEqual([agent.id, ADDRESS]);
  expect(await ask(own)).toEqual([ADDRESS, ADDRESS]);
});
