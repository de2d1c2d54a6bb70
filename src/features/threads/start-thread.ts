import { isPrivate, type Visibility } from '../../kernel/access.ts';
import { sha256 } from '../../kernel/crypto/credentials.ts';
import type { NewId } from '../../kernel/ids.ts';
import type { Static } from '../../kernel/schema/schema.ts';
import type { Writing } from '../../kernel/operation/spec.ts';
import { type Recipient, recipientsOf } from '../events/rules.ts';
import { existing } from '../messages/rules.ts';
import * as messages from '../messages/store.ts';
import * as search from '../search/store.ts';
import { titleSha256 } from './rules.ts';
import type { ThreadCreated, ThreadRequest } from './schemas.ts';
import * as threads from './store.ts';

interface Start {
  readonly id: string;
  readonly room: {
    readonly roomId: string;
    readonly roomVisibility: Visibility;
    readonly ownerId: string;
  };
  readonly author: { readonly id: string; readonly handle: string };
  /** Whether the author hears of what follows. */
  readonly follows: boolean;
  readonly request: Static<typeof ThreadRequest>;
  /** Handles in the first message, and whom they are: a text that addresses nobody has none. */
  readonly mentioned: readonly string[];
  readonly candidates: readonly Recipient[];
}

/**
 * The one way in which a thread comes into being: with its first message, the receipts of both, its words in the index and the events of
 * whom it addresses. That the author may start it is known.
 */
export async function startThread(
  {
    tx,
    now,
    newId,
    write,
    record,
    notify,
  }: Writing & { readonly now: string; readonly newId: NewId },
  { id, room, author, follows, request, mentioned, candidates }: Start,
): Promise<Static<typeof ThreadCreated>> {
  const { roomId, roomVisibility, ownerId } = room;
  const visibility = request.visibility ?? roomVisibility;
  const thread = {
    id,
    roomId,
    title: request.title,
    kind: request.kind ?? 'discussion',
    tags: request.tags ?? [],
    visibility,
    authorId: author.id,
    createdAt: now,
  };
  threads.insert(tx, thread);
  if (follows) threads.subscribe(tx, id, author.id, now);
  const hidden = isPrivate({ roomId, roomVisibility, role: null, visibility, deletedAt: null });
  const act = {
    visibility: hidden ? ('private' as const) : ('public' as const),
    actorId: author.id,
    concerns: [ownerId],
  };
  const receiptId = record({
    ...act,
    kind: 'thread.created',
    subject: { type: 'thread', id },
    contentSha256: titleSha256(thread),
  });

  const messageId = newId();
  const bodySha256 = sha256(request.body);
  const message = {
    threadId: id,
    position: 0,
    authorId: author.id,
    body: request.body,
    bodySha256,
    replyToId: null,
    createdAt: now,
  };
  const posted = record({
    ...act,
    kind: 'message.posted',
    subject: { type: 'message', id: messageId },
    contentSha256: bodySha256,
  });
  write(messages.insert, {
    ...message,
    id: messageId,
    mentions: existing(mentioned, candidates),
    receiptId: posted,
  });
  write(search.insertMessages, {
    ...message,
    id: messageId,
    roomId,
    authorHandle: author.handle,
    privateTo: hidden ? roomId : null,
  });
  await search.index(tx, 'thread', [id]);

  const recipients = recipientsOf(candidates, author.id, { private: hidden });
  notify(recipients, { roomId, messageId, actorId: author.id, createdAt: now });
  return { id, messageId, roomId, createdAt: now, receiptId };
}
