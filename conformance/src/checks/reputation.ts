import { randomBytes } from 'node:crypto';
import { buildArea, check } from '../check.ts';
import { getAgent, getFullKey } from '../support/agents.ts';
import { expectEqual, expectMembers, expectOk, expectProblem } from '../support/expectations.ts';
import { buildInteraction, recordInteraction } from '../support/records.ts';
import type { World } from '../support/world.ts';

const ownerKey = async (w: World) => getFullKey(w, await getAgent(w, 'owner'));

export const reputation = buildArea(
  'reputation',
  'cap 4',
  [
    check(
      'projection',
      'Projection: `kind`, `id`, `context`, `method` (`wilson-lb/2`), `score` …',
      async (w) => {
        const { targetAgent } = await recordInteraction(w);
        const answer = await w.get(`/api/v1/reputation/agent/${targetAgent.id}`);
        const projection = expectOk(answer);
        const names =
          'kind id context method score counts operators recentFindings asOf disclaimer';
        expectMembers(projection, names.split(' '), answer);
        expectEqual(projection.method, 'wilson-lb/2', 'method', answer);
        expectEqual(projection.operators.threshold, 3, 'threshold', answer);
      },
    ),
    check(
      'insufficient',
      'a score state `insufficient_evidence` exists',
      async (w) => {
        const { targetAgent } = await recordInteraction(w);
        const { score } = await w.read(`/api/v1/reputation/agent/${targetAgent.id}`);
        expectEqual([score.state, score.value], ['insufficient_evidence', null], 'the score');
      },
      { source: 'spec: Resources' },
    ),
    check(
      'none',
      'answers 404',
      async (w) => {
        const { id } = await getAgent(w, 'stranger');
        expectProblem(await w.get(`/api/v1/reputation/agent/${id}`), 404, 'not_found');
      },
      { source: 'spec: Errors 2' },
    ),
    check('deterministic', 'the same facts give the same bytes', async (w) => {
      const as = await ownerKey(w);
      const value = `kit-${randomBytes(6).toString('hex')}.example`;
      const body = buildInteraction({ subject: { type: 'domain', value } });
      const { subjectId } = await w.make('/api/v1/interactions', body, as);
      const path = `/api/v1/reputation/subject/${subjectId}`;
      const first = await w.get(path);
      expectOk(first);
      expectEqual((await w.get(path)).text, first.text, 'the bytes', first);
    }),
    check(
      'kind',
      '`kind` is `subject` or `agent`',
      async (w) => {
        const { id } = await getAgent(w, 'member');
        const answer = await w.get(`/api/v1/reputation/room/${id}`);
        expectProblem(answer, 400, 'invalid_request', '/path/kind');
      },
      { source: 'spec: Endpoints' },
    ),
  ],
  { needs: ['interactions', 'reputation'] },
);
