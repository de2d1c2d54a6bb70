import { sql } from '../../../src/db/sql.ts';
import {
  agents,
  everyone,
  members,
  membersOfListed,
  ownerOfPrivate,
  ownerOfPublic,
  readingMembers,
} from '../../operations/access.ts';
import {
  byAnyone,
  byOwner,
  nowhere,
  onId,
  onMissing,
  refusedTo,
  versionedAck,
} from '../../operations/inputs.ts';
import type {
  AccessRow,
  BuildInput,
  CaseSetup,
  MakeErrorCase,
  OperationCases,
} from '../../operations/operation-case.ts';
import { raiseVersion } from './record-situations.ts';
import { buildInteraction, externalSubject, interactionHelpers } from './setup.ts';

const statement = { kind: 'statement', text: 'I saw it.' };

interface Situation {
  readonly setup: CaseSetup;
  readonly r: ReturnType<typeof interactionHelpers>;
  /** An interaction that the owner recorded about the member: public, in its first version. */
  readonly id: string;
  readonly evidenceId: string;
}

/** A call about an interaction that is there, by default by its author. */
const callAboutInteraction =
  (
    input: (situation: Situation) => object,
    who: 'owner' | 'outsider' = 'owner',
    prepare?: (situation: Situation) => Promise<unknown>,
  ): MakeErrorCase =>
  async (setup) => {
    const { f, fixture } = setup;
    const r = interactionHelpers(f);
    const { id, evidenceIds } = await r.recordInteraction(
      fixture.owner,
      { agent: fixture.member.handle },
      { evidence: [statement] },
    );
    const situation = { setup, r, id, evidenceId: evidenceIds[0] };
    await prepare?.(situation);
    return {
      input: input(situation),
      as: { key: await f.getKeyWithScope(fixture[who], 'interactions') },
    };
  };

const withdrawInteraction = ({ r, setup, id }: Situation) =>
  r.reviseInteraction(setup.fixture.owner, id, { expectedVersion: 1, state: 'withdrawn' });
const withdrawEvidence = ({ r, setup, evidenceId }: Situation) =>
  r.withdrawEvidence(setup.fixture.owner, evidenceId);

/** Adds as much evidence as the author may submit. */
const fillEvidence = ({ id, setup: { app } }: Situation) =>
  app.app.env.db.run(sql`
      WITH pieces AS (
        SELECT gen_random_uuid() AS id, author_id, created_at AS at
        FROM interactions, generate_series(1, 50)
        WHERE id = ${id}
      ),
        made AS (
          INSERT INTO records (id, type, version, state, author_id, created_at, updated_at)
          SELECT id, 'evidence', 1, 'submitted', author_id, at, at
          FROM pieces
        )
      INSERT INTO evidence (id, about_id, submitted_by, created_at)
      SELECT id, ${id}, author_id, at
      FROM pieces
    `);

/** About an interaction that the owner recorded about the member. */
const onInteraction =
  (visibility: 'public' | 'private', body?: object): BuildInput =>
  async ({ f, fixture }) => {
    const target = { agent: fixture.member.handle };
    const { id } = await interactionHelpers(f).recordInteraction(fixture.owner, target, {
      visibility,
    });
    return onId(id, body);
  };

/** About a piece of evidence of such an interaction. */
const onEvidence =
  (visibility: 'public' | 'private'): BuildInput =>
  async ({ f, fixture }) => {
    const target = { agent: fixture.member.handle };
    const { evidenceIds } = await interactionHelpers(f).recordInteraction(fixture.owner, target, {
      visibility,
      evidence: [{ kind: 'statement', text: 'So.' }],
    });
    return onId(evidenceIds[0], { expectedVersion: 1 });
  };

const readers: readonly AccessRow[] = [
  { on: 'public, about the member', input: onInteraction('public'), expected: everyone },
  { on: 'private, about the member', input: onInteraction('private'), expected: readingMembers },
];
const revision = { expectedVersion: 1, summary: 'S' };
const evidence = { expectedVersion: 1, kind: 'statement', text: 'So.' };
/** Tries to revise what is not in this version. */
const reviseVersion =
  (expectedVersion: number) =>
  ({ id }: Situation) =>
    onId(id, { expectedVersion, summary: 'x' });
const submitToVersion =
  (expectedVersion: number) =>
  ({ id }: Situation) =>
    onId(id, { ...evidence, expectedVersion });
const withdrawVersion =
  (expectedVersion: number) =>
  ({ evidenceId }: Situation) =>
    onId(evidenceId, { expectedVersion });

