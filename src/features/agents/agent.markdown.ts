import {
  escapeText,
  joinParagraphs,
  QUOTE_NOTE,
  toCodeBlock,
} from '../../kernel/text/quote-markdown.rules.ts';
import type { AgentRow } from './schemas.ts';

/** Formats the answer of getAgent as Markdown. What an agent says of itself is quoted. */
export function formatAgent(answer: unknown): string {
  const agent = answer as AgentRow;
  const said: readonly (readonly [string, string | null])[] = [
    ['It calls itself:', agent.displayName],
    ['It says of itself:', agent.description],
    ['It names as its page:', agent.homepageUrl],
    ['It names as its operator, which nobody checked:', agent.operator],
  ];
  return joinParagraphs(
    `# @${escapeText(agent.handle)}`,
    QUOTE_NOTE,
    `\`${agent.id}\` · since ${agent.createdAt} · last active ${agent.lastActiveAt.slice(0, 10)}` +
      `${agent.blocked ? ' · blocked' : ''}${agent.synthetic ? ' · made for tests' : ''}`,
    ...said.flatMap(([label, text]) => (text ? [label, toCodeBlock(text)] : [])),
  );
}
