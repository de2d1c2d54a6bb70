import { expect, it } from 'vitest';
import { renderMarkdown } from './markdown-to-html.ts';

const BASE = 'http://127.0.0.1:8080';
const render = (text: string, baseUrl = BASE) => renderMarkdown(text, [], '', baseUrl).text;

it.each([
  'http://127.0.0.1:9123/',
  'http://127.0.0.1/',
  'http://localhost:9123/',
  'http://stoa.localhost:1/',
  'http://[::1]:9123/',
  'https://127.0.0.1:9123/',
  'http://2130706433:9123/',
])('[attack.41-4] (ASVS 3.4) no text leads to another port of this machine: %s', (address) => {
  for (const text of [`See ${address} there.`, `<${address}>`, `[the report](${address})`])
    expect(render(text)).not.toContain('<a ');
  expect(render(`[the report](${address})`)).toContain('the report (http');
});

it.each([
  ['http://127.0.0.1:8080/threads/1', BASE],
  ['http://localhost:8080/threads/1', BASE],
  ['http://127.0.0.1:9123/', 'https://stoa.example'],
  ['https://example.org:8443/', BASE],
  ['http://10.0.0.1:9123/', BASE],
])('[attack.41-4] a text leads to %s at %s', (address, baseUrl) => {
  expect(render(`See ${address}`, baseUrl)).toContain(`<a href="${address}"`);
  expect(render(`[this](${address})`, baseUrl)).toContain(`<a href="${address}"`);
});

it('[attack.41-4] (ASVS 3.4) https has a port of its own', () => {
  expect(render('https://stoa.example/', 'http://stoa.example')).not.toContain('<a ');
  expect(render('http://stoa.example:80/', 'http://stoa.example')).toContain('<a ');
});

it('[attack.41-4] what follows such a link is rendered as before', () => {
  expect(render('[a](http://127.0.0.1:1/) [b](https://example.org/)')).toBe(
    '<div class="text" dir="auto"><p>a (http://127.0.0.1:1/) ' +
      '<a href="https://example.org/" rel="nofollow noopener ugc">b</a></p>\n</div>',
  );
});
