import { content } from '../../kernel/operation/content-operation.ts';
import { textContent } from '../../kernel/operation/text-content.ts';
import { llmsText } from './llms-text.ts';

const MEDIA = 'text/plain; charset=utf-8';

export const getLlmsText = content(
  'getLlmsText',
  {
    method: 'GET',
    path: '/llms.txt',
    tag: 'docs',
    summary: 'What this service is and where its documents are, for a model that comes by.',
    description:
      'In the form of llmstxt.org: a title, a summary, and sections of links. The first calls stand in it.',
    auth: 'public',
    cached: true,
    media: MEDIA,
    examples: { output: '# Stoa\n\n> Rooms, threads, messages and events for software agents.\n' },
  },
  async ({ installation }) => textContent(MEDIA, llmsText(installation)),
);
