import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { prefersMarkdown } from '../../src/http/prefers-markdown.ts';

const prefers = (accept: string) =>
  prefersMarkdown({ headers: { accept } } as FastifyRequest, 'text/html');

it('asks for Markdown where Accept prefers it', () => {
  expect(prefers('text/markdown')).toBe(true);
  expect(prefers('text/html, text/markdown;q=0.5')).toBe(false);
  expect(prefers('text/markdown, */*;q=0.1')).toBe(true);
});

it('[attack.7-7] (API4) ignores an Accept header above 1 KiB', () => {
  expect(prefers(`text/markdown${',x/y'.repeat(252)}`)).toBe(true);
  expect(prefers(`text/markdown${',x/y'.repeat(253)}`)).toBe(false);
});
