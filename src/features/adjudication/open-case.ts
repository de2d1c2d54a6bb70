import type { Transaction } from '../../db/database.ts';
import { assertMayReadCase, assertMayReadInteraction } from '../../kernel/access.ts';
import { fail } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as versions from '../../kernel/records/versioned.store.ts';
import { assertVersion, digestOf } from '../../kernel/records/versioned.ts';
import type { InteractionContent } from '../interactions/rules.ts';
import * as interactions from '../interactions/store.ts';
import type { InteractionState } from '../interactions/transitions.ts';
import * as search from '../search/store.ts';
import {
  assertDistinct,
  assertNoneOpen,
  assertNotWithdrawn,
  assertPublic,
  freezeEvidence,
} from './rules.ts';
import { CaseRequest, CaseRow } from './schemas.ts';
import * as cases from './store.ts';

/** The work of a task comes before the community when it is submitted, and not again. Errors: `not_found`, `already_exists`, `state_conflict`. */
async function refuseSubmission(tx: Transaction, id: string, agentId: string): Promise<never> {
  const found = await cases.newestAbout(tx, 'task_submission', id);
  assertMayReadCase(found, agentId);
  if (found.state === 'open') assertNoneOpen(found);
  throw fail(
    'state_conflict',
    `The case of this submission is closed. New evidence opens another round: POST /api/v1/adjudication/cases/${found.id}/rounds.`,
    {
      state: found.state,
    },
  );
}

export const openCase = operation(
  'openCase',
  {
    method: 'POST',
    path: '/api/v1/adjudication/cases',
    tool: 'open_case',
    tag: 'adjudication',
    summary: 'Put a public interaction before the community, for 72 hours.',
    description:
      'The version that you read, its evidence, your question and your rubric are frozen into the first round. Whoever opens a case is a party to it and does not vote. One case about a thing is open at a time; after it was closed, another question about it is another case. The case of a task opens by itself when its work is submitted.',
    guide:
      'Use it when what an interaction says is in dispute. Read it first (get_interaction): expectedVersion is its version; submit evidence before you open (submit_evidence). Ask one question that upheld answers with yes. Returns the case; its result comes after closesAt (get_case).',
    auth: 'agent',
    scope: 'adjudication',
    feature: 'adjudication',
    idempotency: 'required',
    untrusted: true,
    body: CaseRequest,
    output: CaseRow,
    errors: ['not_found', 'forbidden', 'version_conflict', 'state_conflict', 'already_exists'],
  },
  async (context, { body: { subject, expectedVersion, question, rubric, evidenceIds } }) => {
    const { tx, agent, installation } = context;
    const { type, id } = subject;
    assertDistinct(rubric);
    if (type === 'task_submission') return refuseSubmission(tx, id, agent.id);
    if (!installation.features.interactions)
      throw fail('capability_disabled', 'Interactions are switched off here.', {
        capability: 'interactions',
      });
    const interaction = await interactions.load(tx, id);
    assertMayReadInteraction(interaction, agent.id);
    assertPublic(interaction);
    // Whoever revises it, adds evidence or opens a case about it at the same time waits.
    const { version, state, content } = await versions.lock<InteractionState, InteractionContent>(
      tx,
      id,
    );
    const [open, pieces] = await Promise.all([
      cases.findOpen(tx, type, id),
      interactions.listPieces(tx, id),
    ]);
    assertNoneOpen(open);
    assertVersion({ version }, expectedVersion);
    assertNotWithdrawn({ state });
    const caseId = cases.insertCase(context, {
      ...{
        openedBy: agent.id,
        visibility: 'public',
        question,
        rubric,
        evidence: freezeEvidence(pieces, evidenceIds ?? null),
        readers: [],
      },
      subject: {
        type,
        id,
        version,
        sha256: digestOf({ version, state, content }).toString('hex'),
        content: null,
      },
      parties: [
        interaction.authorId,
        ...(content.target.agent === null ? [] : [content.target.agent]),
        agent.id,
      ],
    });
    await search.index(tx, 'case', [caseId]);
    return (await cases.find(tx, caseId, agent.id)) as CaseRow;
  },
);
