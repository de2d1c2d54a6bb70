import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { createDatabase } from '../../test/support/database.ts';
import { openDatabase } from '../db/database.ts';
import { type Sql, sql } from '../db/sql.ts';
import * as access from './access.ts';
import { StoaError } from './errors.ts';
import * as recordAccess from './record-access.ts';
import * as taskAccess from './task-access.ts';

const connection = await createDatabase(inject('server'));
const db = openDatabase(connection, { connections: 2 });
afterAll(async () => {
  await db[Symbol.asyncDispose]();
});

const now = '2026-03-01T12:00:00.000Z';
const visibilities = ['public', 'private'] as const;

async function insertAgent(): Promise<string> {
  const id = randomUUID();
  await db.run(sql`
    INSERT INTO agents (id, handle, created_at, last_active_on)
    VALUES (${id}, ${id.replaceAll('-', '')}, ${now}, ${now})
  `);
  return id;
}

const owner = await insertAgent();
const readers = {
  owner,
  member: await insertAgent(),
  stranger: await insertAgent(),
  anonymous: null,
} as const;
const roles = { owner: 'owner', member: 'member', stranger: null, anonymous: null } as const;

async function insertRoom(visibility: access.Visibility): Promise<string> {
  const id = randomUUID();
  await db.run(sql`
    INSERT INTO rooms (id, name, visibility, owner_id, created_at)
    VALUES (${id}, 'A room', ${visibility}, ${owner}, ${now})
  `);
  await db.run(sql`
    INSERT INTO members (room_id, agent_id, role, joined_at)
    VALUES (${id}, ${owner}, 'owner', ${now}), (${id}, ${readers.member}, 'member', ${now})
  `);
  return id;
}

async function insertThread(
  roomId: string,
  visibility: access.Visibility,
  deletedAt: string | null,
): Promise<string> {
  const id = randomUUID();
  await db.run(sql`
    INSERT INTO threads (
      id, room_id, title, kind, visibility, author_id, message_count, created_at, last_message_at,
      deleted_at
    )
    VALUES (
      ${id}, ${roomId}, 'A thread', 'discussion', ${visibility}, ${owner}, 0, ${now}, ${now},
      ${deletedAt}
    )
  `);
  return id;
}

/**
 * The contract's table (section 5 and 6), written down once: what anyone may see who is not a
 * member. Members see all.
 */
const openToAll = {
  'public public': { room: true, listed: true, read: true },
  'public private': { room: true, listed: false, read: false },
  'private public': { room: false, listed: true, read: false },
  'private private': { room: false, listed: false, read: false },
} as const;

const isFound = async (found: Promise<unknown>) => (await found) !== undefined;
const doesPass = (assertion: () => void): boolean => {
  try {
    assertion();
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(StoaError);
    return false;
  }
};

const cases = visibilities.flatMap((roomVisibility) =>
  visibilities.flatMap((visibility) =>
    [null, now].flatMap((deletedAt) =>
      (Object.keys(readers) as (keyof typeof readers)[]).map((who) => ({
        roomVisibility,
        visibility,
        deletedAt,
        who,
      })),
    ),
  ),
);

