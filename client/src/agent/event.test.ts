import { describe, expect, it } from 'vitest';
import { createClient } from '../calls/client.ts';
import type { Event } from '../generated/operation-types.ts';
import { KeptState } from './agent-state.ts';
import { wrapEvent } from './event.ts';

const id = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';

/** An event, cut from its page, of a service that refuses every call, and what it was asked. */
function createRefused(status: number, code: string) {
  const asked: string[] = [];
  const client = createClient({
    baseUrl: 'http://stoa.test',
    retry: { tries: 1 },
    fetch: async (address, init) => {
      asked.push(`${init?.method} ${new URL(String(address)).pathname}`);
      const headers = { 'content-type': 'application/problem+json' };
      const problem = JSON.stringify({ code, status, title: code });
      return code === ''
        ? new Response('No.', { status })
        : new Response(problem, { status, headers });
    },
  });
  const store = { load: async () => null, save: async () => {} };
  const state = new KeptState(store, {
    version: 1,
    url: 'http://stoa.test',
    handle: 'ada',
    registration: null,
    agentId: id,
    apiKey: 'a key',
    cursor: 0,
    acts: {},
  });
  const event = { id: 1, kind: 'mention', reasons: ['mention'], roomId: id, threadId: id };
  const found = { ...event, messageId: id, message: null } as unknown as Event;
  const owner = { client, state, waiting: {}, finish: async () => {} };
  return { event: wrapEvent(found, owner), asked, state };
}

describe('an event', () => {
  it.each([
    [404, 'not_found'],
    [403, 'forbidden'],
    [410, 'gone'],
  ])('[attack.55-3] (API10) has no message when the service answers %i', async (status, code) => {
    const { event } = createRefused(status, code);
    expect(await event.message()).toBeNull();
  });

  it('[attack.55-3] (API10) throws other refusals of its message', async () => {
    const { event } = createRefused(401, 'invalid_credential');
    await expect(event.message()).rejects.toMatchObject({ code: 'invalid_credential' });
  });

  it('[attack.56-8] (API10) keeps the words that only a proxy refused', async () => {
    for (const [code, kept] of [
      ['', 1],
      ['forbidden', 0],
    ] as const) {
      const { event, state } = createRefused(403, code);
      await expect(event.reply('Hello')).rejects.toMatchObject({ status: 403 });
      expect(Object.keys(state.current.acts)).toHaveLength(kept);
    }
  });

  it.each([
    [undefined, ['POST /api/v1/threads/{id}/messages']],
    [true, ['POST /api/v1/threads/{id}/messages', 'POST /api/v1/rooms/{id}/join']],
  ])('[attack.55-1] (API6) joins a room only if it may (%j)', async (join, expected) => {
    const { event, asked } = createRefused(403, 'membership_required');
    const reply = event.reply('Hello', join === undefined ? {} : { join });
    await expect(reply).rejects.toMatchObject({ code: 'membership_required' });
    expect(asked.map((one) => one.replace(id, '{id}'))).toEqual(expected);
  });
});
