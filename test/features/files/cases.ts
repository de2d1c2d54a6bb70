import { sql } from '../../../src/db/sql.ts';
import {
  everyone,
  ownerOfPrivate,
  ownerOfPublic,
  perThread,
  readingMembers,
  readingMembersOfListed,
} from '../../operations/access.ts';
import type { Fixture } from '../../operations/fixture.ts';
import {
  administrator,
  asAgent,
  byAnyone,
  byOwner,
  onId,
  refusedTo,
} from '../../operations/inputs.ts';
import type {
  BuildInput,
  CaseSetup,
  MakeErrorCase,
  OperationCase,
  OperationCases,
} from '../../operations/operation-case.ts';

type Thread = keyof Fixture['threads'];
const note = { name: 'notes.txt', bytes: 'Some notes.' };

/** A message of the owner in one of the threads, with so many files; its id. */
async function postMessageIn(
  { f, fixture }: CaseSetup,
  thread: Thread,
  files = 0,
): Promise<string> {
  const { id } = await f.postMessage(fixture.owner, fixture.threads[thread], 'See the files');
  for (let file = 0; file < files; file++) await f.attachFile(fixture.owner, id);
  return id;
}

const attachTo =
  (thread: Thread): BuildInput =>
  async (setup) => ({ ...onId(await postMessageIn(setup, thread)), file: note });
const onFile =
  (thread: Thread): BuildInput =>
  async (setup) => {
    const message = await postMessageIn(setup, thread);
    return onId((await setup.f.attachFile(setup.fixture.owner, message)).id);
  };

/** An upload to a message of the owner, after something has happened to the message. */
const callAttachFile =
  (
    thread: Thread,
    who: 'owner' | 'member' | 'outsider',
    prepare?: (setup: CaseSetup, messageId: string) => Promise<unknown>,
  ): MakeErrorCase =>
  async (setup) => {
    const id = await postMessageIn(setup, thread);
    await prepare?.(setup, id);
    return { input: { ...onId(id), file: note }, as: asAgent(setup.fixture[who]) };
  };

/** A read of a file by an agent that is no member. */
const callReadFile =
  (
    thread: Thread,
    prepare?: (setup: CaseSetup, messageId: string) => Promise<unknown>,
    headers = {},
  ): MakeErrorCase =>
  async (setup) => {
    const messageId = await postMessageIn(setup, thread);
    const { id } = await setup.f.attachFile(setup.fixture.owner, messageId);
    await prepare?.(setup, messageId);
    return { input: onId(id), as: { ...asAgent(setup.fixture.outsider), headers } };
  };

const deleteMessage = ({ f }: CaseSetup, id: string) =>
  f.ok('DELETE', `/api/v1/admin/messages/${id}`, administrator);
const ageMessage = ({ app }: CaseSetup, id: string) =>
  app.app.env.db.run(sql`
    UPDATE messages
    SET created_at = created_at - interval '25 hours'
    WHERE id = ${id}
  `);

/** Reading the record of a file and downloading it follow the same rules. */
const readingFile: OperationCase = {
  call: byAnyone(onFile('open')),
  errors: {
    not_found: callReadFile('hidden'),
    forbidden: callReadFile('listed'),
    gone: callReadFile('open', deleteMessage),
    range_not_satisfiable: callReadFile('open', undefined, { range: 'bytes=1000-' }),
  },
  access: perThread(
    {
      open: everyone,
      membersOnly: readingMembers,
      listed: readingMembersOfListed,
      hidden: readingMembers,
    },
    onFile,
  ),
};

export const cases: OperationCases = {
  attachFile: {
    call: async ({ f, fixture: { owner, threads } }) => {
      const { id } = await f.postMessage(owner, threads.open, 'See the file');
      const buildInput = (name: string) => ({
        ...onId(id),
        file: { name, bytes: 'Some notes.', type: 'text/plain' },
      });
      return {
        input: buildInput('notes.txt'),
        as: asAgent(owner),
        other: buildInput('other.txt'),
      };
    },
    errors: {
      not_found: callAttachFile('hidden', 'outsider'),
      forbidden: callAttachFile('open', 'member'),
      gone: callAttachFile('open', 'owner', deleteMessage),
      membership_required: async ({ f, fixture }) => {
        const leaver = await f.createAgent();
        await f.joinRoom(leaver, fixture.publicRoom);
        const { id } = await f.postMessage(leaver, fixture.threads.open, 'Bye');
        await f.ok(
          'DELETE',
          `/api/v1/rooms/${fixture.publicRoom}/members/${leaver.id}`,
          asAgent(leaver),
        );
        return { input: { ...onId(id), file: note }, as: asAgent(leaver) };
      },
      removed_from_room: async ({ f, fixture }) => {
        const guest = await f.createAgent();
        await f.joinRoom(guest, fixture.publicRoom);
        const { id } = await f.postMessage(guest, fixture.threads.open, 'Oh');
        await f.ok(
          'DELETE',
          `/api/v1/rooms/${fixture.publicRoom}/members/${guest.id}`,
          asAgent(fixture.owner),
        );
        return { input: { ...onId(id), file: note }, as: asAgent(guest) };
      },
      state_conflict: callAttachFile('open', 'owner', ageMessage),
      limit_exceeded: async (setup) => ({
        input: { ...onId(await postMessageIn(setup, 'open', 10)), file: note },
        as: asAgent(setup.fixture.owner),
      }),
      payload_too_large: async (setup) => ({
        input: {
          ...onId(await postMessageIn(setup, 'open')),
          file: { ...note, bytes: new Uint8Array(10 * 1024 * 1024 + 1) },
        },
        as: asAgent(setup.fixture.owner),
      }),
    },
    access: perThread(
      {
        open: ownerOfPublic,
        membersOnly: ownerOfPrivate,
        listed: ownerOfPublic,
        hidden: ownerOfPrivate,
      },
      attachTo,
      'of the owner',
    ),
    ack: 'record',
    idempotency: 'required',
  },
  getFile: readingFile,
  downloadFile: readingFile,
  removeFile: {
    call: byOwner(onFile('open'), onFile('open')),
    errors: {
      not_found: refusedTo('outsider', onFile('hidden')),
      forbidden: refusedTo('member', onFile('open')),
      gone: refusedTo('member', async ({ f, fixture: { owner, publicRoom } }) => {
        const id = await f.createThread(owner, publicRoom);
        const file = await f.attachFile(owner, (await f.postMessage(owner, id, 'Gone')).id);
        await f.ok('DELETE', `/api/v1/admin/threads/${id}`, administrator);
        return onId(file.id);
      }),
    },
    access: perThread(
      {
        open: ownerOfPublic,
        membersOnly: ownerOfPrivate,
        listed: ownerOfPublic,
        hidden: ownerOfPrivate,
      },
      onFile,
      'file of the owner',
    ),
    ack: ['id'],
  },
};
