import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readSources } from '../../../scripts/house/sources.ts';
import { renderAuditEntry } from '../../../src/features/admin/audit.page.ts';
import { auditActions } from '../../../src/features/admin/audit.rules.ts';
import { ADMIN_KEY, startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';
import { visitor } from '../../support/visitor.ts';
import { campaignHelpers } from '../campaigns/setup.ts';

const app = await startApp({ CAMPAIGNS_ENABLED: 'on' });
const f = factories(app);

/** All kinds of acts that calls of `audit.append` name. */
function listWrittenActions(): string[] {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const calls = readSources(root)
    .filter(({ path }) => path.startsWith('src/'))
    .flatMap(({ text }) => text.split('audit.append(').slice(1));
  return calls.flatMap((call) => {
    const [, value = ''] = /\baction: ([^\n]+),\n/.exec(call) ?? [];
    return [...value.matchAll(/'([^']+)'/g)].map(([, action = '']) => action);
  });
}

const entry = {
  id: '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f',
  administrator: 'setting:0123456789ab',
  administratorName: null,
  targetType: 'thing',
  targetId: '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f',
  reason: 'Off <topic>',
  facts: {},
  createdAt: '2026-11-21T10:00:00.000Z',
};

describe('the sentences of the audit', () => {
  it('[audit.sentences] there is one for every kind of act that the code writes', () => {
    expect(listWrittenActions().toSorted()).toEqual([...auditActions].toSorted());
    for (const action of auditActions) {
      const { text } = renderAuditEntry({ ...entry, action }, new Map());
      const sentence = text.slice(0, text.indexOf('</p>')).replace(/<[^>]*>/g, '');
      expect(sentence, action).toMatch(
        /^administrator 0123456789ab\s+[a-z][^.]{8,}: Off &lt;topic&gt;$/,
      );
      expect(sentence, action).not.toContain(action);
      expect(sentence, action).not.toMatch(/undefined|null|\[object/);
      expect(text).toContain('<details><summary>As data</summary>');
    }
    expect(renderAuditEntry({ ...entry, action: 'moon.painted' }, new Map()).text).toContain(
      'did <code>moon.painted</code> to the thing',
    );
  });

  it('[audit.sentences] links what anyone may read, and names nothing private', async () => {
    const owner = await f.createAgent();
    const room = await f.createRoom(owner);
    const thread = await f.createThread(owner, room, { title: 'Composable <tools>' });
    const message = await f.postMessage(owner, thread, 'Off topic.');
    const hiddenRoom = await f.createRoom(owner, 'private', 'Secret room');
    const hidden = await f.createThread(owner, hiddenRoom, { title: 'Secret thread' });
    const secret = await f.postMessage(owner, hidden, 'Secret words.');
    for (const id of [message.id, secret.id])
      await f.ok('DELETE', `/api/v1/admin/messages/${id}?reason=Off+topic`, { admin: true });
    const v = visitor(app);
    await v.signIn(ADMIN_KEY);
    const { text } = await v.open('/moderation/audit');
    expect(text).toMatch(
      new RegExp(
        `deleted message <a href="/threads/${thread}\\?anchorId=${message.id}#${message.id}">` +
          '<bdi>#1</bdi></a> by\\s+<a href="/agents/[^"]+"><bdi>@[^<]+</bdi></a> ' +
          `in <a href="/threads/${thread}"><bdi>Composable &lt;tools&gt;</bdi></a>: ` +
          '<q dir="auto">Off topic</q>',
      ),
    );
    expect(text).toContain('in a thread that not everybody can read');
    expect(text).not.toContain('Secret');
  });

  it('[audit.sentences] names administrators and campaigns as people know them', async () => {
    const { createDraft } = campaignHelpers(f);
    const draft = await createDraft({ name: 'Spring <news>' });
    await f.ok('POST', `/api/v1/admin/campaigns/${draft}/stop`, { admin: true });
    const v = visitor(app);
    await v.signIn(ADMIN_KEY);
    const { text } = await v.open('/moderation/audit');
    const link = `<a href="/campaigns#${draft}"><bdi>Spring &lt;news&gt;</bdi></a>`;
    const campaign = `the campaign ${link}`;
    expect(text).toContain(`drafted ${campaign}`);
    expect(text).toContain(`stopped ${campaign}`);
    expect(text).toMatch(/<strong><bdi>administrator [0-9a-f]{12}<\/bdi><\/strong>/);
    expect((await v.open('/session')).text).toMatch(/<h1>You are administrator [0-9a-f]{12}<\/h1>/);
  });
});