describe('who may see what', () => {
  it.for(cases)(
    '[access.rule-equals-sql] $who, $roomVisibility room, $visibility thread, deleted $deletedAt',
    async (one) => {
      const { roomVisibility, visibility, deletedAt, who } = one;
      const roomId = await insertRoom(roomVisibility);
      const threadId = await insertThread(roomId, visibility, deletedAt);
      const reader = readers[who];
      const facts = { roomId, roomVisibility, visibility, deletedAt, role: roles[who] };

      const inRoom = (predicate: Sql) =>
        isFound(
          db.first(sql`
          SELECT 1
          FROM rooms r
          WHERE r.id = ${roomId} AND ${predicate}
        `),
        );
      const inThread = (predicate: Sql) =>
        isFound(
          db.first(sql`
            SELECT 1
            FROM threads t
            JOIN rooms r ON r.id = t.room_id
            WHERE t.id = ${threadId} AND ${predicate}
          `),
        );
      const bySql = {
        room: await inRoom(access.readableRoom(reader)),
        listed: await inThread(access.listableThread(reader)),
        read: await inThread(access.readableThread(reader)),
      };
      const byRule = {
        room: doesPass(() => access.assertMayReadRoom(facts)),
        listed: doesPass(() => access.assertMayListThread(facts)),
        read: doesPass(() => access.assertMayReadThread(facts)),
      };
      const open = facts.role
        ? { room: true, listed: true, read: true }
        : openToAll[`${roomVisibility} ${visibility}`];
      const expected = deletedAt ? { ...open, listed: false, read: false } : open;
      expect(byRule).toEqual(expected);
      expect(bySql).toEqual(expected);
      expect(
        await db.first(sql`
          SELECT ${access.roleIn(reader)} AS role
          FROM rooms r
          WHERE r.id = ${roomId}
        `),
      ).toEqual({ role: facts.role });
    },
  );

  it('[access.rule-equals-sql] a room or thread that is not there is not found', () => {
    for (const assertion of [
      access.assertMayReadRoom,
      access.assertMayListThread,
      access.assertMayReadThread,
    ]) {
      expect(() => assertion(undefined)).toThrow(expect.objectContaining({ code: 'not_found' }));
    }
  });

  const ofOffers = [null, 'member'].flatMap((recipient) =>
    ['owner', 'member', 'stranger', null].map((who) => ({ recipient, who })),
  ) as {
    recipient: 'member' | null;
    who: keyof typeof readers | null;
  }[];

  it.for(ofOffers)(
    '[access.rule-equals-sql] [offers.parties] $who, offer of the owner for $recipient',
    async ({ recipient, who }) => {
      const senderId = readers.owner;
      const recipientId = recipient && readers[recipient];
      const reader = who && readers[who];
      const expected =
        who === 'owner' ? 'sender' : who === 'member' && recipient ? 'recipient' : null;
      if (reader !== null)
        expect(recordAccess.findParty({ senderId, recipientId }, reader)).toBe(expected);
      const row = sql`
        (SELECT ${senderId}::uuid AS sender_id, ${recipientId}::uuid AS recipient_id) o
      `;
      expect(
        await isFound(
          db.first(sql`SELECT 1 FROM ${row} WHERE ${recordAccess.readableOffer(reader)}`),
        ),
      ).toBe(expected !== null);
    },
  );

  const ofCases = visibilities.flatMap((visibility) =>
    (['owner', 'member', 'stranger', null] as const).map((who) => ({ visibility, who })),
  );

  it.for(ofCases)(
    '[access.rule-equals-sql] [case.tasks] $who, $visibility case made for the member',
    async ({ visibility, who }) => {
      const reader = who && readers[who];
      const facts = {
        visibility,
        parties: [readers.owner as string],
        readers: [readers.member as string],
      };
      const expected = visibility === 'public' || who === 'owner' || who === 'member';
      expect(doesPass(() => recordAccess.assertMayReadCase(facts, reader))).toBe(expected);
      const row = sql`
        (
          SELECT ${visibility}::text AS visibility, ${facts.parties}::uuid[] AS parties,
            ${facts.readers}::uuid[] AS readers
        ) k
      `;
      expect(
        await isFound(
          db.first(sql`SELECT 1 FROM ${row} WHERE ${recordAccess.readableCase(reader)}`),
        ),
      ).toBe(expected);
      expect(() => recordAccess.assertMayReadCase(undefined, reader)).toThrow(
        expect.objectContaining({ code: 'not_found' }),
      );
    },
  );

  const parties = {
    author: readers.owner,
    target: readers.member,
    stranger: readers.stranger,
    anonymous: null,
  } as const;
  const ofInteractions = visibilities.flatMap((visibility) =>
    (Object.keys(parties) as (keyof typeof parties)[]).map((who) => ({ visibility, who })),
  );

  it.for(ofInteractions)(
    '[access.rule-equals-sql] [interaction.private] $who, $visibility interaction',
    async ({ visibility, who }) => {
      const id = randomUUID();
      const outside = randomUUID();
      const author = parties.author;
      const reader = parties[who];
      await db.run(sql`
        INSERT INTO subjects (id, type, value, public, created_at)
        VALUES (${outside}, 'model', ${outside}, ${visibility === 'public'}, ${now})
      `);
      for (const [one, subjectId] of [
        [id, parties.target],
        [outside, outside],
      ]) {
        await db.run(sql`
          INSERT INTO records (id, type, version, state, author_id, created_at, updated_at)
          VALUES (${one}, 'interaction', 1, 'recorded', ${author}, ${now}, ${now})
        `);
        await db.run(sql`
          INSERT INTO interactions (
            id, subject_id, author_id, kind, context, visibility, created_at
          )
          VALUES (${one}, ${subjectId}, ${author}, 'other', 'general', ${visibility}, ${now})
        `);
      }
      const expected = visibility === 'public' || who === 'author' || who === 'target';
      const facts = { visibility, authorId: author, subjectId: parties.target };
      expect(doesPass(() => recordAccess.assertMayReadInteraction(facts, reader))).toBe(expected);
      expect(
        await isFound(
          db.first(sql`
            SELECT 1
            FROM interactions i
            WHERE i.id = ${id} AND ${recordAccess.readableInteraction(reader)}
          `),
        ),
      ).toBe(expected);
      // What a private interaction names is known to its author alone.
      expect(
        await isFound(
          db.first(sql`
            SELECT 1
            FROM subjects s
            WHERE s.id = ${outside} AND ${recordAccess.readableSubject(reader)}
          `),
        ),
      ).toBe(visibility === 'public' || who === 'author');
      expect(
        await isFound(
          db.first(sql`
            SELECT 1
            FROM subjects s
            WHERE s.id = ${parties.target} AND ${recordAccess.readableSubject(reader)}
          `),
        ),
      ).toBe(true);
    },
  );

  const ofTasks = visibilities.flatMap((visibility) =>
    [false, true].flatMap((sealed) =>
      (['owner', 'worker', 'invited', 'stranger', 'anonymous'] as const).map((who) => ({
        visibility,
        sealed,
        who,
      })),
    ),
  );

  it.for(ofTasks)(
    '[access.rule-equals-sql] [tasks.private] [fixtures.hidden] $who, $visibility, sealed $sealed',
    async ({ visibility, sealed, who }) => {
      const taskId = randomUUID();
      const assignmentId = randomUUID();
      const fixtureId = randomUUID();
      const worker = await insertAgent();
      const invited = readers.member;
      const reader = { ...readers, worker, invited }[who];
      await db.run(sql`
        INSERT INTO fixtures (id, name, answers, salt, answers_sha256, created_at, revealed_at)
        VALUES (
          ${fixtureId}, 'F', '{}', ${'0'.repeat(64)}, ${Buffer.alloc(32)}, ${now},
          ${sealed ? null : now}
        )
      `);
      await db.run(sql`
        INSERT INTO tasks (
          id, owner_id, kind, title, instructions, rubric, reward, slots, deadline, visibility,
          decision_method, fixture_id, funding_unit, state, receipt_id, created_at
        )
        VALUES (
          ${taskId}, ${owner}, 'artifact_review', 'T', 'I', '[]', 1, 1, '2999-01-01Z',
          ${visibility}, 'fixture', ${fixtureId}, 'earned', 'full', ${taskId}, ${now}
        )
      `);
      await db.run(sql`
        INSERT INTO task_invitees (task_id, agent_id)
        SELECT ${taskId}::uuid, id
        FROM unnest(${[worker, invited]}::uuid[]) id
        WHERE ${visibility} = 'private'
      `);
      await db.run(sql`
        INSERT INTO records (id, type, version, state, author_id, created_at, updated_at)
        VALUES (${assignmentId}, 'assignment', 1, 'paid', ${worker}, ${now}, ${now})
      `);
      await db.run(sql`
        INSERT INTO assignments (id, task_id, slot, agent_id, created_at)
        VALUES (${assignmentId}, ${taskId}, 1, ${worker}, ${now})
      `);
      const isInvited = visibility === 'private' && (who === 'worker' || who === 'invited');
      const expected = {
        task: visibility === 'public' || who === 'owner' || isInvited,
        assignment: visibility === 'public' || who === 'owner' || who === 'worker',
        submission: who === 'worker' || (!sealed && (visibility === 'public' || who === 'owner')),
      };
      const facts = { visibility, ownerId: owner, agentId: worker, sealed };
      expect({
        task: doesPass(() =>
          taskAccess.assertMayReadTask({ visibility, ownerId: owner, isInvited }, reader),
        ),
        assignment: doesPass(() => taskAccess.assertMayReadAssignment(facts, reader)),
        submission: taskAccess.mayReadSubmission(facts, reader),
      }).toEqual(expected);
      const from = sql`tasks k JOIN assignments s ON s.task_id = k.id WHERE k.id = ${taskId}`;
      expect(
        await db.first(sql`
          SELECT ${taskAccess.readableTask(reader)} AS task,
            ${taskAccess.readableAssignment(reader)} AS assignment,
            ${taskAccess.readableSubmission(reader)} AS submission,
            ${taskAccess.sealedTask} AS sealed,
            ${taskAccess.invitation(reader)} AS invited
          FROM ${from}
        `),
      ).toEqual({
        ...expected,
        sealed,
        invited: isInvited,
      });
      for (const missing of [
        () => taskAccess.assertMayReadTask(undefined, owner),
        () => taskAccess.assertMayReadAssignment(undefined, owner),
      ])
        expect(missing).toThrow(expect.objectContaining({ code: 'not_found' }));
    },
  );

  const flags = [false, true];
  const ofAgents = [null, ...flags].flatMap((consent) =>
    flags.flatMap((blocked) => flags.map((synthetic) => ({ consent, blocked, synthetic }))),
  );

  it.for(ofAgents)(
    '[access.rule-equals-sql] [research.export-rechecks] $consent, $blocked, $synthetic',
    async (facts) => {
      const id = await insertAgent();
      const { consent, blocked, synthetic } = facts;
      await db.run(sql`
        UPDATE agents
        SET blocked = ${blocked}, synthetic = ${synthetic}
        WHERE id = ${id}
      `);
      if (consent !== null)
        await db.run(sql`
          INSERT INTO research_consents (agent_id, consent, updated_at)
          VALUES (${id}, ${consent}, ${now})
        `);
      const expected = consent === true && !blocked && !synthetic;
      expect(access.mayBeStudied({ consents: consent === true, blocked, synthetic })).toBe(
        expected,
      );
      expect(
        await isFound(
          db.first(sql`
            SELECT 1
            FROM agents a
            WHERE a.id = ${id} AND ${access.studiedAgent}
          `),
        ),
      ).toBe(expected);
    },
  );

  it('[access.rule-equals-sql] [interaction.private] a missing interaction is not found', () => {
    expect(() => recordAccess.assertMayReadInteraction(undefined, owner)).toThrow(
      expect.objectContaining({ code: 'not_found' }),
    );
  });
});
