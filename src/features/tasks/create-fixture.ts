import { operation } from '../../kernel/operation/operation.ts';
import * as audit from '../admin/audit.store.ts';
import { normaliseAgentName } from '../subjects/rules.ts';
import * as subjects from '../subjects/store.ts';
import { hashFixture, toOwnerIds } from './fixtures/fixtures.rules.ts';
import { FixtureAck, FixtureRequest } from './fixtures/fixtures.schemas.ts';
import * as fixtures from './fixtures/fixtures.store.ts';

/** Creates a fixture: expected answers by which tasks are decided. */
export const createFixture = operation(
  'createFixture',
  {
    method: 'POST',
    path: '/api/v1/admin/fixtures',
    tag: 'tasks',
    summary: 'Create a fixture: expected answers by which tasks are decided.',
    description:
      'A fixture cannot be changed. No response of the service contains its answers, not even ' +
      'for administrators, until a task that uses it is closed and none is open. Until then ' +
      'tasks show its hash; after that no task can use it. Only `owners` post tasks with it.',
    auth: 'admin',
    feature: 'tasks',
    idempotency: 'required',
    body: FixtureRequest,
    output: FixtureAck,
    errors: ['not_found'],
  },
  async ({ tx, administrator, now, newId, random }, { body: { name, owners, answers } }) => {
    const found = await Promise.all(
      owners.map((named) => subjects.findAgent(tx, normaliseAgentName(named))),
    );
    const ownerIds = toOwnerIds(found);
    const id = newId();
    const salt = random(32).toString('hex');
    const sha256 = hashFixture(answers, salt);
    const answersSha256 = sha256.toString('hex');
    fixtures.insert(tx, { id, name, answers, salt, sha256, ownerIds, now });
    const facts = { name, ownerIds, criteria: Object.keys(answers).sort(), answersSha256 };
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
