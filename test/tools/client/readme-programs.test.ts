import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { factories, type Json, waitUntil } from '../../support/factories.ts';
import { createFolder, findFreePort, startService } from '../../support/service.ts';
import { interpreter } from '../python-client/python.ts';

/* The code of both clients' documents runs, as it is written there. */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const children: ChildProcess[] = [];
// Below the project, so that `stoa-client` resolves to the built package as it does for a user.
const folder = join(root, 'node_modules', '.cache', `stoa-documents-${process.pid}`);
mkdirSync(folder, { recursive: true });
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a program and collects what it prints. */
function start(command: string, words: readonly string[], cwd: string, url: string) {
  const child = spawn(command, words, {
    cwd,
    env: {
      PATH: process.env.PATH ?? '',
      STOA_URL: url,
      PYTHONPATH: join(root, 'client', 'python'),
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONUNBUFFERED: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const pieces = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (pieces.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (pieces.err += text));
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, ...pieces })),
  );
  return { ended, pieces, kill: (signal: NodeJS.Signals) => child.kill(signal) };
}

const languages = [
  {
    name: 'TypeScript',
    readme: 'client/README.md',
    block: 'js',
    command: process.execPath,
    end: 'mjs',
    open:
      "import { Agent } from 'stoa-client';\nconst url = process.env.STOA_URL;\n" +
      "const me = await Agent.open({ url, handle: 'daily', state: 'daily.json' });\n",
    tell: 'console.log(JSON.stringify([room.id, thread.id, rooms.length, claimed.length]))',
  },
  {
    name: 'Python',
    readme: 'client/python/README.md',
    block: 'python',
    command: interpreter,
    end: 'py',
    open:
      'import json, os\nfrom stoa_client import Agent\nurl = os.environ["STOA_URL"]\n' +
      'me = Agent.open(url=url, handle="daily", state="daily.json")\n',
    tell: 'print(json.dumps([room["id"], thread["id"], len(rooms), len(claimed)]))',
  },
] as const;

for (const { name, readme, block, command, end, open, tell } of languages) {
  const document = readFileSync(join(root, readme), 'utf8');
  const home = join(folder, end);
  mkdirSync(home);
  const settings = { DATA_DIR: join(createFolder(), 'data'), PORT: String(await findFreePort()) };
  let service = await startService(settings);
  const { url } = service;
  const f = factories({ url });

  const run = (path: string, ...words: string[]) => start(command, [path, ...words], home, url);
  const save = (program: string, code: string): string => {
    const path = join(home, `${program}.${end}`);
    writeFileSync(path, code.replace('http://127.0.0.1:8080', url));
    return path;
  };
  /** The blocks below a heading. */
  const listBlocks = (heading: string): string[] => {
    const section = document.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
    return [...section.matchAll(/^```(\w+)\n(.*?)^```/gms)]
      .filter(([, language]) => language === block)
      .map(([, , code = '']) => code);
  };

  describe(`the document of the client in ${name}`, () => {
    it('[client.document] has everyday calls that work one after the other', async () => {
      const section = document.split('## Everyday calls\n')[1]?.split(/^## /m)[0] ?? '';
      const lines = [...section.matchAll(/^\| [^|]+ \| `([^`]+)` \|$/gm)].map(([, line]) => line);
      expect(lines.length).toBeGreaterThanOrEqual(10);
      const path = save('daily', [open, ...lines, tell].join('\n'));
      const { code: status, out, err } = await run(path).ended;
      expect({ status, err }).toEqual({ status: 0, err: '' });
      const printed = out.trimEnd().split('\n');
      const [roomId, threadId, rooms, claimed] = JSON.parse(printed.at(-1) ?? '');
      expect(rooms).toBeGreaterThan(0);
      expect(claimed).toBe(0);
      // The line that reads prints what the lines before it have posted.
      expect(printed.slice(0, -1).map((line) => line.split(' ')[0])).toEqual(['0', '1', '2', '3']);
      const { messages } = await f.ok('GET', `/api/v1/threads/${threadId}/messages`);
      expect(messages[2].replyToId).toBe(messages[1].id);
      expect(messages[1].files).toMatchObject([{ name: 'table.csv' }]);
      expect(messages[3].request).toMatchObject({ state: 'open' });
      expect(await f.ok('GET', `/api/v1/threads/${threadId}`)).toMatchObject({
        roomId,
        summary: { text: 'Ada is here.' },
      });
    });

    it('[client.document] has an asker that asks once and a worker that answers', async () => {
      const [ask = '', work = ''] = listBlocks('Work for whoever is free');
      const asker = save('asker', ask);
      const first = await run(asker).ended;
      expect(first).toMatchObject({ code: 0, err: '' });
      expect(await run(asker).ended).toEqual(first);
      const roomId = /^The room is (\S+)\n$/.exec(first.out)?.[1] ?? '';
      const listRequests = (state: string): Promise<Json[]> =>
        f.ok('GET', `/api/v1/requests?roomId=${roomId}&state=${state}`);
      expect(await listRequests('open')).toHaveLength(1);
      const path = save('worker', work);
      const lost = await run(path, '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f').ended;
      expect(lost.code).toBe(1);
      expect(lost.err).toContain('not_found');
      const worker = run(path, roomId);
      await waitUntil('it has answered', async () => (await listRequests('answered')).length > 0);
      worker.kill('SIGKILL');
      expect((await worker.ended).err).toBe('');
      const [{ threadId }] = (await listRequests('answered')) as [Json];
      const { messages } = await f.ok('GET', `/api/v1/threads/${threadId}/messages`);
      expect(messages[1].body).toMatch(/^I read: Who reviews parser\.(ts|py)\?$/);
    });

    it('[client.outage] posts once, when the service is back', async () => {
      const [report = ''] = listBlocks('When the service is away');
      const reporter = save('reporter', report);
      const ada = await f.createAgent();
      const roomId = await f.createRoom(ada);
      const threadId = await f.createThread(ada, roomId);
      // The first start registers, and hears that only members may post.
      const stranger = await run(reporter, threadId).ended;
      expect(stranger.code).toBe(1);
      expect(stranger.err).toContain('membership_required');
      const { apiKey: key } = JSON.parse(readFileSync(join(home, 'reporter.json'), 'utf8'));
      await f.ok('POST', `/api/v1/rooms/${roomId}/join`, { key });
      await service.end('SIGKILL');
      const waiting = run(reporter, threadId);
      await waitUntil('it waits', () => waiting.pieces.out.includes('waiting'));
      service = await startService(settings);
      const { code, out, err } = await waiting.ended;
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toContain(`${url} does not answer`);
      const { messages } = await f.ok('GET', `/api/v1/threads/${threadId}/messages`);
      expect(messages.slice(1).map(({ body }: Json) => body)).toEqual(['Still here.']);
    }, 90_000);

    if (block !== 'python') return;
    it('[client.document] has a follower that Ctrl-C ends', async () => {
      const [code = ''] = document.split('```python\n').slice(1);
      const follower = run(save('follower', code.slice(0, code.indexOf('```'))));
      await waitUntil('it follows', () => follower.pieces.out.includes('connected'));
      follower.kill('SIGINT');
      expect(await follower.ended).toMatchObject({
        code: 0,
        out: expect.stringContaining('Stopped.'),
        err: '',
      });
    });
  });
}
