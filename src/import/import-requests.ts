import {
  assertKnown,
  getAuthorClient,
  type ImportContext,
  type PlacedMessage,
} from './import-context.ts';
import type { RequestPart, Statement } from './import-plan.ts';
import { reportFault, StoaApiError } from './import-service.ts';
import { listAll } from './list-all.ts';

/*
 * What an import does about messages that ask for a taker. An answer is posted as its author did:
 * it takes the request, and its post ends the claim.
 */

/** How long a request is taken for, in seconds, until its answer is posted. */
const LEASE_SECONDS = 60;

/** Returns what the service should have of a request, if only these messages are there. */
export const listExpected = (
  [state, answerId]: RequestPart,
  messages: ReadonlyMap<string, unknown>,
): RequestPart =>
  answerId !== null && !messages.has(answerId) ? ['open', null] : [state, answerId];

/** The members of a post that make it an answer. */
interface AnswerMembers {
  readonly answers: string;
  readonly fence: number;
}

/**
 * Takes the request that a statement answers, as its author. A run that was killed may have left it
 * taken by that author. Returns nothing for a statement that answers none, or one that is not on
 * the service.
 */
export async function takeAnswered(
  work: ImportContext,
  { line, author, answers }: Statement,
): Promise<AnswerMembers | undefined> {
  if (answers === null) return undefined;
  const request = work.messages.get(answers);
  if (!request) {
    work.report.addChange(
      `line ${line}: it answers a request that is not on the service, so it is posted as an ` +
        'answer to none',
    );
    return undefined;
  }
  const { id } = request;
  const agent = getAuthorClient(work, author);
  try {
    const body = { leaseSeconds: LEASE_SECONDS };
    const { fence } = await agent.claimRequest({ params: { id }, body });
    return { answers: id, fence: assertKnown(fence ?? undefined) };
  } catch (error) {
    if (!(error instanceof StoaApiError) || error.code !== 'state_conflict') throw error;
    for await (const { messageId, claim } of listAll((query) => agent.listMyClaims({ query })))
      if (messageId === id && claim.fence !== null) return { answers: id, fence: claim.fence };
    throw error;
  }
}

/** Cancels the request of a message that is on the service, as its author, if the file says so. */
export async function cancelPlaced(
  work: ImportContext,
  { line, author, request }: Statement,
  { id, request: placed }: PlacedMessage,
): Promise<void> {
  if (request?.[0] !== 'cancelled' || placed?.state === 'cancelled') return;
  await reportFault(
    work.report,
    `line ${line}: the request of the message cannot be cancelled`,
    () => getAuthorClient(work, author).cancelRequest({ params: { id } }),
  );
}
