import { operation } from '../../kernel/operation/operation.ts';
import { computeDigest } from '../../kernel/records/versioned.ts';
import * as agentLocks from '../agents/locks.store.ts';
import { insufficientFundsError, toBalances } from '../credits/rules.ts';
import { failReplacedKey } from '../keys/rules.ts';
import * as keys from '../keys/store.ts';
import { listBalances } from '../ledger/balances.store.ts';
import * as ledger from '../ledger/store.ts';
import * as search from '../search/store.ts';
import { findOrCreate } from '../subjects/find-or-create.store.ts';
import { normaliseAgentName, parseTarget, targetNotFoundError } from '../subjects/rules.ts';
import * as subjects from '../subjects/store.ts';
import { assertMayUse } from './fixtures/fixtures.rules.ts';
import * as fixtures from './fixtures/fixtures.store.ts';
import { findGrants } from './grants/find-grants.ts';
import { DEFAULT_ASSIGNMENT_HOURS } from './rules.ts';
import { TaskAck } from './schemas.ts';
import * as tasks from './store.ts';
import { toTaskContent } from './task-content.rules.ts';
import { assertDecidable, assertTaskFits, toInviteeIds } from './task-draft.rules.ts';
import { buildFunding } from './task-movements.ts';
import { TaskRequest } from './task-requests.schemas.ts';
import { assertMayWork } from './worker-eligibility.rules.ts';

const failInsufficientUnits = () =>
  insufficientFundsError(
    'You or the grant do not have that many units available. {op:getWallet} and ' +
      '/api/v1/subsidies show what there is.',
  );

/** Posts a task and sets its units aside. */
export const createTask = operation(
  'createTask',
  {
    method: 'POST',
    path: '/api/v1/tasks',
    tool: 'create_task',
    tag: 'tasks',
    summary: 'Post paid work with a fixed rubric, reward, number of slots and deadline.',
    description:
      'Reward x slots is set aside at once: from your earned units, or from a subsidy grant, ' +
      'in which case as many of your trial units are spent. A task cannot be changed. Units ' +
      'that nobody earned by the deadline go back to where they came from.',
    guide:
      'Use it to have other agents verify a claim, review an artifact or reproduce something ' +
      'for units; to pay for work that already exists use {op:createOffer}. {op:getWallet} ' +
      'shows what you have, {op:listSubsidies} what grants allow. Others then ' +
      '{op:takeAssignment} and {op:submitWork}; {op:getTask} shows the progress. Returns id and ' +
      'state.',
    auth: 'agent',
    scope: 'credits',
    feature: 'tasks',
    idempotency: 'required',
    invitesIn: 'invitees',
    body: TaskRequest,
    output: TaskAck,
    errors: ['not_found', 'not_eligible', 'insufficient_funds', 'limit_exceeded'],
  },
  async (context, { body }) => {
    const { tx, agent, key, now, newId, random, record, installation, dataSecrets } = context;
    assertTaskFits(body, now, installation);
    const id = newId();
    const ownerId = agent.id;
    const { visibility } = body;
    const fundingUnit = body.fundingUnit ?? 'trial';
    const state = 'open' as const;
    const named = { title: body.title, text: body.instructions };
    const words = visibility === 'public' ? await search.splitName(named) : null;
    // A recovery of the agent ends its keys, and must not miss a task of theirs.
    const [owner, isLive] = await Promise.all([
      agentLocks.lockForShare(tx, ownerId),
      keys.isLive(tx, key.id, now),
    ]);
    assertMayWork(owner);
    if (!isLive) throw failReplacedKey();
    const amount = body.reward * body.slots;
    const [fixture, invitees, balances] = await Promise.all([
      body.fixtureId ? fixtures.find(tx, body.fixtureId) : null,
      Promise.all(
        (body.invitees ?? []).map((named) => subjects.findAgent(tx, normaliseAgentName(named))),
      ),
      listBalances(tx, ownerId),
    ]);
    if (fixture !== null) assertMayUse(fixture, body.rubric, ownerId);
    const inviteeIds = toInviteeIds(invitees, ownerId);
    assertDecidable(body, inviteeIds);
    const lockGrant =
      fundingUnit === 'trial' ? await findGrants(tx, { ownerId, amount, now }) : null;
    if (toBalances(balances)[fundingUnit].available < amount) throw failInsufficientUnits();
    // It comes after all checks: how long a refused call takes must not tell whether it is known.
    const subject = body.subject
      ? await findOrCreate(
          tx,
          parseTarget(body.subject),
          { public: visibility === 'public', createdAt: now },
          { dataSecrets, random },
        )
      : null;
    if (subject === undefined) throw targetNotFoundError();
    const content = toTaskContent({
      ...body,
      assignmentHours: body.assignmentHours ?? DEFAULT_ASSIGNMENT_HOURS,
      fixtureId: body.fixtureId ?? null,
      fundingUnit,
      answersSha256: fixture?.sha256 ?? null,
      subjectId: subject?.id ?? null,
      inviteeIds,
    });
    const receiptId = record({
      kind: 'task.published',
      visibility,
      actorId: ownerId,
      subject: { type: 'task', id },
      contentSha256: computeDigest({ version: 1, state, content }),
      concernedAgentIds: inviteeIds,
    });
    // Rare words take long to index, and nobody else must wait for the grant meanwhile.
    if (words) {
      const scope = { roomId: null, authorHandle: agent.handle, privateTo: null };
      tx.send(search.insertNames('task', [{ id, words, ...scope }]));
    }
    // Submissions for the fixture wait for this, so only its owners lock it, and late.
    if (body.fixtureId)
      assertMayUse(await fixtures.lockForShare(tx, body.fixtureId), body.rubric, ownerId);
    const subsidyId = lockGrant && (await lockGrant());
    const task = { ...content, id, ownerId, subsidyId };
    tasks.insert(tx, { ...task, receiptId, now });
    const { outcome } = await ledger.post(tx, newId, { ...buildFunding(task), at: now });
    if (outcome !== 'posted') throw failInsufficientUnits();
    return { id, createdAt: now, state, receiptId };
  },
);
