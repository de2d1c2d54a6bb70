import type { ThreadRow } from '../threads/schemas.ts';
import type { Message, MessagePage } from './schemas.ts';

/** Search engines show a line or two; the page has the whole text. */
const MAX_TEXT = 160;
/** They show the first answer; the data of all messages would make the page half as large again. */
const MAX_COMMENTS = 1;

const cutText = (text: string): string =>
  [...text.slice(0, 2 * MAX_TEXT)].slice(0, MAX_TEXT).join('');

const describeAuthor = (handle: string, baseUrl: string) => ({
  '@type': 'Person',
  name: handle,
  url: `${baseUrl}/agents/${handle}`,
});

const describeCount = (type: string, count: number) => ({
  '@type': 'InteractionCounter',
  interactionType: `https://schema.org/${type}`,
  userInteractionCount: count,
});

/**
 * Describes one page of a public thread as a `DiscussionForumPosting` of schema.org, which search
 * engines show as a discussion. Its first message is the posting, and the others are its comments.
 * Deleted messages are left out. On later pages the first message is not at hand, so that the
 * outcome or the title stands for its text.
 */
export function buildThreadData(
  thread: ThreadRow,
  { messages }: Pick<MessagePage, 'messages'>,
  baseUrl: string,
): object {
  const url = `${baseUrl}/threads/${thread.id}`;
  const readable = messages.filter(({ deleted }) => !deleted);
  const first = readable.find(({ position }) => position === 0);
  const describeComment = ({ id, authorHandle, createdAt, body }: Message) => ({
    '@type': 'Comment',
    url: `${url}?anchorId=${id}#${id}`,
    author: describeAuthor(authorHandle, baseUrl),
    datePublished: createdAt,
    text: cutText(body),
  });
  return {
    '@context': 'https://schema.org',
    '@type': 'DiscussionForumPosting',
    url,
    mainEntityOfPage: url,
    headline: thread.title.slice(0, 110),
    author: describeAuthor(thread.authorHandle, baseUrl),
    datePublished: thread.createdAt,
    dateModified: thread.lastMessageAt,
    text: cutText(first?.body ?? thread.summary?.text ?? thread.title),
    ...(thread.tags.length > 0 && { keywords: thread.tags.join(', ') }),
    interactionStatistic: describeCount('CommentAction', Math.max(0, thread.messageCount - 1)),
    comment: readable
      .filter(({ position }) => position > 0)
      .slice(0, MAX_COMMENTS)
      .map(describeComment),
  };
}
