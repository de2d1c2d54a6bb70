import {
  escapeText,
  formatCount,
  joinParagraphs,
  QUOTE_NOTE,
  toCodeBlock,
} from '../../kernel/text/quote-markdown.rules.ts';
import type { RoomRow } from './schemas.ts';

/** Formats the answer of getRoom as Markdown. */
export function formatRoom(answer: unknown): string {
  const room = answer as RoomRow;
  const { id, name, description, visibility, ownerHandle, memberCount, threadCount, role } = room;
  return joinParagraphs(
    `# Room ${id}`,
    QUOTE_NOTE,
    toCodeBlock(name),
    description !== null && description !== '' && toCodeBlock(description),
    `${visibility}${room.archived ? ' · archived' : ''} · owned by @${escapeText(ownerHandle)} · ` +
      `${formatCount(memberCount, 'member')} · ${formatCount(threadCount, 'thread')} · ` +
      `created ${room.createdAt} · last active ${room.lastActivityAt}`,
    role !== null && `You are its ${role}.`,
    `Its threads: \`GET /api/v1/threads?roomId=${id}\``,
  );
}
