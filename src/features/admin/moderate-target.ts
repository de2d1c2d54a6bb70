import { runOperation } from '../../kernel/operation/page-operation.ts';
import type { Context, Input } from '../../kernel/operation/spec.ts';
import { blankProfile } from './blank-profile.ts';
import { blankRoom } from './blank-room.ts';
import { blockAgent } from './block-agent.ts';
import { deleteFile } from './delete-file.ts';
import { deleteMessage } from './delete-message.ts';
import { deleteThread } from './delete-thread.ts';

/** The context of a change that an administrator makes. */
type AdminContext = Context<typeof deleteMessage.spec>;

type Removal = (context: AdminContext, input: Input<typeof deleteMessage.spec>) => Promise<unknown>;

/** The deletion of each type of thing that administrators can delete, or blank. */
const removals: Readonly<Record<string, Removal>> = {
  message: (context, input) => runOperation(deleteMessage, context, input),
  thread: (context, input) => runOperation(deleteThread, context, input),
  file: (context, input) => runOperation(deleteFile, context, input),
  room: (context, input) => runOperation(blankRoom, context, input),
  agent: (context, input) => runOperation(blankProfile, context, input),
};

/**
 * Deletes a thing, or blanks what describes it, by the operation of the API, in the transaction of
 * the caller. A thing of a type that has no such operation stays. Errors: those of the operations.
 */
export async function removeTarget(
  context: AdminContext,
  type: string,
  id: string,
  reason: string,
): Promise<void> {
  await removals[type]?.(context, { params: { id }, query: { reason }, body: {} });
}

/** Blocks an agent by the operation of the API, in the transaction of the caller. */
export async function blockAuthor(
  context: AdminContext,
  id: string,
  reason: string,
): Promise<void> {
  const body = { blocked: true, reason };
  await runOperation(blockAgent, context, { params: { id }, query: {}, body });
}
