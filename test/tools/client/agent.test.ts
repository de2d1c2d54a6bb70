import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Agent } from '../../../client/src/agent/agent.ts';
import {
  type AgentState,
  AgentStateError,
  type StateStore,
} from '../../../client/src/agent/agent-state.ts';
import { StoaApiError } from '../../../client/src/calls/stoa-api-error.ts';
import { StoaConnectionError } from '../../../client/src/calls/stoa-connection-error.ts';
import {
  InvalidCredentialError,
  NotFoundError,
} from '../../../client/src/generated/error-classes.ts';
import { factories, type Json, waitUntil } from '../../support/factories.ts';
import { createFolder, findFreePort, startService } from '../../support/service.ts';

const folder = createFolder();
const settings = { DATA_DIR: join(folder, 'data'), PORT: String(await findFreePort()) };
let service = await startService(settings);
const { url } = service;
const f = factories({ url });
const ada = await f.createAgent();
const room = await f.createRoom(ada);

/** Starts a thread in which Ada mentions an agent; returns its id. */
const mention = (agent: Agent, more = ''): Promise<string> =>
  f.createThread(ada, room, { body: `@${agent.handle} please${more}` });

const listBodies = async (threadId: string): Promise<string[]> => {
  const { messages } = await f.ok('GET', `/api/v1/threads/${threadId}/messages`);
  return messages.map(({ body }: Json) => body);
};

/** A store in memory, which fails at the save after `saves` others, as a killed process would. */
function createStore(saves = Number.POSITIVE_INFINITY): StateStore & { state: AgentState | null } {
  let left = saves;
  return {
    state: null,
    async load() {
      return this.state;
    },
    async save(state) {
      if (left-- <= 0) throw new Error('killed');
      this.state = structuredClone(state);
    },
  };
}

const builtClient = new URL('../../../client/dist/index.js', import.meta.url).href;

/** The state in a file; null while there is none. */
const readState = (path: string): AgentState | null => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
};

const open = (handle: string, store: StateStore | string = createStore()): Promise<Agent> =>
  Agent.open({ url, handle, state: store });

describe('opening', () => {
  it('[client.open] registers once, and keeps the key where only its owner reads it', async () => {
    const path = join(folder, 'once.json');
    const first = await open('once', path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const again = await open('once', path);
    expect(again.id).toBe(first.id);
    expect((await again.client.getMe()).handle).toBe('once');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ version: 1, handle: 'once' });
    await expect(open('other', path)).rejects.toThrow(AgentStateError);
    await expect(open('once')).rejects.toThrow(/The handle once is taken\. If it is yours,/);
  });

  it('[client.open] refuses a state that another process uses', async () => {
    const path = join(folder, 'used', 'agent.json');
    await open('used', path);
    writeFileSync(`${path}.lock`, String(process.ppid));
    await expect(open('used', path)).rejects.toThrow(
      `Process ${process.ppid} handles these events already`,
    );
  });

  it('[client.open] gets the same key if it is killed before it has stored it', async () => {
    const store = createStore(1);
    await expect(open('killed', store)).rejects.toThrow('killed');
    const kept = createStore();
    kept.state = store.state;
    const agent = await open('killed', kept);
    expect((await agent.client.getMe()).id).toBe(agent.id);
    expect(kept.state).toMatchObject({ registration: null, agentId: agent.id });
  });

  it.runIf(process.platform === 'linux')(
    '[client.lock] takes the lock of a process that was killed and is a zombie',
    async () => {
      const state = join(folder, 'zombie.json');
      const program = `
        const { Agent } = await import(${JSON.stringify(builtClient)});
        await Agent.open(${JSON.stringify({ url, handle: 'zombie', state })});
        setInterval(() => {}, 1_000_000);`;
      const words = [process.execPath, '--input-type=module', '-e', program];
      // A parent that never asks how its child ended.
      const parent = spawn('/bin/sh', ['-c', '"$@" & exec sleep 600', 'sh', ...words], {
        stdio: 'ignore',
      });
      try {
        const readLock = () => Number(readFileSync(`${state}.lock`, 'utf8'));
        await waitUntil('it has registered', () => readState(state)?.apiKey != null);
        const pid = readLock();
        process.kill(pid, 'SIGKILL');
        const readStat = () => readFileSync(`/proc/${pid}/stat`, 'utf8');
        await waitUntil('it is a zombie', () => /\) Z /.test(readStat()));
        expect((await open('zombie', state)).handle).toBe('zombie');
        expect(readLock()).toBe(process.pid);
      } finally {
        parent.kill('SIGKILL');
        await once(parent, 'exit');
      }
    },
  );

  it('[client.moved] begins a state without a key anew for another address or handle', async () => {
    const nobody = `http://127.0.0.1:${await findFreePort()}`;
    const store = createStore();
    const fail = (handle: string) =>
      Agent.open({ url: nobody, handle, state: store, retry: { tries: 1 } }).catch(
        (error: unknown) => error,
      );
    expect(await fail('late')).toBeInstanceOf(StoaConnectionError);
    const first = store.state;
    // The outcome of this registration is unknown: the same agent keeps its idempotency key.
    await fail('late');
    expect(store.state).toEqual(first);
    await fail('later');
    expect(store.state).toMatchObject({ url: nobody, handle: 'later', apiKey: null });
    const second = store.state;
    expect(second?.registration).not.toBe(first?.registration);
    const killed = createStore(1);
    killed.state = second;
    await expect(open('later', killed)).rejects.toThrow('killed');
    expect(killed.state).toMatchObject({ url, handle: 'later', apiKey: null });
    expect(killed.state?.registration).not.toBe(second?.registration);
    const kept = createStore();
    kept.state = killed.state;
    const agent = await open('later', kept);
    expect((await agent.client.getMe()).handle).toBe('later');
    // Now it belongs to somebody.
    await expect(open('other', kept)).rejects.toThrow(/The state is that of later at http/);
    await expect(Agent.open({ url: nobody, handle: 'later', state: kept })).rejects.toThrow(
      AgentStateError,
    );
  });

  it('[client.unknown-key] says which file has a key that is not known there', async () => {
    const path = join(folder, 'anew.json');
    const agent = await open('anew', path);
    await agent.client.revokeCurrentKey();
    const again = await open('anew', path);
    const sentence =
      `The installation at ${url} does not know the key in ${path}: it was set up anew, or the ` +
      `key was revoked. Delete ${path} to register again`;
    for (const call of [() => again.client.getMe(), () => again.follow().next()]) {
      const error = await call().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(InvalidCredentialError);
      expect(error).toMatchObject({ status: 401, message: expect.stringContaining(sentence) });
    }
  });
});

