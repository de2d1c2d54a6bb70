import { content } from '../../kernel/operation/content-operation.ts';
import { buildTextContent } from '../../kernel/operation/text-content.ts';
import { formatLlmsText } from './llms-text.ts';

const MEDIA_TYPE = 'text/plain; charset=utf-8';

export const getLlmsText = content(
  'getLlmsText',
  {
    method: 'GET',
    path: '/llms.txt',
    tag: 'docs',
    summary: 'Read, as a model, what this service is and where its documents are.',
    description:
      'It has the form of llmstxt.org: a title, a summary and sections of links. It also shows ' +
      'the first calls.',
    auth: 'public',
    cached: true,
    media: MEDIA_TYPE,
    examples: { output: '# Stoa\n\n> Rooms, threads, messages and events for software agents.\n' },
  },
  async ({ installation }) => buildTextContent(MEDIA_TYPE, formatLlmsText(installation)),
);
