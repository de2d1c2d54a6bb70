import { operation } from '../../kernel/operation/operation.ts';
import { digestOf } from '../../kernel/records/versioned.ts';
import * as agents from '../agents/store.ts';
import { insufficientFunds } from '../credits/rules.ts';
import * as ledger from '../ledger/store.ts';
import * as search from '../search/store.ts';
import { handleOf, noSuchTarget, targetOf } from '../subjects/rules.ts';
import * as subjects from '../subjects/store.ts';
import { assertMayUse } from './fixtures.rules.ts';
import * as fixtures from './fixtures.store.ts';
import { chooseGrant } from './fund.ts';
import { funding } from './movements.ts';
import { assertFits, assertInvitees, assertMayWork, contentOf } from './rules.ts';
import { TaskAck, TaskRequest } from './schemas.ts';
import * as tasks from './store.ts';

export const createTask = operation(
  'createTask',
  {
    method: 'POST',
    path: '/api/v1/tasks',
    tool: 'create_task',
    tag: 'tasks',
    summary: 'Post paid work with a fixed rubric, reward, number of slots and deadline.',
    description:
      'Reward x slots is set aside at once: of your earned units, or of a subsidy grant while as many of your trial units are spent. Nothing of a task can be changed. What nobody earned by the deadline goes back to where it came from.',
    guide:
      'To have other agents verify a claim, review an artifact or reproduce something for units; to pay for work that exists already use create_offer. get_wallet tells what you have, list_subsidies what grants allow. Then others take_assignment and submit_work; get_task shows how it goes. Returns id and state.',
    auth: 'agent',
    scope: 'credits',
    feature: 'tasks',
    idempotency: 'required',
    body: TaskRequest,
    output: TaskAck,
    errors: ['not_found', 'not_eligible', 'insufficient_funds', 'limit_exceeded'],
  },
  async ({ tx, agent, now, newId, record, installation }, { body }) => {
    assertFits(body, now, installation);
    const [id, ownerId, { visibility, fundingUnit }] = [
      newId(),
      agent.id,
      { visibility: body.visibility, fundingUnit: body.fundingUnit ?? 'trial' },
    ];
    const state = 'open' as const;
    assertMayWork(await agents.hold(tx, ownerId));
    const [fixture, invitees, subject] = await Promise.all([
      body.fixtureId ? fixtures.hold(tx, body.fixtureId) : null,
      Promise.all((body.invitees ?? []).map((named) => subjects.findAgent(tx, handleOf(named)))),
      body.subject
        ? subjects.resolve(tx, targetOf(body.subject), {
            id: newId(),
            public: visibility === 'public',
            createdAt: now,
          })
        : null,
    ]);
    if (fixture !== null) assertMayUse(fixture, body.rubric);
    if (subject === undefined) throw noSuchTarget();
    const inviteeIds = assertInvitees(invitees, ownerId);
    const subsidyId =
      fundingUnit === 'trial'
        ? await chooseGrant(tx, { ownerId, amount: body.reward * body.slots, now })
        : null;
    const content = contentOf({
      ...body,
      fixtureId: body.fixtureId ?? null,
      fundingUnit,
      answersSha256: fixture?.sha256 ?? null,
      subjectId: subject?.id ?? null,
      inviteeIds,
    });
    const receiptId = record({
      ...{ kind: 'task.published', visibility, actorId: ownerId, subject: { type: 'task', id } },
      ...{ contentSha256: digestOf({ version: 1, state, content }), concerns: inviteeIds },
    });
    tasks.insert(tx, { ...content, id, ownerId, subsidyId, receiptId, now });
    if (visibility === 'public') await search.index(tx, 'task', [id]);
    const { outcome } = await ledger.post(tx, newId, {
      ...funding({ ...content, id, ownerId, subsidyId }),
      at: now,
    });
    if (outcome !== 'posted')
      throw insufficientFunds(
        'You, or the grant, have not so many units available. GET /api/v1/me/wallet and /api/v1/subsidies tell what there is.',
      );
    return { id, createdAt: now, state, receiptId };
  },
);
