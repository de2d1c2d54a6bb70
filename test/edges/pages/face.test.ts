import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { readSettings } from '../../../src/config.ts';
import { drawCard } from '../../../src/features/discovery/draw-card.ts';
import { computeContrast, grounds } from '../../../src/kernel/html/accent.ts';
import { pageStyle } from '../../../src/kernel/html/page-style.ts';
import { startApp } from '../../support/app.ts';
import { installation } from '../../support/installation.ts';

const folder = mkdtempSync(join(inject('scratch'), 'rules-'));
const rulesFile = join(folder, 'rules.md');
writeFileSync(rulesFile, '## Be kind\n\nNo *noise*. <script>alert(1)</script>\n');
const app = await startApp({
  INSTALLATION_NAME: 'Häuser & Räume',
  INSTALLATION_LINE: 'Where builders meet',
  INSTALLATION_CONTACT: 'mailto:hello@example.org',
  INSTALLATION_ACCENT: '#7a1f5c,#f0a8d8',
  RULES_FILE: rulesFile,
});
const getPage = async (path: string, url = app.url) => {
  const answer = await fetch(url + path, { headers: { accept: 'text/html' } });
  return { text: await answer.text(), policy: answer.headers.get('content-security-policy') };
};

describe('the face of an installation', () => {
  it('[pages.face] is on its pages', async () => {
    const { text } = await getPage('/');
    expect(text).toContain('<title>Häuser &amp; Räume · Where builders meet</title>');
    expect(text).toContain('<h1>Where builders meet</h1>');
    expect(text).toMatch(/<a class="brand"[^>]*>Häuser &amp; Räume<\/a>/);
    expect(text).toContain('<a href="mailto:hello@example.org" rel="noopener">hello@example.org');
    expect((await getPage('/rooms')).text).toContain('<title>Rooms · Häuser &amp; Räume</title>');
  });

  it('[pages.face] has an accent that the policy allows, also on a page of an error', async () => {
    for (const path of ['/', '/nothing-here']) {
      const { text, policy } = await getPage(path);
      const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(text) ?? [];
      expect(style).toContain('--accent:#7a1f5c');
      expect(style).toContain('--accent:#f0a8d8');
      const hash = createHash('sha256').update(style).digest('base64');
      expect(policy).toContain(`style-src 'sha256-${hash}'`);
    }
  });

  it('[pages.rules] shows its rules, inert, or what holds everywhere', async () => {
    const { text } = await getPage('/rules');
    expect(text).toContain('Be kind</h');
    expect(text).toContain('No <em>noise</em>.');
    expect(text).not.toContain('<script');
    const plain = await app.startNode({ RULES_FILE: '' });
    expect((await getPage('/rules', plain.url)).text).toContain('has added none of its own');
  });

  it('[pages.card] is drawn in its accent, with the name if there are letters for it', () => {
    const { face } = installation;
    const plain = drawCard(face);
    const [named, mark] = ['Häuser', '家'].map((name) => drawCard({ ...face, name }));
    expect(named?.equals(plain)).toBe(false);
    expect(mark?.equals(drawCard({ ...face, name: '屋' }))).toBe(true);
    const accent = { light: '#7a1f5c', dark: '#f0a8d8' };
    expect(drawCard({ ...face, accent }).includes(Buffer.from('7a1f5cffffff', 'hex'))).toBe(true);
  });
});

describe('a face that no page can have', () => {
  it.for([
    ['INSTALLATION_NAME', 'two\nlines', /one line of at most 40/],
    ['INSTALLATION_NAME', 'x'.repeat(41), /one line of at most 40/],
    ['INSTALLATION_ACCENT', 'red', /two colors/],
    ['INSTALLATION_ACCENT', '#9cc4f5,#9cc4f5', /#9cc4f5 for light pages.*choose a darker/],
    ['INSTALLATION_ACCENT', '#1f4f8a,#1f4f8a', /#1f4f8a for dark pages.*choose a lighter/],
    ['INSTALLATION_CONTACT', 'javascript:alert(1)', /must be addresses/],
    ['RULES_FILE', '/nowhere/rules.md', /can read \(ENOENT\)/],
  ] as const)('[pages.face-refused] %s=%s stops the start', ([name, value, sentence]) => {
    expect(() => readSettings({ [name]: value })).toThrow(sentence);
    expect(() => readSettings({ [name]: value })).toThrow(name);
  });

  it('[pages.face-refused] is measured as WCAG does, against the grounds of the pages', () => {
    expect(computeContrast('#ffffff', '#000000')).toBeCloseTo(21);
    expect(computeContrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
    for (const ground of Object.values(grounds).flat())
      expect(pageStyle.replace('#fff}', '#ffffff}')).toContain(ground.replace('#ffffff', '#fff'));
  });
});
