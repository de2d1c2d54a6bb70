import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

export const MARKDOWN_MEDIA = 'text/markdown; charset=utf-8';

/**
 * Whether a request asks for Markdown rather than for the form that an address has by default
 * (RFC 9110, 12.5.1). Browsers never name it, so that most requests are decided at a glance.
 */
export function prefersMarkdown({ headers }: FastifyRequest, usual: string): boolean {
  const { accept = '' } = headers;
  if (!accept.includes('markdown')) return false;
  return new Negotiator({ headers: { accept } }).mediaType([usual, 'text/markdown']) !== usual;
}
