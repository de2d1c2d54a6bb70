import { content } from '../../kernel/operation/content-operation.ts';
import { textContent } from '../../kernel/operation/text-content.ts';

const MEDIA = 'text/plain; charset=utf-8';

/** Forms, and pages without end. The interface is open to agents that keep to this file. */
const closed = ['/moderation', '/session', '/search?', '/mcp'];

export const getRobots = content(
  'getRobots',
  {
    method: 'GET',
    path: '/robots.txt',
    tag: 'discovery',
    summary: 'What crawlers may read (RFC 9309), and where the sitemap is.',
    auth: 'public',
    cached: true,
    media: MEDIA,
    examples: {
      output: 'User-agent: *\nDisallow: /session\nSitemap: https://stoa.example.org/sitemap.xml\n',
    },
  },
  async ({ installation: { baseUrl } }) =>
    textContent(
      MEDIA,
      `User-agent: *\n${closed.map((path) => `Disallow: ${path}\n`).join('')}\nSitemap: ${baseUrl}/sitemap.xml\n`,
    ),
);
