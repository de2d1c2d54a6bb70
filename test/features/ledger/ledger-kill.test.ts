import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startEmbedded } from '../../../src/db/embedded/embedded-server.ts';
import { availableAccount, issuanceAccount } from '../../../src/features/ledger/rules.ts';
import {
  type Answer,
  factories,
  type Json,
  type RequestOptions,
  runConcurrently,
  waitUntil,
} from '../../support/factories.ts';
import {
  createFolder,
  findFreePort,
  query,
  runCommand,
  type ServiceProcess,
  startService,
} from '../../support/service.ts';
import { expectedAnswers, HOUR, rightWork, taskSettings, wrongWork } from '../tasks/setup.ts';
import { LedgerModel } from './ledger-model.ts';

const PORT = String(await findFreePort());
const DATA_DIR = join(createFolder(), 'data');
const AGENTS = 4;
const EACH = 12;

describe('offers when the service is killed', () => {
  it('[ledger.kill] [ledger.audit] happen once each, and the audit passes', async () => {
    const startWithTasks = (more = {}) =>
      startService({ ...taskSettings, DATA_DIR, PORT, ...more });
    let service: ServiceProcess = await startWithTasks();
    const f = factories(service);
    const agents = await runConcurrently(AGENTS, async () => {
      const agent = await f.createAgent();
      return { ...agent, key: await f.getKeyWithScope(agent, 'credits') };
    });
    const { connection } = await startEmbedded({ dataDir: DATA_DIR, log: () => {}, attach: true });
    for (const { id } of agents) {
      const earning =
        `'${randomUUID()}', 'offer.accepted', 'test:${id}', 1000, ` +
        `'{${issuanceAccount('earned')}}', ` +
        `'{${availableAccount('earned', id)}}'`;
      await query(
        connection,
        `SELECT ledger_post(${earning}, '{${randomUUID()},${randomUUID()}}', now(), NULL)`,
      );
    }
    const model = new LedgerModel(AGENTS);
    model.begin();
    for (let agent = 0; agent < AGENTS; agent++) model.earn(agent, 1000);

    let done = 0;
    let unanswered = 0;
    /** Repeats the call with the same key until an answer says how it ended. */
    async function sendUntilAnswered(
      method: string,
      path: string,
      options: RequestOptions,
    ): Promise<Answer<Json>> {
      const idem = randomUUID();
      for (;;) {
        const answer = await f.send(method, path, { ...options, idem }).catch(() => undefined);
        if (answer && answer.status < 500 && answer.body.code !== 'idempotency_in_progress')
          return answer;
        unanswered++;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    /**
     * Creates a task of two slots. One is paid, rejected or abandoned at the same moment, and the
     * other expires at the deadline.
     */
    async function runWorkflow(
      owner: string,
      from: number,
      worker: string,
      to: number,
      nr: number,
    ): Promise<void> {
      const { body: fixture } = await sendUntilAnswered('POST', '/api/v1/admin/fixtures', {
        admin: true,
        body: { name: 'Kept', owners: [agents[from]?.id], answers: expectedAnswers },
      });
      const rubric = Object.keys(expectedAnswers).map((id) => ({ id, text: 'Is it?' }));
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
      const made = await sendUntilAnswered('POST', '/api/v1/tasks', { key: owner, body });
      expect(made.status).toBe(200);
      model.postTask(made.body.id, from, 'earned', nr, 2);
      posted.push(made.body.id);
      const taken = await sendUntilAnswered('POST', `/api/v1/tasks/${made.body.id}/assignments`, {
        key: worker,
      });
      const right = nr % 3 > 0;
      const [submitted, abandoned] = await Promise.all([
        sendUntilAnswered('POST', `/api/v1/assignments/${taken.body.id}/submission`, {
          key: worker,
          body: { ...(right ? rightWork : wrongWork), expectedVersion: 1 },
        }),
        nr % 5
          ? undefined
          : sendUntilAnswered('POST', `/api/v1/assignments/${taken.body.id}/abandon`, {
              key: worker,
              body: { expectedVersion: 1 },
            }),
      ]);
      expect([submitted, abandoned].filter((answer) => answer?.status === 200)).toHaveLength(1);
      if (submitted.status === 200) model.endSlot(made.body.id, right ? to : null);
    }
    const posted: string[] = [];
    const all = runConcurrently(AGENTS, async (from) => {
      const sender = agents[from];
      const to = (from + 1) % AGENTS;
      for (let nr = 1; nr <= EACH; nr++, done++) {
        const made = await sendUntilAnswered('POST', '/api/v1/offers', {
          key: sender?.key as string,
          body: { kind: 'gift', amount: nr, recipient: agents[to]?.id },
        });
        expect(made.status).toBe(200);
        model.offer(made.body.id, from, nr);
        // Both run at once, and one of them settles the task.
        const [accepted, cancelled] = await Promise.all([
          sendUntilAnswered('POST', `/api/v1/offers/${made.body.id}/accept`, {
            key: agents[to]?.key as string,
            body: { expectedVersion: 1 },
          }),
          nr % 3
            ? undefined
            : sendUntilAnswered('POST', `/api/v1/offers/${made.body.id}/cancel`, {
                key: sender?.key as string,
                body: { expectedVersion: 1 },
              }),
        ]);
        expect([accepted, cancelled].filter((answer) => answer?.status === 200)).toHaveLength(1);
        model.settleOffer(made.body.id, accepted.status === 200 ? to : null);
        if (nr % 2)
          await runWorkflow(sender?.key as string, from, agents[to]?.key as string, to, nr);
      }
    });
    for (let round = 1; round <= 3; round++) {
      await waitUntil('some offers are settled', () => done >= round * 8);
      expect(await service.end('SIGKILL')).toBeNull();
      service = await startWithTasks();
    }
    await all;
    // All deadlines have passed now.
    await service.end('SIGKILL');
    service = await startWithTasks({ CLOCK_OFFSET_SECONDS: '7200' });
    await waitUntil('what nobody earned is given back', async () =>
      (await Promise.all(posted.map((id) => f.ok('GET', `/api/v1/tasks/${id}`)))).every(
        ({ state }) => state === 'closed',
      ),
    );
    for (const id of posted) while (model.tasks.get(id)?.left) model.endSlot(id, null);
    expect(unanswered).toBeGreaterThan(0);
    const balances = await Promise.all(
      agents.map(async ({ key }) => (await f.ok('GET', '/api/v1/me/wallet', { key })).balances),
    );
    expect(
      balances.map(({ trial, earned }: Json) => ({
        trial: trial.available,
        earned: earned.available,
        reserved: earned.reserved,
      })),
    ).toEqual(model.accounts);

    expect(await runCommand('ledger audit', { DATA_DIR })).toMatchObject({
      code: 0,
      out: expect.stringContaining('The ledger is right.'),
    });
    await query(
      connection,
      'ALTER TABLE ledger_accounts DISABLE TRIGGER USER; UPDATE ledger_accounts SET balance ' +
        `= balance + 1 WHERE name = '${availableAccount('earned', agents[0]?.id ?? '')}'`,
    );
    const wrong = await runCommand('ledger audit', { DATA_DIR });
    expect(wrong).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^The ledger is wrong in 2 of \d+ respects\. /),
    });
    expect(wrong.out).toContain(`${availableAccount('earned', agents[0]?.id ?? '')}: balance `);
    expect(await service.end('SIGTERM')).toBe(0);
  });
});
