import { isPrivate, type Visibility } from '../../kernel/access.ts';
import { sha256 } from '../../kernel/crypto/credentials.ts';
import type { NewId } from '../../kernel/ids.ts';
import type { WriteContext } from '../../kernel/operation/spec.ts';
import type { Static } from '../../kernel/schema/schema.ts';
import { filterExistingHandles } from '../messages/rules.ts';
import * as messages from '../messages/store.ts';
import { openRequest } from '../requests/open-request.ts';
import * as search from '../search/store.ts';
import { type Announcement, announceThread } from './announce-thread.ts';
import { hashTitle } from './rules.ts';
import type { ThreadCreated, ThreadRequest } from './schemas.ts';
import * as threads from './store.ts';
import * as subscriptions from './subscriptions.store.ts';

/** A thread to start. */
interface ThreadStart
  extends Pick<Announcement, 'author' | 'mentioned' | 'candidates' | 'isDeferred'> {
  readonly id: string;
  readonly room: {
    readonly roomId: string;
    readonly roomVisibility: Visibility;
    readonly ownerId: string;
  };
  /** Whether the author receives events for later messages. */
  readonly follows: boolean;
  readonly request: Static<typeof ThreadRequest>;
}

/**
 * Starts a thread with its first message, the receipts of both, the words of both in the search
 * index and the events for agents that the message mentions and for followers of the room. All
 * threads are started here. Callers have checked that the author may start it.
 */
export async function startThread(
  {
    tx,
    now,
    newId,
    via,
    write,
    record,
    notify,
    notifyLater,
    wake,
  }: WriteContext & { readonly now: string; readonly newId: NewId; readonly via?: 'page' },
  { id, room, author, follows, request, mentioned, candidates, isDeferred }: ThreadStart,
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
  const words = await search.splitMessage(request.body);
  threads.insert(tx, thread);
  if (follows) subscriptions.subscribe(tx, id, author.id, now);
  const isPrivateThread = isPrivate({ ...room, role: null, visibility, deletedAt: null });
  const receiptBase = {
    visibility: isPrivateThread ? ('private' as const) : ('public' as const),
    actorId: author.id,
    concernedAgentIds: [ownerId],
  };
  const receiptId = record({
    ...receiptBase,
    kind: 'thread.created',
    subject: { type: 'thread', id },
    contentSha256: hashTitle(thread),
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
    isRequest: request.request ?? false,
    via: via ?? null,
    createdAt: now,
  };
  const messageReceiptId = record({
    ...receiptBase,
    kind: 'message.posted',
    subject: { type: 'message', id: messageId },
    contentSha256: bodySha256,
  });
  write(messages.insert, {
    ...message,
    id: messageId,
    mentions: filterExistingHandles(mentioned, candidates),
    receiptId: messageReceiptId,
  });
  write(search.insertMessages, {
    ...message,
    words,
    id: messageId,
    roomId,
    authorHandle: author.handle,
    privateTo: isPrivateThread ? roomId : null,
  });
  openRequest(
    { write, wake },
    { ...message, messageId, roomId, tags: thread.tags, isPublic: !isPrivateThread },
  );
  await search.index(tx, 'thread', [id]);

  const reached = await announceThread(
    { tx, now, write, notify, notifyLater, wake },
    {
      id,
      messageId,
      roomId,
      author,
      isPrivate: isPrivateThread,
      mentioned,
      candidates,
      isDeferred,
    },
  );
  return { id, messageId, roomId, createdAt: now, receiptId, ...reached };
}
