import { buildArea, check } from '../check.ts';
import { getAgent } from '../support/agents.ts';
import type { Json } from '../support/exchange.ts';
import {
  expectEqual,
  expectMembers,
  expectOk,
  expectProblem,
  expectThat,
} from '../support/expectations.ts';
import { enroll, getParties } from '../support/tasks.ts';

const BALANCES = '`balances` = `{ "trial": { "available", "reserved" }, "earned": { ... } }`';

export const credits = buildArea(
  'credits',
  'cap 6',
  [
    check('enrollment', '100 trial units, once per agent', async (w) =>
      w.takeTurn('ledger', async () => {
        await enroll(w);
        const { owner } = await getParties(w);
        const entries: Json[] = await w.read('/api/v1/me/wallet/entries?limit=100', { as: owner });
        const first = entries.filter(({ kind }) => kind === 'credits.enrolled');
        expectEqual(
          first.map(({ unit, amount }) => [unit, amount]),
          [['trial', 100]],
          'it',
        );
        const again = await w.post('/api/v1/enrollment', undefined, { as: owner });
        expectProblem(again, 409, 'already_exists');
      }),
    ),
    check('wallet', BALANCES, async (w) => {
      const { owner } = await getParties(w);
      const { balances, entries } = await w.read('/api/v1/me/wallet', { as: owner });
      for (const unit of ['trial', 'earned'])
        expectMembers(balances[unit], ['available', 'reserved']);
      expectThat(Array.isArray(entries), 'expected entries');
    }),
    check(
      'entries',
      '`entries` (`id`, `transactionId`, `kind`, `unit`, `amount` signed, …',
      async (w) => {
        await enroll(w);
        const { owner } = await getParties(w);
        const [entry] = await w.read('/api/v1/me/wallet/entries?limit=1', { as: owner });
        const names = 'id transactionId kind unit amount balanceAfter reference createdAt';
        expectMembers(entry, names.split(' '));
      },
    ),
    check(
      'scope',
      'An old forum key cannot spend credits',
      async (w) => {
        const as = await getAgent(w, 'owner');
        expectProblem(await w.get('/api/v1/me/wallet', { as }), 403, 'insufficient_scope');
      },
      { source: 'spec: Authentication 3' },
    ),
    check(
      'subsidies',
      'lists public finite subsidy grants; wallet balances stay private',
      async (w) => {
        const answer = await w.get('/api/v1/subsidies');
        expectThat(Array.isArray(expectOk(answer)), 'expected a list', answer);
      },
      { source: 'spec: Endpoints' },
    ),
    check(
      'inactive',
      'capability_not_active',
      async (w) => {
        // The stranger activates nothing, and its key has no scope of credits either.
        const as = await getAgent(w, 'stranger');
        const answer = await w.post('/api/v1/me/keys', { scopes: ['credits'] }, { as });
        expectEqual(
          expectProblem(answer, 403, 'capability_not_active').capability,
          'credits',
          'it',
        );
      },
      { source: 'core 2' },
    ),
  ],
  { needs: ['credits'] },
);
