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

const ids = [
  'activation',
  'adjudication-agreement',
  'evidence-effect',
  'propagation',
  'reply-latency',
  'reply-reciprocity',
  'retention',
  'task-completion',
];
const span = 'from=2026-01-01&to=2026-01-31';
const exportBody = { experiment: 'activation', from: '2026-01-01', to: '2026-01-31' };

export const research = buildArea(
  'research',
  'cap 7',
  [
    check('experiments', 'Eight fixed experiment definitions', async (w) => {
      const rows: Json[] = await w.read('/api/v1/research/experiments');
      expectEqual(rows.map(({ id }) => id).toSorted(), ids, 'the experiments');
    }),
    ...ids.map((id) =>
      check(`metrics-${id}`, '(a row a day: numerator, denominator, rate, `mature`)', async (w) => {
        const answer = await w.get(`/api/v1/research/metrics?experiment=${id}&${span}`);
        const body = expectOk(answer);
        const rows: Json[] = Array.isArray(body) ? body : (body.rows ?? body.days);
        expectThat(rows.length === 31, 'expected a row a day', answer);
        for (const row of rows) {
          expectMembers(row, ['numerator', 'denominator', 'rate', 'mature'], answer);
          const { denominator, rate, suppressed } = row;
          // Groups that are too small are left out.
          if (denominator < 5) expectEqual([rate, suppressed], [null, true], 'the rate', answer);
        }
      }),
    ),
    check(
      'consent',
      '`GET` and `PUT /api/v1/me/research-consent` + (`consent` boolean, default false)',
      async (w) => {
        const as = await getFullKey(w, await getAgent(w, 'reader'));
        const path = '/api/v1/me/research-consent';
        expectEqual((await w.read(path, { as })).consent, false, 'consent');
        for (const consent of [true, false]) {
          expectOk(await w.put(path, { consent }, { as }));
          expectEqual((await w.read(path, { as })).consent, consent, 'consent');
        }
      },
    ),
    check('scope', 'Reading needs the `research` scope.', async (w) => {
      const agent = await getAgent(w, 'reader');
      const full = await getFullKey(w, agent);
      const { id } = await w.make('/api/v1/research/exports', exportBody, full);
      const path = `/api/v1/research/exports/${id}/data`;
      expectEqual((await w.get(path, { as: full })).status, 200, 'the status with the scope');
      const key = await createKey(w, agent, ['forum']);
      expectProblem(await w.get(path, { as: key.apiKey }), 403, 'insufficient_scope');
      await revokeKey(w, agent, key.id);
    }),
    check('own', "(one's own)", async (w) => {
      const full = await getFullKey(w, await getAgent(w, 'reader'));
      const { id } = await w.make('/api/v1/research/exports', exportBody, full);
      const other = await getFullKey(w, await getAgent(w, 'owner'));
      const answer = await w.get(`/api/v1/research/exports/${id}`, { as: other });
      expectProblem(answer, 404, 'not_found');
    }),
    check('days', 'up to 366 days in all, at most 366 ahead', async (w) => {
      const path = '/api/v1/research/metrics?experiment=activation&from=2020-01-01&to=2026-01-01';
      expectProblem(await w.get(path), 400, 'invalid_request');
    }),
    check('unknown', 'Eight fixed experiment definitions, each with an id', async (w) => {
      const answer = await w.get(`/api/v1/research/metrics?experiment=guess&${span}`);
      expectProblem(answer, 400, 'invalid_request', '/query/experiment');
    }),
    check('reproduce', '`/examples/reproduce.py`: Python 3 standard library only', async (w) => {
      const answer = await w.get('/examples/reproduce.py');
      expectEqual(answer.status, 200, 'the status', answer);
      const imported = [...answer.text.matchAll(/^(?:import|from) (\w+)/gm)].map(
        ([, name]) => name,
      );
      expectThat(imported.length > 0, 'expected a program', answer);
      for (const name of ['requests', 'cryptography', 'jwcrypto', 'numpy'])
        expectThat(!imported.includes(name), `expected no import of ${name}`);
    }),
  ],
  { needs: ['research'] },
);

const campaign = {
  name: 'Conformance kit',
  purpose: 'To test campaigns.',
  audience: 'Nobody.',
  disclosures: ['Sent by the conformance kit.'],
  variants: [{ id: 'a', text: 'A notice.' }],
};

export const campaigns = buildArea(
  'campaigns',
  'cap 8',
  [
    check('public', '`GET /api/v1/campaigns` + and `/campaigns`: public', async (w) => {
      expectThat(Array.isArray(await w.read('/api/v1/campaigns')), 'expected a list');
    }),
    check('prepare', 'renders every notice exactly', async (w) => {
      const admin = { admin: true } as const;
      const { id } = expectOk(await w.post('/api/v1/admin/campaigns', campaign, admin));
      const path = `/api/v1/admin/campaigns/${id}/prepare`;
      const answer = await w.post(path, undefined, admin);
      expectOk(answer);
      const detail = JSON.stringify(await w.read(`/api/v1/campaigns/${id}`));
      for (const part of ['A notice.', 'Sent by the conformance kit.'])
        expectThat(detail.includes(part), `expected "${part}" in the notice`);
    }),
    check('bytes', 'at most 1,200 UTF-8 bytes; a longer one is refused, never cut', async (w) => {
      const admin = { admin: true } as const;
      const variants = [{ id: 'a', text: 'x'.repeat(1200) }];
      const body = { ...campaign, variants };
      const answer = await w.post('/api/v1/admin/campaigns', body, admin);
      const refused =
        answer.status === 200
          ? await w.post(`/api/v1/admin/campaigns/${answer.json.id}/prepare`, undefined, admin)
          : answer;
      expectThat(refused.status >= 400 && refused.status < 500, 'expected a refusal', refused);
    }),
  ],
  { needs: ['campaigns'] },
);
