import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startEmbedded } from '../../../src/db/embedded/embedded-server.ts';
import { available, issuance } from '../../../src/features/ledger/rules.ts';
import {
  type Answer,
  factories,
  type Loose,
  type RequestOptions,
  together,
  until,
} from '../../support/factories.ts';
import { Model } from './ledger-model.ts';
import { command, folder, freePort, query, type Service, serve } from '../../support/service.ts';
import { EXPECTED, HOUR, RIGHT, TASKS, WRONG } from '../tasks/setup.ts';

const PORT = String(await freePort());
const DATA_DIR = join(folder(), 'data');
const AGENTS = 4;
const EACH = 12;

describe('a service that is killed', { timeout: 180_000 }, () => {
  it('[ledger.kill] [ledger.audit] under offers that are repeated with their keys: each happened once, and the audit finds nothing', async () => {
    const start = (more = {}) => serve({ ...TASKS, DATA_DIR, PORT, ...more });
    let service: Service = await start();
    const f = factories(service);
    const agents = await together(AGENTS, async () => {
      const agent = await f.agent();
      return { ...agent, key: await f.keyWith(agent, 'credits') };
    });
    const { connection } = await startEmbedded({ dataDir: DATA_DIR, log: () => {}, attach: true });
    for (const { id } of agents) {
      const earning = `'${randomUUID()}', 'offer.accepted', 'test:${id}', 1000, '{${issuance('earned')}}', '{${available('earned', id)}}'`;
      await query(
        connection,
        `SELECT ledger_post(${earning}, '{${randomUUID()},${randomUUID()}}', now(), NULL)`,
      );
    }
    const model = new Model(AGENTS);
    model.begin();
    for (let agent = 0; agent < AGENTS; agent++) model.earned(agent, 1000);

    let done = 0;
    let unanswered = 0;
    /** The same call with the same key, until there is an answer that tells what became of it. */
    async function insist(
      method: string,
      path: string,
      options: RequestOptions,
    ): Promise<Answer<Loose>> {
      const idem = randomUUID();
      for (;;) {
        const answer = await f.send(method, path, { ...options, idem }).catch(() => undefined);
        if (answer && answer.status < 500 && answer.body.code !== 'idempotency_in_progress')
          return answer;
        unanswered++;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    const { body: fixture } = await insist('POST', '/api/v1/admin/fixtures', {
      admin: true,
      body: { name: 'Kept', answers: EXPECTED },
    });
    /** A task of two slots: one is paid or refused, or abandoned at the same moment; the other is given back with the deadline. */
    async function work(
      owner: string,
      from: number,
      worker: string,
      to: number,
      nr: number,
    ): Promise<void> {
      const rubric = Object.keys(EXPECTED).map((id) => ({ id, text: 'Is it?' }));
      const task = {
        kind: 'artifact_review',
        title: 'T',
        instructions: 'I',
        rubric,
        reward: nr,
        slots: 2,
        visibility: 'public',
        fundingUnit: 'earned',
      };
      const body = {
        ...task,
        decisionMethod: 'fixture',
        fixtureId: fixture.id,
        deadline: new Date(Date.now() + HOUR).toISOString(),
      };
      const made = await insist('POST', '/api/v1/tasks', { key: owner, body });
      expect(made.status).toBe(200);
      model.posted(made.body.id, from, 'earned', nr, 2);
      posted.push(made.body.id);
      const taken = await insist('POST', `/api/v1/tasks/${made.body.id}/assignments`, {
        key: worker,
      });
      const right = nr % 3 > 0;
      const [submitted, abandoned] = await Promise.all([
        insist('POST', `/api/v1/assignments/${taken.body.id}/submission`, {
          key: worker,
          body: right ? RIGHT : WRONG,
        }),
        nr % 5
          ? undefined
          : insist('POST', `/api/v1/assignments/${taken.body.id}/abandon`, { key: worker }),
      ]);
      expect([submitted, abandoned].filter((answer) => answer?.status === 200)).toHaveLength(1);
      if (submitted.status === 200) model.ended(made.body.id, right ? to : null);
    }
    const posted: string[] = [];
    const all = together(AGENTS, async (from) => {
      const [sender, to] = [agents[from], (from + 1) % AGENTS];
      for (let nr = 1; nr <= EACH; nr++, done++) {
        const made = await insist('POST', '/api/v1/offers', {
          key: sender?.key as string,
          body: { kind: 'gift', amount: nr, recipient: agents[to]?.id },
        });
        expect(made.status).toBe(200);
        model.offered(made.body.id, from, nr);
        // Both at once: one of them settles it.
        const [accepted, cancelled] = await Promise.all([
          insist('POST', `/api/v1/offers/${made.body.id}/accept`, {
            key: agents[to]?.key as string,
          }),
          nr % 3
            ? undefined
            : insist('POST', `/api/v1/offers/${made.body.id}/cancel`, {
                key: sender?.key as string,
              }),
        ]);
        expect([accepted, cancelled].filter((answer) => answer?.status === 200)).toHaveLength(1);
        model.settled(made.body.id, accepted.status === 200 ? to : null);
        if (nr % 2) await work(sender?.key as string, from, agents[to]?.key as string, to, nr);
      }
    });
    for (let round = 1; round <= 3; round++) {
      await until('some offers are settled', () => done >= round * 8);
      expect(await service.end('SIGKILL')).toBeNull();
      service = await start();
    }
    await all;
    // After all deadlines.
    await service.end('SIGKILL');
    service = await start({ CLOCK_OFFSET_SECONDS: '7200' });
    await until('what nobody earned is given back', async () =>
      (await Promise.all(posted.map((id) => f.ok('GET', `/api/v1/tasks/${id}`)))).every(
        ({ state }) => state === 'closed',
      ),
    );
    for (const id of posted) while (model.tasks.get(id)?.left) model.ended(id, null);
    expect(unanswered).toBeGreaterThan(0);
    const balances = await Promise.all(
      agents.map(async ({ key }) => (await f.ok('GET', '/api/v1/me/wallet', { key })).balances),
    );
    expect(
      balances.map(({ trial, earned }: Loose) => ({
        trial: trial.available,
        earned: earned.available,
        reserved: earned.reserved,
      })),
    ).toEqual(model.purses);

    expect(await command('ledger audit', { DATA_DIR })).toMatchObject({
      code: 0,
      out: expect.stringContaining('The ledger is right.'),
    });
    await query(
      connection,
      `ALTER TABLE ledger_accounts DISABLE TRIGGER USER; UPDATE ledger_accounts SET balance = balance + 1 WHERE name = '${available('earned', agents[0]?.id ?? '')}'`,
    );
    const wrong = await command('ledger audit', { DATA_DIR });
    expect(wrong).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^The ledger is wrong in 2 of \d+ respects\. /),
    });
    expect(wrong.out).toContain(`${available('earned', agents[0]?.id ?? '')}: balance `);
    expect(await service.end('SIGTERM')).toBe(0);
  });
});
