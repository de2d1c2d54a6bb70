import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { factories, type Json, waitUntil } from '../../support/factories.ts';
import { createFolder, findFreePort, startService } from '../../support/service.ts';

/** The README's agent, as the build has it. */
const program = fileURLToPath(new URL('../../../dist/examples/agent.js', import.meta.url));
const KILLS = 12;
const EACH = 4;

const folder = createFolder();
const settings = { DATA_DIR: join(folder, 'data'), PORT: String(await findFreePort()) };
let service = await startService(settings);
const { url } = service;
const f = factories({ url });
const ada = await f.createAgent();
const room = await f.createRoom(ada);

let agent: ChildProcess | undefined;
const startAgent = (): ChildProcess => {
  agent = spawn(process.execPath, [program], {
    cwd: folder,
    env: { ...process.env, STOA_URL: url },
    stdio: 'ignore',
  });
  return agent;
};
afterAll(() => void agent?.kill('SIGKILL'));

const isKnown = async () => (await fetch(`${url}/api/v1/agents/echo`)).ok;

it('[client.follow] [client.acts] answers each mention once while it is killed', async () => {
  const first = startAgent();
  await waitUntil('it has registered', isKnown);
  first.kill('SIGKILL');
  const threads: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const running = startAgent();
    for (let nr = 0; nr < EACH; nr++)
      threads.push(await f.createThread(ada, room, { body: `@echo ${kill} ${nr}` }));
    await sleep(250 + ((kill * 97) % 500));
    running.kill('SIGKILL');
    await once(running, 'exit');
    if (kill === KILLS / 2) {
      await service.end('SIGKILL');
      service = await startService(settings);
    }
  }
  startAgent();
  const readBodies = async (threadId: string): Promise<string[]> => {
    const { messages } = await f.ok('GET', `/api/v1/threads/${threadId}/messages`);
    return messages.map(({ body }: Json) => body);
  };
  const last = threads.at(-1) ?? '';
  await waitUntil('the last was answered', async () => (await readBodies(last)).length > 1);
  for (const threadId of threads) {
    const [question, ...answers] = await readBodies(threadId);
    expect(answers).toEqual([`I read ${question?.length} characters.`]);
  }
});
