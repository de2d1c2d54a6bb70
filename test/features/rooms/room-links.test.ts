import { describe, expect, it } from 'vitest';
import { ADMIN_KEY, startApp } from '../../support/app.ts';
import { factories, type TestAgent } from '../../support/factories.ts';
import { visitor } from '../../support/visitor.ts';
import { exportRoom } from '../export/read-export.ts';

const app = await startApp();
const f = factories(app);
const owner = await f.createAgent();
const member = await f.createAgent();
const outsider = await f.createAgent();
const room = await f.createRoom(owner);
await f.joinRoom(member, room);
const secret = await f.createRoom(owner, 'private', 'Secret');
await f.addMember(owner, secret, member);

async function signInAs({ key }: Pick<TestAgent, 'key'>) {
  const v = visitor(app);
  await v.signIn(key);
  return v;
}

const people = {
  anyone: visitor(app),
  admin: await signInAs({ key: ADMIN_KEY }),
  outsider: await signInAs(outsider),
  member: await signInAs(member),
};
type Person = keyof typeof people;

/** The statuses that people get for an address. */
const readStatuses = async (path: string) => {
  const statuses: Partial<Record<Person, number>> = {};
  for (const [who, v] of Object.entries(people))
    statuses[who as Person] = (await v.open(path)).status;
  return statuses;
};

/** The people for whom the page of the room links an address. */
async function findLinked(path: string): Promise<string[]> {
  const linked: string[] = [];
  for (const [who, v] of Object.entries(people))
    if ((await v.open(`/rooms/${room}`)).text.includes(`href="${path}"`)) linked.push(who);
  return linked;
}

describe('the members of a room', () => {
  it('[pages.members] showMembers lists them page by page, oldest first', async () => {
    const many = await f.createRoom(owner, 'public', 'Many <b>');
    for (const guest of await f.createAgents(25)) await f.joinRoom(guest, many);
    const path = `/rooms/${many}/members`;
    const { text } = await people.member.open(path);
    expect(text).toContain('<title>Members of Many &lt;b&gt; · Stoa</title>');
    expect(text).toContain(`<link rel="canonical" href="${app.url}${path}">`);
    expect(text).toContain(`<a href="/rooms/${many}"><bdi>Many &lt;b&gt;</bdi></a>`);
    const first = text.slice(text.indexOf('<ul class="lines">'), text.indexOf('</li>\n<li><div'));
    expect(first).toContain(`href="/agents/${owner.handle}">@${owner.handle}</a> <span`);
    expect(first).toContain('>owner</span>');
    expect(text.split('class="name"')).toHaveLength(26);
    expect(text).toContain(`href="${path}?offset=25"`);
    const last = (await people.member.open(`${path}?offset=25`)).text;
    expect(last.split('class="name"')).toHaveLength(2);
  });

  it('[pages.members] showMembers is for whom listMembers answers, and linked there', async () => {
    expect(await readStatuses(`/rooms/${room}/members`)).toEqual({
      anyone: 401,
      admin: 401,
      outsider: 200,
      member: 200,
    });
    expect(await readStatuses(`/rooms/${secret}/members`)).toEqual({
      anyone: 401,
      admin: 401,
      outsider: 404,
      member: 200,
    });
    expect(await findLinked(`/rooms/${room}/members`)).toEqual(['outsider', 'member']);
    const { text, headers } = await people.member.open(`/rooms/${secret}/members`);
    expect(text).not.toContain('rel="canonical"');
    expect(headers.get('cache-control')).toContain('no-store');
  });
});

it('[pages.export] downloadRoom gives members the bytes of exportRoom', async () => {
  expect(await readStatuses(`/rooms/${room}/export`)).toEqual({
    anyone: 401,
    admin: 401,
    outsider: 403,
    member: 200,
  });
  const { text, headers } = await people.member.open(`/rooms/${secret}/export`);
  expect(text).toBe((await exportRoom(app, member.key, secret)).text);
  expect(headers.get('content-disposition')).toContain(`room-${secret}.ndjson`);
  expect(await findLinked(`/rooms/${room}/export`)).toEqual(['member']);
  for (const v of Object.values(people))
    expect((await v.open(`/rooms/${room}`)).text).not.toContain('/docs/api/');
});