describe('the program that asks', () => {
  const ask = (...words: string[]) => {
    const program = fileURLToPath(new URL('../../../dist/examples/ask.js', import.meta.url));
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
      cwd: folder,
      env: { STOA_URL: url },
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };
  const usage = 'Usage: node dist/examples/ask.js [handle] ["what to ask"]\n';

  it('[client.ask] says its usage in a line', () => {
    for (const words of [['--help'], ['-h'], ['echo', '--help']])
      expect(ask(...words)).toEqual({ status: 0, stdout: usage, stderr: '' });
    for (const words of [['--nothing'], ['echo', 'how', 'are', 'you']])
      expect(ask(...words)).toEqual({ status: 1, stdout: '', stderr: usage });
  });

  it('[client.ask] says whom it does not know', () => {
    const stderr = 'Start @nobody first: it is unknown.\n';
    expect(ask('nobody')).toEqual({ status: 1, stdout: '', stderr });
  });
});

describe('following', () => {
  it('[client.follow] [newcomer.breakage-2] waits out restarts and misses nothing', async () => {
    const agent = await open('patient');
    await mention(agent);
    const stop = new AbortController();
    const states: string[] = [];
    const seen: (string | null)[] = [];
    const onState = ({ state }: { state: string }) => void states.push(state);
    const follow = async () => {
      for await (const event of agent.follow({ signal: stop.signal, onState })) {
        seen.push((await event.message())?.body ?? null);
        if (seen.length === 2) stop.abort();
      }
    };
    const following = follow();
    await waitUntil('the first event came', () => seen.length === 1);
    await service.end('SIGKILL');
    await waitUntil('it tried several times', () => states.length > 3);
    service = await startService(settings);
    await mention(agent, ' again');
    await following;
    expect(seen).toEqual(['@patient please', '@patient please again']);
    expect(states[0]).toBe('connected');
    expect(new Set(states.slice(1, -1))).toEqual(new Set(['waiting']));
    expect(states.at(-1)).toBe('connected');
  });

  it('[client.follow] brings an event again that was not handled, and no other', async () => {
    const store = createStore();
    const agent = await open('crashing', store);
    await mention(agent, ' 1');
    await mention(agent, ' 2');
    const seen: number[] = [];
    const handle = async (crashAt: number) => {
      for await (const event of agent.follow()) {
        seen.push(event.id);
        if (seen.length === crashAt) throw new Error('crash');
        if (seen.length > crashAt) return event.done();
      }
    };
    await expect(handle(2)).rejects.toThrow('crash');
    expect(store.state?.cursor).toBe(1);
    await handle(2);
    expect(seen).toEqual([1, 2, 2]);
    expect(store.state?.cursor).toBe(2);
  });

  it('[client.acts] posts one reply, the first, although the handler runs again', async () => {
    const store = createStore();
    const agent = await open('model', store);
    const threadId = await mention(agent);
    const texts = ['First words', 'Other words', 'Never sent'];
    for (const text of texts.slice(0, 2))
      for await (const event of agent.follow()) {
        await event.reply(text, { join: true });
        // The process ends here, before the loop asks for the next event.
        break;
      }
    expect(Object.keys(store.state?.acts ?? {})).toEqual(['event-1-reply-1']);
    for await (const event of agent.follow()) {
      await event.reply('Never sent', { join: true });
      await event.reply('A second reply', { join: true });
      await event.done();
      break;
    }
    expect(await listBodies(threadId)).toEqual(['@model please', 'First words', 'A second reply']);
    expect(store.state).toMatchObject({ cursor: 1, acts: {} });
  });

  it('[client.acts] tries other words after a refusal, as the same reply', async () => {
    const store = createStore();
    const agent = await open('wordy', store);
    const threadId = await mention(agent);
    for await (const event of agent.follow()) {
      await expect(event.reply('x'.repeat(70_000), { join: true })).rejects.toMatchObject({
        code: 'payload_too_large',
      });
      await event.reply('Shorter words', { join: true });
      expect(Object.keys(store.state?.acts ?? {})).toEqual(['event-1-reply-1']);
      await event.done();
      break;
    }
    expect(await listBodies(threadId)).toEqual(['@wordy please', 'Shorter words']);
  });

  it('[client.follow] joins a public room to answer, and reads long messages whole', async () => {
    const agent = await open('reader');
    const long = ` ${'long '.repeat(12_000)}`;
    await mention(agent, long);
    await mention(agent, long);
    const lengths: number[] = [];
    for await (const event of agent.follow()) {
      const message = await event.message();
      lengths.push(message?.body.length ?? 0);
      if (lengths.length === 2) break;
    }
    expect(lengths).toEqual([long.length + 14, long.length + 14]);
  });

  it('[client.errors] ends for a final refusal, and when it is aborted', async () => {
    const store = createStore();
    const agent = await open('revoked', store);
    const error = await agent.client
      .getThread({ params: { id: agent.id } })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotFoundError);
    const gone = AbortSignal.abort(new Error('no time'));
    await expect(agent.client.getMe({ signal: gone })).rejects.toThrow('no time');
    for await (const _ of agent.follow({ signal: gone })) expect.unreachable();
    await agent.client.revokeCurrentKey();
    const follow = async () => {
      for await (const _ of agent.follow()) expect.unreachable();
    };
    const refused = await follow().catch((thrown: unknown) => thrown);
    expect(refused).toBeInstanceOf(InvalidCredentialError);
    expect(refused).toBeInstanceOf(StoaApiError);
  });
});

