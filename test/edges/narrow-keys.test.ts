import { expect, it } from 'vitest';
import { isMutation } from '../../src/kernel/operation/any-operation.ts';
import { listScopes } from '../../src/kernel/scopes.ts';
import { getCase } from '../operations/cases.ts';
import { callOperation, createFixture, registry, toOutcomeCode } from '../operations/fixture.ts';
import type { AccessRow, Answers, Caller } from '../operations/operation-case.ts';
import { allFeaturesOn } from '../support/all-features-on.ts';
import { startApp } from '../support/app.ts';
import { createContextKey, factories } from '../support/factories.ts';

/*
 * A key for something else reads what anyone reads, also where its agent may read more. No handler
 * can forget that: every public read is called here.
 */

const app = await startApp({ ...(await allFeaturesOn()), SELF_SERVICE_ACTIVATION: 'on' });
const f = factories(app);
const fixture = await createFixture(f);
const setup = { app, f, fixture, guestKey: createContextKey() };

const isAnswers = (access: Answers | readonly AccessRow[]): access is Answers =>
  !Array.isArray(access);
const rows = registry
  .filter((operation) => operation.auth === 'public' && !isMutation(operation))
  .flatMap((operation) => {
    const { access } = getCase(operation.name);
    const listed: readonly AccessRow[] = isAnswers(access) ? [{ expected: access }] : access;
    return listed.map((row) => ({ ...row, operation, name: operation.name, on: row.on ?? '' }));
  });

/** What only members see, as far as an answer to anyone does not have it. */
const privateIds = [
  fixture.privateRoom,
  fixture.threads.hidden,
  fixture.threads.membersOnly,
  fixture.threads.listed,
];

it('[attack.8-2] (API1) there are public reads', () => {
  expect(rows.length).toBeGreaterThan(60);
});

it.for(rows)(
  '[attack.8-2] (API1) $name $on tells a key for something else what it tells anyone',
  async ({ operation, name, input, expected }) => {
    const other = listScopes(operation.scope).includes('research') ? 'credits' : 'research';
    for (const caller of ['member', 'owner'] satisfies Caller[]) {
      const sent = input
        ? await input({ ...setup, caller })
        : (await getCase(name).call(setup)).input;
      const key = await f.getKeyWithScope(fixture[caller], other);
      const anyone = await callOperation(app.url, operation, sent);
      const answer = await callOperation(app.url, operation, sent, { key });
      expect([expected.anonymous, 'insufficient_scope']).toContain(toOutcomeCode(answer));
      for (const id of privateIds.filter((one) => !anyone.text.includes(one)))
        expect(answer.text).not.toContain(id);
    }
  },
);
