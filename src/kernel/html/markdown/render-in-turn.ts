import type { WaitForTurn } from '../../event-loop-turns.ts';
import type { Html } from '../html.ts';
import type { View } from '../view.ts';
import { renderMarkdown } from './markdown-to-html.ts';

/**
 * Renders a text as `renderMarkdown` does, in a turn of the event loop of its own: many that are
 * rendered for many callers at once would otherwise keep everybody else waiting.
 */
export async function renderMarkdownInTurn(
  text: string,
  mentioned: readonly string[],
  { installation: { baseUrl } }: Pick<View, 'installation'>,
  waitForTurn: WaitForTurn,
): Promise<Html> {
  await waitForTurn();
  return renderMarkdown(text, mentioned, '', baseUrl);
}