describe('claims', () => {
  const ask = async (tag: string) => {
    const threadId = await f.createThread(ada, room, { tags: [tag] });
    const { id } = await f.postMessage(ada, threadId, 'Who takes this?', { request: true });
    return { threadId, id: id as string };
  };

  it('[client.claims] takes, answers once, and resumes after a crash', async () => {
    const store = createStore();
    const agent = await open('worker', store);
    await agent.client.joinRoom({ params: { id: room } });
    const { threadId, id } = await ask('work');
    for await (const claim of agent.claims({ tag: 'work' })) {
      expect((await claim.message()).body).toBe('Who takes this?');
      // It is killed while it works.
      break;
    }
    const next = await ask('work');
    const taken: string[] = [];
    const restarted = await open('worker', store);
    for await (const claim of restarted.claims({ tag: 'work' })) {
      taken.push(claim.messageId);
      await claim.answer(`Done ${taken.length}`);
      if (taken.length === 2) break;
    }
    expect(taken).toEqual([id, next.id]);
    expect((await listBodies(threadId)).at(-1)).toBe('Done 1');
    expect(store.state?.acts).toEqual({});
  });

  it('[client.claims] is renewed while work goes on, and tells when it is lost', async () => {
    const agent = await open('slow');
    await agent.client.joinRoom({ params: { id: room } });
    const { id } = await ask('slow');
    const claim = await agent.claim(id, { leaseSeconds: 5 });
    const held = await agent.client.listMyClaims();
    await waitUntil('it was renewed', async () => {
      const [now] = await agent.client.listMyClaims();
      return now !== undefined && now.claim.expiresAt > (held[0]?.claim.expiresAt ?? '');
    });
    await f.ok('POST', `/api/v1/messages/${id}/request/cancel`, { key: ada.key });
    await waitUntil('it knows that it lost', () => claim.signal.aborted);
    await expect(claim.answer('Too late')).rejects.toMatchObject({ code: 'state_conflict' });
  });
});

describe('long reads', () => {
  it('[client.long-reads] yields all messages and says how far it is', async () => {
    const agent = await open('historian');
    const threadId = await f.createThread(ada, room);
    for (let nr = 1; nr < 130; nr++) await f.postMessage(ada, threadId, `Message ${nr}`);
    const progress: unknown[] = [];
    const positions: number[] = [];
    const onProgress = (now: unknown) => void progress.push(now);
    for await (const { position } of agent.readThread(threadId, { onProgress }))
      positions.push(position);
    expect(positions).toEqual(Array.from({ length: 130 }, (_, index) => index));
    expect(progress).toEqual([
      { read: 100, total: 130 },
      { read: 130, total: 130 },
    ]);
  });

  it('[client.long-reads] yields every item of catching up, page by page', async () => {
    const agent = await open('absent');
    const threads = await Promise.all([1, 2, 3, 4, 5].map((nr) => mention(agent, ` ${nr}`)));
    const found = new Set<string>();
    for await (const item of agent.catchUp({ budget: 1000 }))
      if (item.kind === 'mention') found.add(item.threadId);
    expect(found).toEqual(new Set(threads));
  });
});
