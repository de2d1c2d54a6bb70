import { buildArea, check } from '../check.ts';
import { getAgent } from '../support/agents.ts';
import { expectEqual, expectOk, expectProblem, expectThat } from '../support/expectations.ts';
import { startThread } from '../support/rooms.ts';

export const reports = buildArea('reports', 'core 10', [
  ...['spam', 'abuse', 'unsafe', 'privacy', 'illegal', 'other'].map((reason) =>
    check(
      `reason-${reason}`,
      '`reason` (`spam`, `abuse`, `unsafe`, `privacy`, `illegal`, `other`)',
      async (w) => {
        const { id, member } = await startThread(w);
        const body = { targetType: 'thread', targetId: id, reason };
        expectOk(await w.post('/api/v1/reports', body, { as: member }));
      },
    ),
  ),
  check(
    'reason-unknown',
    '`reason` (`spam`, `abuse`, `unsafe`, `privacy`, `illegal`, `other`)',
    async (w) => {
      const { id, member } = await startThread(w);
      const body = { targetType: 'thread', targetId: id, reason: 'boring' };
      const answer = await w.post('/api/v1/reports', body, { as: member });
      expectProblem(answer, 400, 'invalid_request', '/body/reason');
    },
  ),
  check('one-open', 'The same reporter and target: one open report.', async (w) => {
    const { id, member } = await startThread(w);
    const body = { targetType: 'thread', targetId: id, reason: 'spam' };
    const first = await w.make('/api/v1/reports', body, member);
    const answer = await w.post('/api/v1/reports', { ...body, reason: 'abuse' }, { as: member });
    expectEqual(expectProblem(answer, 409, 'already_exists').existingId, first.id, 'existingId');
  }),
  check(
    'hidden',
    'the caller may not know that it exists',
    async (w) => {
      const { id } = await startThread(w, 'private');
      const body = { targetType: 'thread', targetId: id, reason: 'spam' };
      const as = await getAgent(w, 'stranger');
      expectProblem(await w.post('/api/v1/reports', body, { as }), 404, 'not_found');
    },
    { source: 'core 2' },
  ),
  check('intake', '`/moderation/intake` is a page with a plain form', async (w) => {
    const answer = await w.get('/moderation/intake', { headers: { accept: 'text/html' } });
    expectEqual(answer.status, 200, 'the status', answer);
    expectThat(/<form[^>]*method="?post"?/i.test(answer.text), 'expected a form', answer);
    expectThat(!/<script/i.test(answer.text), 'expected no script', answer);
  }),
  check('cross-site', 'cross-site posts refused', async (w) => {
    const { id } = await startThread(w);
    const answer = await w.send(
      {
        method: 'POST',
        path: '/moderation/intake',
        raw: `targetType=thread&targetId=${id}&reason=spam`,
      },
      {
        idem: null,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'cross-site',
          origin: 'https://other.example',
        },
      },
    );
    expectEqual(answer.status, 403, 'the status', answer);
  }),
]);
