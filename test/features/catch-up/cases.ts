import { agents, members, membersOfListed, perThread } from '../../operations/access.ts';
import { byOwner, onThread, threadErrors } from '../../operations/inputs.ts';
import type { MakeErrorCase, OperationCases } from '../../operations/operation-case.ts';

const body = { position: 0 };
const button = { position: 0, offset: 0 };
const access = { open: agents, membersOnly: members, listed: membersOfListed, hidden: members };

/** The errors of an operation whose path calls the thread `threadId`. */
const errors = Object.fromEntries(
  Object.entries(threadErrors(body)).map(([code, make]): [string, MakeErrorCase] => [
    code,
    async (setup) => {
      const { input, ...rest } = await (make as MakeErrorCase)(setup);
      return { ...rest, input: { ...input, params: { threadId: input.params?.id ?? '' } } };
    },
  ]),
);

export const cases: OperationCases = {
  catchUp: { call: byOwner(), access: agents },
  markRead: {
    call: byOwner(
      ({ fixture }) => ({ params: { threadId: fixture.threads.open }, body }),
      ({ fixture }) => ({ params: { threadId: fixture.threads.hidden }, body }),
    ),
    errors,
    access: perThread(access, (thread) => ({ fixture }) => ({
      params: { threadId: fixture.threads[thread] },
      body,
    })),
    ack: ['createdAt', 'id'],
    spoilsFixture: true,
  },
  markReadByForm: {
    call: byOwner(onThread('open', button), onThread('hidden', button)),
    errors: threadErrors(button),
    access: perThread(access, (thread) => onThread(thread, button)),
    spoilsFixture: true,
  },
};
