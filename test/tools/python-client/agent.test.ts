import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Agent } from '../../../client/src/index.ts';
import { factories, type Json, waitUntil } from '../../support/factories.ts';
import { createFolder, findFreePort, startService } from '../../support/service.ts';
import { findProgram, runPython, startPython } from './python.ts';

const folder = createFolder();
const { url } = await startService({ DATA_DIR: join(folder, 'data') });
const f = factories({ url });
const ada = await f.createAgent('ada');
const room = await f.createRoom(ada);

const readState = (path: string): Json => JSON.parse(readFileSync(path, 'utf8'));

/** Runs lines of Python in which `me` is an agent, and returns what they print. */
async function runAs(handle: string, lines: string, more = ''): Promise<string[]> {
  const path = join(folder, `${handle}.json`);
  const program = `
import json, stoa_client
me = stoa_client.Agent.open(url="${url}", handle="${handle}", state="${path}"${more})
${lines}`;
  const { code, out, err } = await runPython(['-c', program]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out.split('\n').slice(0, -1);
}

/** A thread in which an agent of Python was mentioned with these words. */
async function mention(handle: string, ...words: string[]): Promise<string> {
  const threadId = await f.createThread(ada, room);
  for (const word of words) await f.postMessage(ada, threadId, `@${handle} ${word}`);
  return threadId;
}

const listBodies = async (threadId: string): Promise<string[]> =>
  (await f.ok('GET', `/api/v1/threads/${threadId}/messages`)).messages.map(
    ({ body }: Json) => body,
  );

describe('opening an agent', () => {
  it('[python.register] survives kill -9 between the answer and saving the key', async () => {
    const path = join(folder, 'bob.json');
    const slow = startPython([findProgram('register_slowly.py'), url, 'bob', path]);
    await waitUntil('it has the key', () => slow.readLines().length > 0);
    slow.kill('SIGKILL');
    await slow.ended;
    expect(readState(path)).toMatchObject({ agentId: null, apiKey: null });
    // Its profile is another one now, and yet the registration is the same.
    const [id] = await runAs('bob', 'print(me.id)', ', description="The second of two."');
    expect([id]).toEqual(slow.readLines());
    expect(await f.ok('GET', '/api/v1/agents/bob')).toMatchObject({
      id,
      description: 'The first of two.',
    });
  });

  it('[python.register] keeps a state that both clients know, for its owner only', async () => {
    const path = join(folder, 'cleo.json');
    const [id] = await runAs('cleo', 'print(me.id)');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const state = readState(path);
    expect(state).toEqual({
      version: 1,
      url,
      handle: 'cleo',
      registration: null,
      agentId: id,
      apiKey: expect.stringMatching(/^stoa_/),
      cursor: 0,
      acts: {},
    });
    expect(await runAs('cleo', 'print(me.id, me.client.get_me()["handle"])')).toEqual([
      `${id} cleo`,
    ]);
    expect(readState(path)).toEqual(state);
  });

  it('[python.register] says what to do about a handle or a state of somebody else', async () => {
    const refuse = async (handle: string, name: string, address = url) => {
      const path = JSON.stringify(join(folder, name));
      const program = `
import stoa_client
try:
    stoa_client.Agent.open(url="${address}", handle="${handle}", state=${path})
except stoa_client.StoaError as error:
    print(type(error).__name__, error)
`;
      const { out, err } = await runPython(['-c', program]);
      expect(err).toBe('');
      return out;
    };
    await runAs('dina', '');
    expect(await refuse('ada', 'new.json')).toMatch(
      /^HandleTakenError .*The handle ada is taken.*choose another one.*administrator/,
    );
    // Nothing was registered, so the file may become that of another agent.
    expect(await refuse('eli', 'new.json')).toBe('');
    expect(await refuse('fay', 'dina.json')).toMatch(/^StateError .*belongs to agent dina at http/);
    expect(await refuse('dina', 'dina.json', 'http://127.0.0.1:1')).toMatch(/^StateError .*dina/);
  });

  it('[client.moved] begins a state without a key anew for another address or handle', async () => {
    const path = join(folder, 'late.json');
    const nobody = `http://127.0.0.1:${await findFreePort()}`;
    const fail = async (handle: string): Promise<Json> => {
      const program = `
import stoa_client
try:
    stoa_client.Agent.open(
        url="${nobody}", handle="${handle}", state="${path}", retry=stoa_client.ONE_TRY
    )
except stoa_client.StoaConnectionError:
    print("away")`;
      expect(await runPython(['-c', program])).toEqual({ code: 0, err: '', out: 'away\n' });
      return readState(path);
    };
    const first = await fail('late');
    expect(first).toMatchObject({ url: nobody, handle: 'late', apiKey: null });
    // The outcome of this registration is unknown: the same agent keeps its idempotency key.
    expect(await fail('late')).toEqual(first);
    const second = await fail('later');
    expect(second).toMatchObject({ url: nobody, handle: 'later', apiKey: null });
    expect(second.registration).not.toBe(first.registration);
    writeFileSync(join(folder, 'moved.json'), JSON.stringify(second));
    expect(await runAs('moved', 'print(me.client.get_me()["handle"])')).toEqual(['moved']);
    expect(readState(join(folder, 'moved.json'))).toMatchObject({ url, handle: 'moved', acts: {} });
  });

  it.runIf(process.platform === 'linux')(
    '[client.lock] takes the lock of a process that was killed and is a zombie',
    async () => {
      const opening = `me = stoa_client.Agent.open(url="${url}", handle="zoe", state="zoe.json")`;
      const program = `
import os, subprocess, sys, time, stoa_client
os.chdir("${folder}")
lines = '''import stoa_client, time
${opening}
print("open", flush=True)
time.sleep(600)'''
child = subprocess.Popen([sys.executable, "-c", lines], stdout=subprocess.PIPE)
child.stdout.readline()
child.kill()
state = ""
while state != "Z":
    time.sleep(0.01)
    with open(f"/proc/{child.pid}/stat") as file:
        state = file.read().rpartition(")")[2].split()[0]
${opening}
print(me.handle)
child.wait()
child.stdout.close()`;
      expect(await runPython(['-c', program])).toEqual({ code: 0, err: '', out: 'zoe\n' });
    },
  );

  it('[client.unknown-key] says which file has a key that is not known there', async () => {
    await runAs('anew', 'me.client.revoke_current_key()');
    const path = join(folder, 'anew.json');
    const lines = `
for call in (me.client.get_me, lambda: next(me.follow())):
    try:
        call()
    except stoa_client.InvalidCredentialError as error:
        print(error.status, error)`;
    const sentence =
      `401 invalid_credential: The installation at ${url} does not know the key in ${path}: it ` +
      `was set up anew, or the key was revoked. Delete ${path} to register again; after a ` +
      'revocation, with another handle.';
    expect(await runAs('anew', lines)).toEqual([sentence, sentence]);
  });
});

describe('following', () => {
  it('[python.follow] gives an event again until the loop asks for the next one', async () => {
    await runAs('gus', '');
    await mention('gus', 'one', 'two', 'three');
    const read = (lines: string) => runAs('gus', lines);
    const show = 'print(event.message()["body"])';
    expect(await read(`for event in me.follow():\n    ${show}\n    break`)).toEqual(['@gus one']);
    const failing = `
try:
    for event in me.follow():
        ${show}
        if event.message()["body"] == "@gus two":
            raise KeyError("a fault of the handler")
except KeyError:
    pass`;
    expect(await read(failing)).toEqual(['@gus one', '@gus two']);
    const done = `for event in me.follow():\n    ${show}\n    event.done()\n    break`;
    expect(await read(done)).toEqual(['@gus two']);
    expect(await read(done)).toEqual(['@gus three']);
  });

  it('[python.follow] ends when it is told to, and has the members of an event', async () => {
    await runAs('hana', '');
    const threadId = await mention('hana', 'hello');
    const lines = `
import threading
stop = threading.Event()
for event in me.follow(wait=1, stop=stop):
    names = ["kind", "reasons", "room_id", "thread_id", "thread_title", "position"]
    print(json.dumps({name: getattr(event, name) for name in names}))
    print(event.data["messageId"] == event.message_id == event.message()["id"], event.actor_handle)
    stop.set()
print(me.state.cursor == event.id)`;
    const [members = '', ...rest] = await runAs('hana', lines);
    expect(JSON.parse(members)).toEqual({
      kind: 'mention',
      reasons: ['mention'],
      room_id: room,
      thread_id: threadId,
      thread_title: 'A thread',
      position: 1,
    });
    expect(rest).toEqual(['True ada', 'True']);
  });

  it('[python.follow] has each message whole, whatever the page had room for', async () => {
    await runAs('ida', '');
    // Each quote and each line break takes two places in JSON, so this is more than a page holds.
    await mention('ida', '"\n'.repeat(30_000), 'short');
    const lines = `
seen = []
for event in me.follow():
    sent, message = event.data["message"], event.message()
    seen.append([sent["truncated"] is not None, len(message["body"]), "truncated" in message])
    if len(seen) == 2:
        break
print(json.dumps(seen))`;
    expect((await runAs('ida', lines)).map((line) => JSON.parse(line))).toEqual([
      [
        [true, 60_005, false],
        [false, 10, false],
      ],
    ]);
  });

  it('[python.follow] ends with an error when the service refuses for good', async () => {
    await runAs('jon', '');
    const { apiKey } = readState(join(folder, 'jon.json'));
    await f.ok('DELETE', '/api/v1/me/keys/current', { key: apiKey });
    const lines = `
try:
    next(me.follow())
except stoa_client.InvalidCredentialError as error:
    print(error.status)`;
    expect(await runAs('jon', lines)).toEqual(['401']);
  });
});

describe('a reply', () => {
  it('[python.reply] joins the room and counts once, with its first words', async () => {
    await runAs('kim', '');
    const threadId = await mention('kim', 'are you there?');
    const reply = (text: string) => `
for event in me.follow():
    ack = event.reply("${text}", join=True)
    print(ack["position"], list(me.state.list_acts()) == [f"event-{event.id}-reply-1"])
    break`;
    expect(await runAs('kim', reply('Yes.'))).toEqual(['2 True']);
    expect(await runAs('kim', reply('Indeed I am.'))).toEqual(['2 True']);
    expect(await listBodies(threadId)).toEqual(['First.', '@kim are you there?', 'Yes.']);
    const messages = (await f.ok('GET', `/api/v1/threads/${threadId}/messages`)).messages;
    expect(messages[2].replyToId).toBe(messages[1].id);
    await runAs('kim', 'for event in me.follow():\n    event.done()\n    break');
    expect(readState(join(folder, 'kim.json')).acts).toEqual({});
  });

  it('[attack.55-1] (API6) joins no room unless it may', async () => {
    await runAs('mia', '');
    await mention('mia', 'come in');
    const lines = `
for event in me.follow():
    try:
        event.reply("Hello.")
    except stoa_client.MembershipRequiredError as error:
        print(error.code, len(me.client.list_rooms(mine=True)))
    break`;
    expect(await runAs('mia', lines)).toEqual(['membership_required 0']);
  });

  it('[python.reply] that the service refuses may be sent again with other words', async () => {
    await runAs('lea', '');
    const threadId = await mention('lea', 'how long?');
    const lines = `
for event in me.follow():
    try:
        event.reply("x" * 70000, join=True)
    except stoa_client.PayloadTooLargeError as error:
        event.reply(f"Too long: {error.status}", join=True)
    break`;
    await runAs('lea', lines);
    expect((await listBodies(threadId)).at(-1)).toBe('Too long: 413');
  });
});

it('[python.state] goes on in the TypeScript client where Python stopped, and back', async () => {
  await runAs('noa', '');
  const threadId = await mention('noa', 'one', 'two', 'three');
  const lines = `
for event in me.follow():
    event.reply("From Python.", join=True)
    if event.message()["body"] == "@noa two":
        break`;
  await runAs('noa', lines);
  const state = join(folder, 'noa.json');
  const me = await Agent.open({ url, handle: 'noa', state });
  for await (const event of me.follow()) {
    // The second mention was answered already, so these words are not posted.
    await event.reply('From TypeScript.', { join: true });
    if ((await event.message())?.body === '@noa three') break;
  }
  await me.close();
  await runAs(
    'noa',
    'event = next(me.follow())\nevent.reply("Python again.", join=True)\nevent.done()',
  );
  expect((await listBodies(threadId)).slice(4)).toEqual([
    'From Python.',
    'From Python.',
    'From TypeScript.',
  ]);
  expect(readState(state).acts).toEqual({});
});

describe('reading', () => {
  it('[python.read] catches up and reads threads to their end', async () => {
    await runAs('max', '');
    const threadId = await mention(
      'max',
      ...Array.from({ length: 120 }, (_, nr) => `number ${nr}`),
    );
    const lines = `
items = list(me.catch_up(budget=4000))
print([item["kind"] for item in items].count("mention"))
told = []
messages = list(me.read_thread("${threadId}", lambda read, total: told.append((read, total))))
print([message["position"] for message in messages] == list(range(121)), told)`;
    expect(await runAs('max', lines)).toEqual(['120', 'True [(100, 121), (121, 121)]']);
  });
});

it('[python.operations] reads the stream of events, from where it stopped', async () => {
  await runAs('oda', '');
  await mention('oda', 'one', 'two');
  const lines = `
last = None
for text in ("@oda one", "@oda two"):
    stream = me.client.stream_events(cursor=0, include="message", last_event_id=last)
    event = next(stream)
    stream.close()
    last = event.id
    print(event.event, event.data["id"] == int(event.id), event.data["message"]["body"] == text)`;
  expect(await runAs('oda', lines)).toEqual(['mention True True', 'mention True True']);
});

it('[python.example] answers a mention', async () => {
  const example = fileURLToPath(new URL('../../../examples/agent.py', import.meta.url));
  const program = readFileSync(example, 'utf8').replace('http://127.0.0.1:8080', url);
  const echo = startPython(['-c', program], {}, folder);
  const ready = `@echo-py waits for mentions at ${url}`;
  await waitUntil('it follows', () => echo.readLines().includes(ready));
  const threadId = await mention('echo-py', 'what do you do?');
  await waitUntil('it answers', async () => (await listBodies(threadId)).length > 2);
  echo.kill('SIGKILL');
  expect((await echo.ended).err).toBe('');
  expect((await listBodies(threadId)).slice(2)).toEqual(['I read 24 characters.']);
});
