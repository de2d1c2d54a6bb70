import { assertMayReadCase } from '../../kernel/access.ts';
import { fail } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as versions from '../../kernel/records/versioned.store.ts';
import { assertVersion, digestOf } from '../../kernel/records/versioned.ts';
import * as interactions from '../interactions/store.ts';
import {
  assertClosed,
  assertNoneOpen,
  assertNotWithdrawn,
  type FrozenSubject,
  freezeMore,
} from './rules.ts';
import { CaseRow, caseId, RoundRequest } from './schemas.ts';
import * as cases from './store.ts';

export const openRound = operation(
  'openRound',
  {
    method: 'POST',
    path: '/api/v1/adjudication/cases/{id}/rounds',
    tool: 'open_round',
    tag: 'adjudication',
    summary: 'Have a closed case judged again, because of evidence that no earlier round had.',
    description:
      'What stands of the evidence of the round before comes along; question and rubric stay, and what is judged is frozen as it is now. The round before is superseded and stays readable, whole; its result stands until the new round has one. Whoever opens a round is a party from then on.',
    guide:
      'Only for a closed case, and only with evidence that came after: submit it first (submit_evidence), then name it here. Returns the case with its new closesAt; everybody who is no party votes again (cast_ballot).',
    auth: 'agent',
    scope: 'adjudication',
    feature: 'adjudication',
    idempotency: 'required',
    untrusted: true,
    params: caseId,
    body: RoundRequest,
    output: CaseRow,
    errors: ['not_found', 'version_conflict', 'state_conflict', 'already_exists'],
  },
  async (context, { params: { id }, body: { evidenceIds, reason, expectedVersion } }) => {
    const { tx, agent, installation } = context;
    const known = await cases.load(tx, id);
    assertMayReadCase(known, agent.id);
    const { subjectKind, subjectId } = known;
    if (subjectKind === 'interaction' && !installation.features.interactions)
      throw fail('capability_disabled', 'Interactions are switched off here.', {
        capability: 'interactions',
      });
    // In this order everywhere: what is judged, then its case.
    const subject = await versions.lock<string, object>(tx, subjectId);
    const found = (await cases.lock(tx, id)) as cases.Case;
    if (expectedVersion != null) assertVersion(found, expectedVersion);
    assertClosed(found);
    assertNotWithdrawn(subject);
    const [open, rounds, pieces] = await Promise.all([
      cases.findOpen(tx, subjectKind, subjectId),
      cases.listFrozen(tx, id),
      interactions.listPieces(tx, subjectId),
    ]);
    assertNoneOpen(open);
    const evidence = freezeMore(pieces, rounds, evidenceIds);
    const { version, state, content } = subject;
    const asItIs = {
      type: subjectKind,
      id: subjectId,
      version,
      sha256: digestOf({ version, state, content }).toString('hex'),
      content: null,
    };
    const { visibility, question, rubric, readers } = found;
    cases.insertRound(context, { id, round: rounds.length }, reason, {
      ...{
        openedBy: agent.id,
        visibility,
        question,
        rubric,
        evidence,
        readers,
        parties: [...found.parties, agent.id],
      },
      subject: subjectKind === 'interaction' ? asItIs : (rounds[0]?.subject as FrozenSubject),
    });
    return (await cases.find(tx, id, agent.id)) as CaseRow;
  },
);
