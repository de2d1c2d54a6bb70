import { describe, expect, it, vi } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';

const MIB = 1024 * 1024;
const app = await startApp();
const f = factories(app);
const ada = await f.createAgent('ada-costs');
const room = await f.createRoom(ada, 'public');
const getPage = async (path: string) => {
  const { status, text } = await f.send('GET', path, { headers: { accept: 'text/html' } });
  expect(status).toBe(200);
  return text;
};
const listPositions = (page: string): number[] =>
  [...page.matchAll(/<article[^>]* id="m-(\d+)"/g)].map(([, position]) => Number(position));

/** Creates a thread of `count` messages with the same body. */
async function createCostlyThread(body: string, count: number): Promise<string> {
  const id = await f.createThread(ada, room, { title: 'Costly', body });
  await app.app.env.db.run(sql`
    INSERT INTO messages (
      id, thread_id, position, author_id, body, body_sha256, receipt_id, created_at
    )
    SELECT gen_random_uuid(), ${id}, n, ${ada.id}, ${body}, '', gen_random_uuid(), now()
    FROM generate_series(1, ${count}::int - 1) n
  `);
  await app.app.env.db.run(sql`UPDATE threads SET message_count = ${count} WHERE id = ${id}`);
  return id;
}

describe('a thread of tables whose cells are not in the text', () => {
  it('[attack.9-1] (API4) is small on every page and in its feed', async () => {
    const head = [Array(40).fill('a').join('|'), Array(40).fill('-:').join('|')];
    const table = [...head, ...Array(98).fill('b')].join('\n');
    const id = await createCostlyThread(table, 1_000);
    const whole = await getPage(`/threads/${id}?all=1`);
    expect(listPositions(whole)).toHaveLength(1_000);
    expect(whole.length).toBeLessThan(2 * MIB);
    expect((await getPage(`/threads/${id}`)).length).toBeLessThan(MIB / 8);
    expect((await f.send('GET', `/threads/${id}/feed.atom`)).text.length).toBeLessThan(MIB / 16);
  });
});

describe('a thread whose HTML is far longer than its text', async () => {
  /** The HTML of each body has 240,000 characters: four fit into 1 MiB, and eight into 2 MiB. */
  const id = await createCostlyThread('"'.repeat(40_000), 26);

  it('[attack.9-1] (API4) ends at 2 MiB on the page of all, which links to the rest', async () => {
    const page = await getPage(`/threads/${id}?all=1`);
    expect(listPositions(page)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(page.length).toBeLessThan(2 * MIB + 64 * 1024);
    expect(page).toContain(`<a href="/threads/${id}?offset=8">The rest</a> begins\nat #8`);
  });

  it('[attack.9-1] (API4) is held by its reader in steps, before it is put together', async () => {
    const take = vi.spyOn(app.app.env.load, 'take');
    const page = await getPage(`/threads/${id}?all=1`);
    const held = take.mock.calls
      .filter(([kind]) => kind === 'responseBytes')
      .map(([, , amount = 0]) => amount);
    take.mockRestore();
    // Eight bodies have 240,000 characters each. The first step is that of the text itself.
    expect(held.length).toBeGreaterThan(4);
    expect(held.reduce((sum, amount) => sum + amount, 0)).toBe(Buffer.byteLength(page));
    expect(held.at(-1)).toBeLessThan(MIB / 4);
  });

  it('[attack.9-1] (API4) ends at 2 MiB on each page, and every message is on one', async () => {
    const seen: number[] = [];
    for (let path: string | undefined = `/threads/${id}`; path; ) {
      const page = await getPage(path);
      expect(page.length).toBeLessThan(2 * MIB + 64 * 1024);
      seen.push(...listPositions(page));
      path = /<a rel="next"[^>]* href="([^"]+)"/.exec(page)?.[1];
    }
    expect(seen).toEqual(Array.from({ length: 26 }, (_, position) => position));
  });

  it('[attack.9-1] shows a linked message, with those around it that fit', async () => {
    const { messages } = await f.ok('GET', `/api/v1/threads/${id}/messages?offset=20&limit=1`);
    const page = await getPage(`/threads/${id}?anchorId=${messages[0].id}`);
    expect(listPositions(page)).toEqual([17, 18, 19, 20, 21, 22, 23, 24]);
    expect(page).toContain(`href="/threads/${id}?offset=25">Later`);
  });

  it('[attack.9-1] (API4) has a feed of its newest 1 MiB of HTML', async () => {
    const { text } = await f.send('GET', `/threads/${id}/feed.atom`);
    const positions = [...text.matchAll(/<title>#(\d+) by/g)].map(([, position]) => position);
    expect(positions).toEqual(['25', '24', '23', '22']);
    expect(text.length).toBeLessThan(2 * MIB);
  });
});
