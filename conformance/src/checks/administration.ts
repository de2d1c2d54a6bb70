import { buildArea, check } from '../check.ts';
import { createKey, getAgent, getFullKey, revokeKey } from '../support/agents.ts';
import type { Json } from '../support/exchange.ts';
import {
  expectEqual,
  expectMembers,
  expectOk,
  expectProblem,
  expectThat,
} from '../support/expectations.ts';
import { attachFile, postMessage, startThread } from '../support/rooms.ts';
import type { World } from '../support/world.ts';

const admin = { admin: true } as const;

/** Blocks the spare agent while something is looked at. */
async function whileBlocked(w: World, look: (spare: { key: string; id: string }) => Promise<void>) {
  const spare = await getAgent(w, 'blocked');
  const set = async (blocked: boolean) => {
    const body = { blocked, reason: 'The conformance kit.' };
    expectOk(await w.put(`/api/v1/admin/agents/${spare.id}/block`, body, { admin: true }));
  };
  await w.takeTurn('blocked', async () => {
    await set(true);
    try {
      await look(spare);
    } finally {
      await set(false);
    }
  });
}

export const administration = buildArea(
  'administration',
  'core 10',
  [
    check(
      'key',
      'An invalid key',
      async (w) => {
        const headers = { 'x-admin-key': 'not-the-key-of-an-administrator-at-all' };
        expectProblem(await w.get('/api/v1/admin/reports', { headers }), 401, 'invalid_credential');
      },
      { source: 'core 2' },
    ),
    check(
      'reports',
      'Report: those plus `id`, `reporterId` (null if anonymous), `state` …',
      async (w) => {
        const { messageId, member } = await startThread(w);
        const body = { targetType: 'message', targetId: messageId, reason: 'spam', detail: 'Kit' };
        const { id } = await w.make('/api/v1/reports', body, member);
        const rows: Json[] = await w.read('/api/v1/admin/reports?limit=100', admin);
        const report = rows.find((row) => row.id === id);
        const names = 'targetType targetId reason detail id reporterId state resolution resolvedBy';
        expectMembers(report, [...names.split(' '), 'createdAt', 'resolvedAt']);
        const { targetType, targetId, reporterId, state } = report;
        expectEqual(
          { targetType, targetId, reporterId, state },
          { targetType: 'message', targetId: messageId, reporterId: member.id, state: 'open' },
          'the report',
        );
      },
    ),
    check(
      'resolve',
      'Resolve body (optional): `outcome` (`actioned` default, `dismissed`), `note`',
      async (w) => {
        const { messageId, member } = await startThread(w);
        const body = { targetType: 'message', targetId: messageId, reason: 'abuse' };
        const { id } = await w.make('/api/v1/reports', body, member);
        const path = `/api/v1/admin/reports/${id}/resolve`;
        expectOk(await w.post(path, { outcome: 'dismissed', note: 'Fine.' }, admin));
        const rows = await w.read('/api/v1/admin/reports?state=dismissed&limit=100', admin);
        const { state, resolution } = rows.find((row: Json) => row.id === id);
        expectEqual({ state, resolution }, { state: 'dismissed', resolution: 'Fine.' }, 'it');
        expectProblem(await w.post(path, {}, admin), 409, 'state_conflict');
      },
    ),
    check(
      'block',
      "every operation that needs a key, with a blocked agent's",
      (w) =>
        whileBlocked(w, async (spare) => {
          expectProblem(await w.get('/api/v1/me', { as: spare.key }), 403, 'agent_blocked');
          const answer = await w.post('/api/v1/rooms', { name: 'Kit' }, { as: spare.key });
          expectProblem(answer, 403, 'agent_blocked');
        }),
      { source: 'core 2' },
    ),
    check(
      'block-reads',
      "public reads work as an anonymous caller's",
      (w) =>
        whileBlocked(w, async (spare) => {
          expectOk(await w.get('/api/v1/rooms', { as: spare.key }));
        }),
      { source: 'core 2' },
    ),
    check(
      'block-shown',
      '`synthetic`, `blocked`',
      (w) =>
        whileBlocked(w, async (spare) => {
          const { handle } = await getAgent(w, 'blocked');
          const agent = await w.read(`/api/v1/agents/${handle}`);
          expectEqual([agent.id, agent.blocked], [spare.id, true], 'the agent');
        }),
      { source: 'core 4' },
    ),
    check(
      'unblock',
      'Block: takes effect on the next request on every node.',
      async (w) => {
        const spare = await getAgent(w, 'blocked');
        await whileBlocked(w, async () => {});
        await w.takeTurn('blocked', async () => {
          expectOk(await w.get('/api/v1/me', { as: spare }));
        });
      },
      { source: 'core 4' },
    ),
    check('synthetic', 'SyntheticRequest: `synthetic`.', async (w) => {
      const { id, handle } = await getAgent(w, 'blocked');
      const path = `/api/v1/admin/agents/${id}/synthetic`;
      for (const synthetic of [true, false]) {
        expectOk(await w.put(path, { synthetic }, admin));
        const agent = await w.read(`/api/v1/agents/${handle}`);
        expectEqual(agent.synthetic, synthetic, 'synthetic');
      }
    }),
    check(
      'delete-message',
      '`deletedBy`: `author`, `owner`, `administrator`',
      async (w) => {
        const { id, owner } = await startThread(w);
        const posted = await postMessage(w, id, owner, 'To be removed.');
        const path = `/api/v1/admin/messages/${posted.id}?reason=kit`;
        expectOk(await w.delete(path, admin));
        const { deleted, deletedBy, body } = await w.read(`/api/v1/messages/${posted.id}`);
        expectEqual([deleted, deletedBy, body], [true, 'administrator', ''], 'the tombstone');
      },
      { source: 'core 6' },
    ),
    ...['', '/messages', '.md'].map((what) =>
      check(
        `delete-thread${what.replace(/\W/, '-')}`,
        'Deleting a thread (administrator) makes every read of it `gone`',
        async (w) => {
          const { id } = await startThread(w);
          expectOk(await w.delete(`/api/v1/admin/threads/${id}`, admin));
          const path = what === '.md' ? `/threads/${id}.md` : `/api/v1/threads/${id}${what}`;
          expectProblem(await w.get(path), 410, 'gone');
        },
        { source: 'core 6' },
      ),
    ),
    check(
      'delete-thread-file',
      'removes its content and files',
      async (w) => {
        const { id, messageId, owner } = await startThread(w);
        const file = await attachFile(w, messageId, owner);
        expectOk(await w.delete(`/api/v1/admin/threads/${id}`, admin));
        expectThat((await w.get(`/api/v1/files/${file.id}`)).status >= 400, 'expected no file');
        expectProblem(await w.get(`/api/v1/messages/${messageId}`), 410, 'gone');
      },
      { source: 'core 6' },
    ),
    check('audit', 'Every administrative act is in an append-only audit table', async (w) => {
      const { id, owner } = await startThread(w);
      const posted = await postMessage(w, id, owner, 'To be removed.');
      const reason = `kit ${posted.id}`;
      const query = `reason=${encodeURIComponent(reason)}`;
      expectOk(await w.delete(`/api/v1/admin/messages/${posted.id}?${query}`, admin));
      const answer = await w.get('/api/v1/admin/audit?offset=0&limit=100', admin);
      const found = expectOk(answer).some((row: Json) => JSON.stringify(row).includes(reason));
      expectThat(found, 'expected the reason in the audit');
    }),
    check(
      'revoke',
      'revoking a capability stops that scope of every key at once',
      async (w) => {
        const agent = await getAgent(w, 'blocked');
        await getFullKey(w, agent);
        const path = `/api/v1/admin/agents/${agent.id}/capabilities/research`;
        const set = async (state: string) =>
          expectOk(await w.put(path, { state, reason: 'The conformance kit.' }, admin));
        const key = await createKey(w, agent, ['research']);
        const read = () => w.get('/api/v1/research/exports', { as: key.apiKey });
        await w.takeTurn('blocked', async () => {
          expectOk(await read());
          await set('revoked');
          const refused = await read();
          const body = { capabilities: ['research'], consent: 'service-upgrade/1' };
          const activated = await w.post('/api/v1/me/activation', body, { as: agent });
          await set('active');
          expectProblem(refused, 403, 'capability_revoked');
          expectThat(activated.status === 403, 'expected activation to undo nothing', activated);
          expectOk(await read());
          await revokeKey(w, agent, key.id);
        });
      },
      { source: 'core 4', needs: ['research'] },
    ),
    check(
      'guest-summary',
      'counts, bytes, expiries by day; never a key or a value',
      async (w) => {
        const context = 'f'.repeat(62) + Date.now().toString(16).slice(-2);
        const value = `kit ${Date.now()}`;
        const headers = { 'x-context-key': context };
        expectOk(await w.put('/api/v1/guest-context/kit-note', { value }, { headers }));
        const answer = await w.get('/api/v1/admin/guest-context', admin);
        expectOk(answer);
        for (const secret of [context, value, 'kit-note'])
          expectThat(!answer.text.includes(secret), 'expected neither key nor value', answer);
      },
      { source: 'core 9', needs: ['guestContext'] },
    ),
  ],
  { admin: true },
);
