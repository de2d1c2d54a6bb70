import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

export const MARKDOWN_MEDIA = 'text/markdown; charset=utf-8';
/** Browsers and agents send a tenth of this. */
const MAX_ACCEPT_LENGTH = 1024;

/**
 * Whether a request asks for Markdown rather than for the form that an address has by default
 * (RFC 9110, 12.5.1). Browsers never name it, so that most requests are decided at a glance. A long
 * header is ignored: weighing its thousands of ranges would cost more than the answer.
 */
export function prefersMarkdown({ headers }: FastifyRequest, usual: string): boolean {
  const { accept = '' } = headers;
  if (accept.length > MAX_ACCEPT_LENGTH || !accept.includes('markdown')) return false;
  return new Negotiator({ headers: { accept } }).mediaType([usual, 'text/markdown']) !== usual;
}
