import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { factories, type Json, waitUntil } from '../support/factories.ts';
import {
  createFolder,
  findFreePort,
  runCommand,
  type StartedCommand,
  startCommand,
  startService,
} from '../support/service.ts';

const folder = createFolder();
const settings = { DATA_DIR: join(folder, 'data'), PORT: String(await findFreePort()) };
let service = await startService(settings);
const { url } = service;
const f = factories({ url });
const ada = await f.createAgent('ada');
const room = await f.createRoom(ada);

/** An agent that follows a thread, the program that handles its events, and what it has handled. */
async function createWatched(handle: string, script = '') {
  const agent = await f.createAgent(handle);
  await f.joinRoom(agent, room);
  const threadId = await f.createThread(ada, room);
  await f.ok('PUT', `/api/v1/threads/${threadId}/subscription`, { key: agent.key });
  const log = join(folder, `${handle}.log`);
  const program = join(folder, `${handle}.sh`);
  // One write of a line, so that a killed program leaves whole lines.
  writeFileSync(program, `#!/bin/sh\nline=$(cat)\n${script}\nprintf '%s\\n' "$line" >> ${log}\n`);
  chmodSync(program, 0o755);
  const state = join(folder, `${handle}.json`);
  const flags = `watch --url ${url} --exec ${program} --state ${state}`;
  const run = (more = ''): StartedCommand =>
    startCommand(`${flags}${more}`, { STOA_API_KEY: agent.key });
  const readHandled = (): Json[] =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line))
      : [];
  const readBodies = () => readHandled().map(({ message }) => message?.body);
  const post = (body: string) => f.postMessage(ada, threadId, body);
  return { agent, threadId, state, log, run, readHandled, readBodies, post };
}

const stop = async (command: StartedCommand) => {
  command.kill('SIGTERM');
  return command.ended;
};

it('[watch.each] passes each event once, with its message, and goes on where it was', async () => {
  const bob = await createWatched('bob');
  await bob.post('One; touch $HOME/`id`\n"quoted"');
  const first = bob.run();
  await waitUntil('the first event was handled', () => bob.readHandled().length === 1);
  await bob.post('Two');
  await waitUntil('the second event was handled', () => bob.readHandled().length === 2);
  expect((await stop(first)).code).toBe(0);
  await bob.post('Three');
  const second = bob.run();
  await waitUntil('the third event was handled', () => bob.readHandled().length === 3);
  await stop(second);
  const { events } = await f.ok('GET', '/api/v1/events?include=message', { key: bob.agent.key });
  expect(bob.readHandled()).toEqual(
    events.map((event: Json) => ({ contentTrust: 'untrusted', ...event })),
  );
  expect(bob.readBodies()).toEqual(['One; touch $HOME/`id`\n"quoted"', 'Two', 'Three']);
});

it('[watch.failing] gives an event again until the command ends with 0, in order', async () => {
  const flag = join(folder, 'may-succeed');
  const carol = await createWatched('carol', `[ -e ${flag} ] || exit 3`);
  await carol.post('One');
  await carol.post('Two');
  const watch = carol.run();
  await waitUntil('it has failed twice', () => watch.readErrors().split('ended with 3').length > 2);
  expect(carol.readHandled()).toEqual([]);
  writeFileSync(flag, '');
  await waitUntil('both were handled', () => carol.readHandled().length === 2);
  await stop(watch);
  expect(carol.readBodies()).toEqual(['One', 'Two']);
});

it('[watch.killed] misses nothing when it is killed, and repeats one event each time', async () => {
  const dora = await createWatched('dora');
  const KILLS = 5;
  const EACH = 8;
  const sent: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const watch = dora.run();
    const before = dora.readHandled().length;
    for (let nr = 0; nr < EACH; nr++) {
      sent.push(`${kill} ${nr}`);
      await dora.post(`${kill} ${nr}`);
    }
    await waitUntil('it handles them', () => dora.readHandled().length > before + 1);
    watch.kill('SIGKILL');
    await watch.ended;
  }
  const last = dora.run();
  await waitUntil('all were handled', () => dora.readBodies().at(-1) === sent.at(-1));
  await stop(last);
  const bodies = dora.readBodies();
  const again = bodies.filter((body, index) => body === bodies[index - 1]).length;
  expect(bodies.filter((body, index) => body !== bodies[index - 1])).toEqual(sent);
  expect(again).toBeLessThanOrEqual(KILLS);
});

it('[watch.idle] runs the command with no input when no event came, one at a time', async () => {
  const idle = join(folder, 'hal.idle');
  // Without an event nothing is logged but to the other file; the first of these runs fails.
  const hal = await createWatched(
    'hal',
    `[ -n "$line" ] || { echo idle >> ${idle}; [ $(wc -l < ${idle}) -gt 1 ]; exit; }`,
  );
  const watch = hal.run(' --idle 1');
  const countIdle = () =>
    existsSync(idle) ? readFileSync(idle, 'utf8').split('\n').length - 1 : 0;
  await waitUntil('it was idle twice', () => countIdle() >= 2);
  expect(watch.readErrors()).toContain('the command ended with 1 without an event');
  await hal.post('One');
  await waitUntil('the event was handled', () => hal.readHandled().length === 1);
  const before = countIdle();
  await waitUntil('it was idle again', () => countIdle() > before);
  expect((await stop(watch)).code).toBe(0);
  expect(hal.readBodies()).toEqual(['One']);
  expect(await hal.run(' --idle soon').ended).toMatchObject({
    code: 1,
    err: expect.stringContaining('--idle must be a number of seconds, at least 1, not "soon".'),
  });
});

it('[watch.restart] waits for a service that is away, and says so', async () => {
  const eve = await createWatched('eve');
  const watch = eve.run();
  await eve.post('Before');
  await waitUntil('the first was handled', () => eve.readHandled().length === 1);
  await service.end('SIGKILL');
  await waitUntil('it notices', () => watch.readErrors().includes('does not answer'));
  service = await startService(settings);
  await eve.post('After');
  await waitUntil('the second was handled', () => eve.readHandled().length === 2);
  expect(watch.readErrors()).toContain('The service answers again.');
  await stop(watch);
  expect(eve.readBodies()).toEqual(['Before', 'After']);
});

it('[watch.refuses] an invalid key, a second reader, a file of another agent', async () => {
  const gina = await createWatched('gina');
  const watch = gina.run();
  await waitUntil('it waits', () => watch.readErrors().includes('waiting for events'));
  expect(await gina.run().ended).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^Process \d+ handles these events already \(/m),
  });
  await gina.post('One');
  await waitUntil('it was handled', () => gina.readHandled().length === 1);
  await stop(watch);
  const refuse = async (key: string, sentence: RegExp) =>
    expect(
      await runCommand(`watch --url ${url} --exec true --state ${gina.state}`, {
        STOA_API_KEY: key,
      }),
    ).toMatchObject({ code: 1, err: expect.stringMatching(sentence) });
  await refuse(ada.key, /belongs to agent \S+ at http/);
  await refuse(
    'stoa_0123456789abcdefghijklmnopqrstuvwxyz',
    /^The service refuses: invalid_credential: /m,
  );
  await refuse('', /^Say who you are: --key, or STOA_API_KEY\.$/m);
  writeFileSync(gina.state, 'nonsense');
  await refuse(gina.agent.key, /is not a file of `stoa watch`/);
});
