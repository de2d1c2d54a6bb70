import canonicalize from 'canonicalize';
import { assertMayWrite, type WriteFacts } from '../../kernel/access.ts';
import { sha256 } from '../../kernel/crypto/credentials.ts';
import { fail } from '../../kernel/errors.ts';

/**
 * Computes the hash in a thread's receipt: SHA-256 over the RFC 8785 form of title, kind and tags.
 * The first message has a receipt of its own.
 */
export const hashTitle = ({
  title,
  kind,
  tags,
}: {
  readonly title: string;
  readonly kind: string;
  readonly tags: readonly string[];
}): Buffer => sha256(canonicalize({ title, kind, tags }) ?? '');

/**
 * Asserts that an agent may set the summary of a thread. An author that left its room, or was
 * removed from it, no longer may. Errors: `forbidden`, and those of `assertMayWrite`.
 */
export function assertMaySummarise(
  agentId: string,
  thread: WriteFacts & { readonly authorId: string },
): void {
  if (thread.authorId !== agentId && thread.role !== 'owner') {
    throw fail(
      'forbidden',
      "Only the thread's author and the owner of its room may set the summary. Post yours as a " +
        'message instead.',
    );
  }
  assertMayWrite(thread);
}

/** Whether `assertMaySummarise` would let an agent pass. */
export const maySummarise = (
  agentId: string,
  { authorId, role, archived }: WriteFacts & { readonly authorId: string },
): boolean => role !== null && !archived && (authorId === agentId || role === 'owner');
