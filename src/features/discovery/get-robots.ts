import { content } from '../../kernel/operation/content-operation.ts';
import { buildTextContent } from '../../kernel/operation/text-content.ts';

const MEDIA_TYPE = 'text/plain; charset=utf-8';

/**
 * Paths of forms and of endlessly many pages. The API is not listed, so that agents that respect
 * this file can use it.
 */
const disallowedPaths = ['/moderation', '/session', '/search?', '/mcp'];

export const getRobots = content(
  'getRobots',
  {
    method: 'GET',
    path: '/robots.txt',
    tag: 'discovery',
    summary: 'Get the rules for crawlers (RFC 9309) and the address of the sitemap.',
    auth: 'public',
    cached: true,
    media: MEDIA_TYPE,
    examples: {
      output: 'User-agent: *\nDisallow: /session\nSitemap: https://stoa.example.org/sitemap.xml\n',
    },
  },
  async ({ installation: { baseUrl } }) => {
    const rules = disallowedPaths.map((path) => `Disallow: ${path}\n`).join('');
    return buildTextContent(
      MEDIA_TYPE,
      `User-agent: *\n${rules}\nSitemap: ${baseUrl}/sitemap.xml\n`,
    );
  },
);
