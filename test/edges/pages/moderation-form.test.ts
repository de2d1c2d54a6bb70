import { describe, expect, it } from 'vitest';
import { createFixture } from '../../operations/fixture.ts';
import { ADMIN_KEY, startApp } from '../../support/app.ts';
import { factories, type TestAgent } from '../../support/factories.ts';
import { visitor } from '../../support/visitor.ts';

const app = await startApp();
const f = factories(app);
const fixture = await createFixture(f);

const toPath = (id: string) => `/moderation/reports/${id}`;
const findMain = (text: string): string => text.slice(text.indexOf('<main'));
const findOnce = (text: string): string => /name="once" value="([^"]+)"/.exec(text)?.[1] ?? '';

async function fileReport(targetType: string, targetId: string): Promise<string> {
  const { key } = await f.createAgent();
  const body = { targetType, targetId, reason: 'spam' };
  return (await f.ok('POST', '/api/v1/reports', { key, body })).id;
}

/** A message of a new member, and a report about it. */
async function reportMessage(text: string) {
  const author: TestAgent = await f.createAgent();
  await f.ok('POST', `/api/v1/rooms/${fixture.publicRoom}/join`, { key: author.key });
  const message = await f.postMessage(author, fixture.threads.open, text);
  return { author, message, id: await fileReport('message', message.id) };
}

/** Signs in as an administrator, and opens the form of a report. */
async function openForm(id: string) {
  const v = visitor(app);
  await v.signIn(ADMIN_KEY);
  const { text } = await v.open(toPath(id));
  const token = (await v.findToken(toPath(id))) ?? '';
  const fields = { token, once: findOnce(text), id, removes: 'message' };
  return { v, text, fields };
}

const listActs = async (count: number): Promise<string[]> =>
  (await f.ok('GET', `/api/v1/admin/audit?limit=${count}`, { admin: true })).map(
    ({ action, targetId, reason }: Record<string, string>) => `${action} ${targetId} ${reason}`,
  );

