import { join } from 'node:path';
import { expect, it } from 'vitest';
import { factories, type Json, waitUntil } from '../../support/factories.ts';
import { createFolder, startService } from '../../support/service.ts';
import { runPython, startPython } from './python.ts';

const folder = createFolder();
const { url } = await startService({ DATA_DIR: join(folder, 'data') });
const f = factories({ url });
const ada = await f.createAgent('ada');
const room = await f.createRoom(ada);

/** Lines of Python after those that open an agent which is a member of the room. */
const build = (handle: string, lines: string): string => `
import json, threading, stoa_client
me = stoa_client.Agent.open(
    url="${url}", handle="${handle}", state="${join(folder, `${handle}.json`)}"
)
me.client.join_room("${room}")
${lines}`;

async function runAs(handle: string, lines: string): Promise<string[]> {
  const { code, out, err } = await runPython(['-c', build(handle, lines)]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out.split('\n').slice(0, -1);
}

/** The id of a message that asks for one taker, in a new thread with a tag. */
async function askForTaker(tag: string): Promise<{ messageId: string; threadId: string }> {
  const threadId = await f.createThread(ada, room, { tags: [tag] });
  const { id } = await f.postMessage(ada, threadId, `Who does ${tag}?`, { request: true });
  return { messageId: id, threadId };
}

const readRequest = async (messageId: string): Promise<Json> =>
  (await f.ok('GET', `/api/v1/messages/${messageId}`)).request;

it('[python.claims] takes a request, reads it and answers it in one act', async () => {
  const { messageId, threadId } = await askForTaker('sums');
  const lines = `
with me.next_claim(tag="sums") as claim:
    print(claim.message()["body"], claim.thread_id == "${threadId}", claim.fence)
    print(claim.answer("Four.")["position"], claim.is_over, list(me.state.list_acts()))
print(me.next_claim(tag="sums", wait=0))`;
  expect(await runAs('bea', lines)).toEqual(['Who does sums? True 1', '2 True []', 'None']);
  expect(await readRequest(messageId)).toMatchObject({
    state: 'answered',
    answerId: expect.any(String),
  });
});

it('[python.claims] takes one after the other, first what it held already', async () => {
  const first = await askForTaker('rows');
  expect(await runAs('pia', 'print(me.next_claim(tag="rows").message_id)')).toEqual([
    first.messageId,
  ]);
  const second = await askForTaker('rows');
  const lines = `
taken = []
for claim in me.claims(tag="rows"):
    taken.append(claim.message_id)
    claim.answer(claim.message()["body"] + " I.")
    if len(taken) == 2:
        break
print(*taken)
print(list(me.state.list_acts()))`;
  expect(await runAs('pia', lines)).toEqual([`${first.messageId} ${second.messageId}`, '[]']);
  expect(await readRequest(second.messageId)).toMatchObject({ state: 'answered' });
});

it('[python.claims] gives a request back at the end of a block that did not answer', async () => {
  const { messageId } = await askForTaker('walks');
  const lines = `
with me.claim("${messageId}") as claim:
    print(me.client.get_message("${messageId}")["request"]["state"])
try:
    with me.claim("${messageId}") as claim:
        raise KeyError("a fault of the worker")
except KeyError:
    print(claim.is_over)`;
  expect(await runAs('cai', lines)).toEqual(['claimed', 'True']);
  expect(await readRequest(messageId)).toMatchObject({ state: 'open' });
});

it('[python.claims] renews in the background, and says when a claim is lost', async () => {
  const { messageId } = await askForTaker('naps');
  const lines = `
with me.claim("${messageId}", lease_seconds=5) as claim:
    first = claim.expires_at
    print("claimed", flush=True)
    while claim.expires_at == first:
        threading.Event().wait(0.05)
    print("renewed", flush=True)
    input()
    try:
        claim.answer("Too late.")
    except stoa_client.StateConflictError as error:
        print(error.members["reason"], claim.is_over)`;
  const worker = startPython(['-c', build('dov', lines)]);
  await waitUntil('the claim is renewed', () => worker.readLines().includes('renewed'));
  const cancelled = await f.ok('POST', `/api/v1/messages/${messageId}/request/cancel`, {
    key: ada.key,
  });
  expect(cancelled.state).toBe('cancelled');
  worker.write('');
  const { out, err } = await worker.ended;
  expect({ out, err }).toEqual({ out: 'claimed\nrenewed\nfence True\n', err: '' });
  expect((await f.ok('GET', `/api/v1/messages/${messageId}`)).request.answerId).toBeNull();
});

it('[python.claims] answers once after kill -9, with the words of the first time', async () => {
  const { messageId, threadId } = await askForTaker('odes');
  const lines = `
class Stuck(stoa_client.Client):
    def call(self, operation, **given):
        if operation == "postMessage":
            print("about to answer", flush=True)
            input()
        return super().call(operation, **given)

me.client = Stuck("${url}", api_key=me.state.api_key)
claim = me.next_claim(tag="odes")
claim.answer("The first words.")`;
  const worker = startPython(['-c', build('eva', lines)]);
  await waitUntil('it is about to answer', () => worker.readLines().length > 0);
  worker.kill('SIGKILL');
  await worker.ended;
  const again = `
for claim in me.held_claims():
    print(claim.message_id == "${messageId}", claim.answer("Other words.")["position"])
print(me.held_claims(), list(me.state.list_acts()))`;
  expect(await runAs('eva', again)).toEqual(['True 2', '[] []']);
  const { messages } = await f.ok('GET', `/api/v1/threads/${threadId}/messages`);
  expect(messages.map(({ body }: Json) => body).slice(2)).toEqual(['The first words.']);
});
