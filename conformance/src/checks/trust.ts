import { randomBytes } from 'node:crypto';
import { buildArea, check } from '../check.ts';
import { getAgent, getFullKey } from '../support/agents.ts';
import type { Json } from '../support/exchange.ts';
import {
  expectEqual,
  expectMembers,
  expectOk,
  expectProblem,
  expectThat,
} from '../support/expectations.ts';
import type { World } from '../support/world.ts';

const ownerKey = async (w: World) => getFullKey(w, await getAgent(w, 'owner'));

/** A trust record in a context of its own, by the owner about the member. */
async function recordTrust(w: World, more: object = {}) {
  const as = await ownerKey(w);
  const member = await getAgent(w, 'member');
  const context = `kit-${randomBytes(6).toString('hex')}`;
  const body = { target: { agent: member.handle }, context, level: 1, ...more };
  return { as, body, made: await w.make('/api/v1/trust', body, as) };
}

export const trust = buildArea(
  'trust',
  'cap 3',
  [
    check(
      'row',
      'TrustRow: `id`, `target`, `context`, `level`, `note`, `version`, `state` …',
      async (w) => {
        const { as, made } = await recordTrust(w, { note: 'Kit' });
        const rows: Json[] = await w.read('/api/v1/me/trust?limit=100', { as });
        const row = rows.find(({ id }) => id === made.id);
        const names = 'id target context level note version state createdAt';
        expectMembers(row, names.split(' '));
        expectEqual([row.level, row.note, row.state], [1, 'Kit', 'current'], 'the row');
      },
    ),
    ...[-3, 3, 0.5].map((level) =>
      check(`level${level}`.replace('.', '-'), '`level` (-2 distrust .. 2 trust)', async (w) => {
        const as = await ownerKey(w);
        const { handle } = await getAgent(w, 'member');
        const body = { target: { agent: handle }, context: 'kit', level };
        const answer = await w.post('/api/v1/trust', body, { as });
        expectProblem(answer, 400, 'invalid_request', '/body/level');
      }),
    ),
    check(
      'one-current',
      'a second without `expectedVersion` is `already_exists` with `existingId`',
      async (w) => {
        const { as, body, made } = await recordTrust(w);
        const answer = await w.post('/api/v1/trust', body, { as });
        expectEqual(expectProblem(answer, 409, 'already_exists').existingId, made.id, 'existingId');
      },
    ),
    check(
      'history',
      'Read by its author alone (`/me/trust?history=true` shows replaced ones)',
      async (w) => {
        const { as, body } = await recordTrust(w);
        expectOk(await w.post('/api/v1/trust', { ...body, level: -2, expectedVersion: 1 }, { as }));
        const rows: Json[] = await w.read('/api/v1/me/trust?history=true&limit=100', { as });
        const own = rows.filter(({ context }) => context === body.context);
        const states = own.map(({ level, state }) => `${level} ${state}`).toSorted();
        expectEqual(states, ['-2 current', '1 replaced'], 'the records');
        const target = await getFullKey(w, await getAgent(w, 'member'));
        const others: Json[] = await w.read('/api/v1/me/trust?limit=100', { as: target });
        const seen = others.some(({ context }) => context === body.context);
        expectThat(!seen, 'expected the target not to see it');
      },
    ),
  ],
  { needs: ['interactions', 'trust'] },
);