export const cases: OperationCases = {
  recordInteraction: {
    call: byOwner(
      ({ fixture }) => ({
        body: buildInteraction({ agent: fixture.member.handle }, { evidence: [statement] }),
      }),
      () => ({ body: buildInteraction(externalSubject()) }),
      'interactions',
    ),
    errors: {
      not_found: refusedTo(
        'owner',
        () => ({ body: buildInteraction({ agent: 'nobody-at-all' }) }),
        'interactions',
      ),
    },
    access: [{ input: () => ({ body: buildInteraction(externalSubject()) }), expected: agents }],
    ack: ['createdAt', 'evidenceIds', 'id', 'receiptId', 'subjectId', 'version'],
    idempotency: 'required',
  },
  listInteractions: {
    call: byAnyone(),
    access: everyone,
    list: {
      order: ['createdAt', 'id'],
      // Its rows are those that the cases of listCases are about.
      arrange: () => ({ count: (turns) => turns }),
    },
  },
  getInteraction: {
    call: byAnyone(onInteraction('public')),
    errors: { not_found: onMissing() },
    access: readers,
  },
  reviseInteraction: {
    call: async ({ f, fixture: { owner } }) => {
      const { id } = await interactionHelpers(f).recordInteraction(owner, externalSubject());
      const buildRevision = (summary: string) => onId(id, { expectedVersion: 1, summary });
      return {
        input: buildRevision('One'),
        as: { key: await f.getKeyWithScope(owner, 'interactions') },
        other: buildRevision('Another'),
      };
    },
    errors: {
      not_found: refusedTo('owner', () => onId(nowhere, revision), 'interactions'),
      forbidden: callAboutInteraction(reviseVersion(1), 'outsider'),
      version_conflict: callAboutInteraction(reviseVersion(2)),
      state_conflict: callAboutInteraction(reviseVersion(2), 'owner', withdrawInteraction),
      limit_exceeded: callAboutInteraction(reviseVersion(200), 'owner', ({ id, setup }) =>
        raiseVersion(setup, id),
      ),
    },
    access: [
      { on: 'public', input: onInteraction('public', revision), expected: ownerOfPublic },
      { on: 'private', input: onInteraction('private', revision), expected: ownerOfPrivate },
    ],
    ack: versionedAck,
    idempotency: 'required',
  },
  submitEvidence: {
    call: async ({ f, fixture: { owner, member } }) => {
      const { id } = await interactionHelpers(f).recordInteraction(owner, {
        agent: member.handle,
      });
      const buildEvidence = (text: string) => onId(id, { ...evidence, text });
      return {
        input: buildEvidence('One'),
        as: { key: await f.getKeyWithScope(member, 'interactions') },
        other: buildEvidence('Another'),
      };
    },
    errors: {
      not_found: refusedTo('owner', () => onId(nowhere, evidence), 'interactions'),
      forbidden: callAboutInteraction(submitToVersion(1), 'outsider'),
      version_conflict: callAboutInteraction(submitToVersion(2)),
      state_conflict: callAboutInteraction(submitToVersion(2), 'owner', withdrawInteraction),
      limit_exceeded: callAboutInteraction(submitToVersion(1), 'owner', fillEvidence),
    },
    access: [
      { on: 'public', input: onInteraction('public', evidence), expected: membersOfListed },
      { on: 'private', input: onInteraction('private', evidence), expected: members },
    ],
    ack: versionedAck,
    idempotency: 'required',
  },
  withdrawEvidence: {
    call: async ({ f, fixture: { owner } }) => {
      const { evidenceIds } = await interactionHelpers(f).recordInteraction(
        owner,
        externalSubject(),
        { evidence: [statement, statement] },
      );
      return {
        input: onId(evidenceIds[0], { expectedVersion: 1 }),
        as: { key: await f.getKeyWithScope(owner, 'interactions') },
        other: onId(evidenceIds[1], { expectedVersion: 1 }),
      };
    },
    errors: {
      not_found: refusedTo('owner', () => onId(nowhere, { expectedVersion: 1 }), 'interactions'),
      forbidden: callAboutInteraction(withdrawVersion(1), 'outsider'),
      version_conflict: callAboutInteraction(withdrawVersion(2)),
      state_conflict: callAboutInteraction(withdrawVersion(2), 'owner', withdrawEvidence),
    },
    access: [
      { on: 'public', input: onEvidence('public'), expected: ownerOfPublic },
      { on: 'private', input: onEvidence('private'), expected: ownerOfPrivate },
    ],
    ack: versionedAck,
    idempotency: 'required',
  },
  showInteractions: { call: byAnyone(), access: everyone },
  showInteraction: {
    call: byAnyone(onInteraction('public')),
    errors: { not_found: onMissing() },
    access: readers,
  },
};
