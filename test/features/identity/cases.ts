import { sql } from '../../../src/db/sql.ts';
import * as groups from '../../../src/features/identity/operator-groups.store.ts';
import { administrators, agents, everyone, ownerOfPublic } from '../../operations/access.ts';
import {
  administrator,
  byAdministrator,
  byAnyone,
  nowhere,
  onAgent,
  onId,
  onMissing,
  readFromAudit,
  refusedTo,
  versionedAck,
} from '../../operations/inputs.ts';
import type {
  BuildInput,
  CaseSetup,
  MakeCall,
  MakeErrorCase,
  OperationCases,
  ReadBack,
} from '../../operations/operation-case.ts';
import { raiseVersion } from '../interactions/record-situations.ts';
import { interactionHelpers } from '../interactions/setup.ts';

/** A claim of the owner about an agent, by default about a new one; its id. */
async function claimAsOwner({ f, fixture }: CaseSetup, agentId?: string): Promise<string> {
  const subjectId = agentId ?? (await f.createAgent()).id;
  return (await interactionHelpers(f).claimIdentity(fixture.owner, subjectId)).body.id;
}

/** A call of the owner with either value, about the same id. */
const withEitherValue =
  (build: (setup: CaseSetup) => Promise<string>, body: object): MakeCall =>
  async (setup) => {
    const { f, fixture } = setup;
    const id = await build(setup);
    return {
      input: onId(id, { ...body, value: 'One' }),
      as: { key: await f.getKeyWithScope(fixture.owner, 'credentials') },
      other: onId(id, { ...body, value: 'Another' }),
    };
  };

/** A call about a claim of an agent about itself, by default by that agent. */
const callAboutClaim =
  (
    body: object,
    who: 'author' | 'outsider' = 'author',
    prepare?: (setup: CaseSetup, id: string) => Promise<unknown>,
  ): MakeErrorCase =>
  async (setup) => {
    const { f, fixture } = setup;
    const agent = await f.createAgent();
    const { id } = (await interactionHelpers(f).claimIdentity(agent, agent.id)).body;
    await prepare?.(setup, id);
    const caller = who === 'author' ? agent : fixture.outsider;
    return {
      input: onId(id, body),
      as: { key: await f.getKeyWithScope(caller, 'credentials') },
    };
  };

const withdrawClaim = ({ app }: CaseSetup, id: string) =>
  app.app.env.db.run(sql`
    WITH said AS (
      INSERT INTO record_revisions
      SELECT record_id, 2, author_id, 'withdrawn', content, receipt_id, at
      FROM record_revisions
      WHERE record_id = ${id}
    )
    UPDATE records
    SET version = 2, state = 'withdrawn'
    WHERE id = ${id}
  `);

/** About a claim of the owner about itself. */
const onOwnersClaim =
  (body?: object): BuildInput =>
  async (setup) =>
    onId(await claimAsOwner(setup, setup.fixture.owner.id), body);
const revision = { expectedVersion: 1, value: 'x' };
const alias = { claim: 'alias', value: 'x' };

const readFromClaim: ReadBack = async ({ f }, { body }) =>
  (await f.ok('GET', `/api/v1/identity-claims/${body.id}`)).value;

export const cases: OperationCases = {
  claimIdentity: {
    // About a new agent each time: an agent may have only so many claims about one subject.
    call: withEitherValue(async ({ f }) => (await f.createAgent()).id, { claim: 'operator' }),
    errors: {
      not_found: refusedTo('owner', () => onId(nowhere, alias), 'credentials'),
      limit_exceeded: async ({ f }) => {
        const agent = await f.createAgent();
        for (let claims = 0; claims < 20; claims++)
          await interactionHelpers(f).claimIdentity(agent, agent.id);
        return {
          input: onId(agent.id, alias),
          as: { key: await f.getKeyWithScope(agent, 'credentials') },
        };
      },
    },
    access: [
      {
        on: 'of an agent',
        input: ({ fixture }) => onId(fixture.owner.id, { claim: 'alias', value: 'A' }),
        expected: agents,
      },
    ],
    ack: versionedAck,
    idempotency: 'required',
    names: { value: readFromClaim },
  },
  getIdentityClaim: {
    call: byAnyone(async (setup) => onId(await claimAsOwner(setup))),
    errors: { not_found: onMissing() },
    access: [{ input: onOwnersClaim(), expected: everyone }],
  },
  reviseIdentityClaim: {
    call: withEitherValue(claimAsOwner, { expectedVersion: 1 }),
    errors: {
      not_found: refusedTo('owner', () => onId(nowhere, revision), 'credentials'),
      forbidden: callAboutClaim(revision, 'outsider'),
      version_conflict: callAboutClaim({ ...revision, expectedVersion: 2 }),
      state_conflict: callAboutClaim({ ...revision, expectedVersion: 2 }, 'author', withdrawClaim),
      limit_exceeded: callAboutClaim({ ...revision, expectedVersion: 200 }, 'author', raiseVersion),
    },
    access: [
      {
        on: 'of the owner',
        input: onOwnersClaim({ expectedVersion: 1, value: 'B' }),
        expected: ownerOfPublic,
      },
    ],
    ack: versionedAck,
    idempotency: 'required',
    names: { value: readFromClaim },
  },
  listOperatorGroups: {
    call: byAdministrator(),
    access: administrators,
    list: {
      order: ['recordedAt', 'agentId'],
      // Not by the operation, whose entries in the audit would lengthen that list.
      arrange: ({ app }) => ({
        createRow: async ({ guest: { id } }) => {
          await app.app.env.db.transaction(async (tx) =>
            groups.set(tx, id, `Group ${id}`, new Date(app.clock()).toISOString()),
          );
        },
      }),
    },
  },
  setOperatorGroup: {
    call: byAdministrator(
      onAgent('member', { operatorGroup: 'One' }),
      onAgent('member', { operatorGroup: 'Another' }),
    ),
    errors: { not_found: onMissing(administrator, { operatorGroup: 'x' }) },
    access: administrators,
    ack: ['createdAt', 'id'],
    idempotency: 'required',
    names: { operatorGroup: readFromAudit('operatorGroup') },
    spoilsFixture: true,
  },
};
