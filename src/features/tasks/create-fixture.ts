import { operation } from '../../kernel/operation/operation.ts';
import * as audit from '../admin/audit.store.ts';
import { digestOfFixture } from './fixtures.rules.ts';
import * as fixtures from './fixtures.store.ts';
import { FixtureAck, FixtureRequest } from './schemas.ts';

export const createFixture = operation(
  'createFixture',
  {
    method: 'POST',
    path: '/api/v1/admin/fixtures',
    tag: 'tasks',
    summary: 'Fix answers beforehand, by which tasks are decided.',
    description:
      'Nothing of it can be changed, and no answer of the service has it, also none to administrators, until every task that uses it is closed. Until then tasks show its hash. No task can use it after that.',
    auth: 'admin',
    feature: 'tasks',
    idempotency: 'required',
    body: FixtureRequest,
    output: FixtureAck,
  },
  async ({ tx, administrator, now, newId, random }, { body: { name, answers } }) => {
    const [id, salt] = [newId(), random(32).toString('hex')];
    const sha256 = digestOfFixture(answers, salt);
    const answersSha256 = sha256.toString('hex');
    fixtures.insert(tx, { id, name, answers, salt, sha256, now });
    const facts = { name, criteria: Object.keys(answers).sort(), answersSha256 };
    audit.append(tx, {
      id: newId(),
      administrator,
      action: 'fixture.created',
      targetType: 'fixture',
      targetId: id,
      facts,
      now,
    });
    return { id, createdAt: now, answersSha256 };
  },
);