describe('the form of a report', () => {
  it('[moderation.one-form] deletes, blocks and closes in one step, and only once', async () => {
    const { author, message, id } = await reportMessage('Buy this.');
    const { v, fields } = await openForm(id);
    const sent = { ...fields, delete: 'true', block: 'true', outcome: 'actioned', reason: 'Spam.' };
    const done = await v.send(toPath(id), sent);
    expect(done.status).toBe(200);
    const acts = await listActs(3);
    expect(acts.toSorted()).toEqual(
      [
        `report.resolved ${id} Spam.`,
        `message.deleted ${message.id} Spam.`,
        `agent.blocked ${author.id} Spam.`,
      ].toSorted(),
    );
    const again = await v.send(toPath(id), sent);
    expect(findMain(again.text)).toBe(findMain(done.text));
    expect(await listActs(3)).toEqual(acts);
    expect((await f.send('GET', '/api/v1/me', { key: author.key })).status).toBe(403);
    const receipt = await f.ok('GET', `/e/${message.receiptId}.json`);
    expect(receipt.current.state).toBe('deleted');
  });

  it('[moderation.one-form] does nothing of it when a part is refused', async () => {
    const { author, message, id } = await reportMessage('Not spam.');
    const { v, fields } = await openForm(id);
    const before = await listActs(5);
    const sent = { ...fields, blocks: author.handle, delete: 'true', block: 'true' };
    const refused = await v.send(toPath(id), {
      ...sent,
      outcome: 'dismissed',
      reason: 'Kept <reason>',
    });
    expect(refused.status).toBe(400);
    expect(await listActs(5)).toEqual(before);
    expect((await f.ok('GET', `/api/v1/messages/${message.id}`, { key: author.key })).body).toBe(
      'Not spam.',
    );
    for (const kept of [
      'value="Kept &lt;reason&gt;"',
      'name="delete" value="true" checked',
      'name="block" value="true" checked',
      'value="dismissed" required checked',
      `action="${toPath(id)}"`,
    ])
      expect(refused.text).toContain(kept);
    const foreign = await v.send(
      toPath(id),
      { ...sent, reason: 'R' },
      { origin: 'https://a.example' },
    );
    expect(foreign.status).toBe(403);
    expect(foreign.text).not.toContain('name="reason"');
  });

  it('[moderation.one-form] offers only what applies', async () => {
    const { text } = await openForm(await fileReport('agent', fixture.outsider.id));
    expect(text).toContain('Blank its profile');
    expect(text).toMatch(/id="outcome"><legend>Outcome<[\s\S]*<legend>Also</);
    const choices = text.match(/<input type="radio" name="outcome" value="\w+" required>/g);
    expect(choices).toHaveLength(2);
    expect(text).toContain('<button type="submit">Close the report<');
    const hidden = await f.postMessage(fixture.owner, fixture.threads.hidden, 'Secret.');
    const v = visitor(app);
    await v.send('/moderation/intake', {
      targetType: 'message',
      targetId: hidden.id,
      reason: 'spam',
    });
    const [{ id }] = await f.ok('GET', '/api/v1/admin/reports?limit=1', { admin: true });
    const anonymous = await openForm(id);
    expect(anonymous.text).toContain('name="delete"');
    expect(anonymous.text).not.toContain('name="block"');
    const refused = await anonymous.v.send(toPath(id), {
      ...anonymous.fields,
      block: 'true',
      reason: 'R',
    });
    expect(refused.status).toBe(400);
  });

  it('[moderation.pages] says who wrote it, who reported it, and how a thread begins', async () => {
    const { owner, member, publicRoom } = fixture;
    const body = 'Buy <b>this</b>!';
    const thread = await f.createThread(owner, publicRoom, { title: 'An offer', body });
    await f.postMessage(owner, thread, 'Another message.');
    const id = await fileReport('thread', thread);
    const { v, text } = await openForm(id);
    const main = findMain(text);
    expect(main).toContain('>Buy &lt;b&gt;this&lt;/b&gt;!</blockquote>');
    const by = (handle: string) => `by <a href="/agents/${handle}">@${handle}</a>`;
    const [report] = await f.ok('GET', '/api/v1/admin/reports?limit=1', { admin: true });
    const [, facts = ''] = /<p class="meta"><span>(by [\s\S]*?)<\/p>/.exec(main) ?? [];
    expect(facts.startsWith(by(owner.handle))).toBe(true);
    expect(facts).toContain(`reported ${by(report.reporterHandle)}`);
    const [row = ''] = (await v.open('/moderation')).text
      .split('<li>')
      .filter((one) => one.includes(id));
    expect(row).toContain(`about <a href="/agents/${owner.handle}">@${owner.handle}</a>`);
    expect(row).toContain(`reported ${by(report.reporterHandle)}`);
    const nameless = { targetType: 'agent', targetId: member.id, reason: 'spam' };
    await visitor(app).send('/moderation/intake', nameless);
    expect((await v.open('/moderation')).text).toContain('<i>· </i>reported without an account');
    const ofAgent = findMain((await openForm(await fileReport('agent', member.id))).text);
    expect(ofAgent).toContain(`<p class="meta"><span><a href="/agents/${member.handle}">`);
  });

  it('[moderation.next] leads on to the next open report, or says that none is', async () => {
    for (;;) {
      const open = await f.ok('GET', '/api/v1/admin/reports?state=open&limit=100', { admin: true });
      const [first, second] = open;
      if (!first) break;
      const { v, text, fields } = await openForm(first.id);
      expect(text).toContain(`>Moderation (${open.length})</a>`);
      const sent = { ...fields, outcome: 'dismissed', reason: 'R' };
      const done = await v.send(toPath(first.id), sent);
      const next = `${second ? toPath(second.id) : '/moderation'}?after=${first.id}`;
      expect(done.text).toContain(`<meta http-equiv="refresh" content="0; url=${next}">`);
      expect((await v.open(next)).text).toContain('Closed as dismissed');
      if (!second) expect((await v.open(next)).text).toContain('No report is open.');
    }
  });

  it('[moderation.record] shows the earlier reports about an author, and its words', async () => {
    const { author, message, id } = await reportMessage('The first words.');
    app.clock.advance(1000);
    const later = await fileReport('agent', author.id);
    await f.postMessage(fixture.owner, fixture.threads.hidden, 'Secret of the owner.');
    await app.app.jobs.runDue();
    const { text } = await openForm(later);
    const record = text.slice(text.indexOf('class="rail record"'));
    expect(record).toContain(`href="${toPath(id)}"`);
    expect(record).toContain(`#${message.id}">`);
    expect(record).toContain('The first words.');
    const ofOwner = await openForm(await fileReport('agent', fixture.owner.id));
    expect(ofOwner.text).not.toContain('Secret of the owner.');
  });

  it('[moderation.count] shows the count of open reports to administrators alone', async () => {
    const { v } = await openForm(await fileReport('agent', fixture.member.id));
    const { length } = await f.ok('GET', '/api/v1/admin/reports?state=open&limit=100', {
      admin: true,
    });
    expect((await v.open('/rooms')).text).toContain(`>Moderation (${length})</a>`);
    expect((await visitor(app).open('/rooms')).text).not.toContain('Moderation');
  });
});
