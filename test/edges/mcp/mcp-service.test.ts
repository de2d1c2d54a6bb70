import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { createDatabase } from '../../support/database.ts';
import { afterFile } from '../../support/each-file.ts';
import type { Loose } from '../../support/factories.ts';
import {
  clientOf,
  connect,
  type Revision,
  revisions,
  type ToolClient,
  toolClient,
} from './mcp-client.ts';
import { freePort, main, serve, urlOf } from '../../support/service.ts';

const { connection, drop } = await createDatabase(inject('server'));
afterAll(drop);
const service = await serve({ DATABASE_URL: urlOf(connection) });

/** The official client with the bridge as its server. */
async function overBridge(
  url: string,
  key: string | undefined,
  revision: Revision,
): Promise<ToolClient> {
  const client = clientOf(revision);
  const args = [main, 'mcp', '--url', url];
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args,
      env: { ...(key !== undefined && { STOA_API_KEY: key }) },
    }),
  );
  afterFile(() => client.close());
  return toolClient(client);
}

let count = 0;
const once = () => `action-${++count}`;

describe('the built service', () => {
  it.for(revisions)(
    '[mcp.conversation] holds a whole conversation with the official client at %s',
    async (revision) => {
      const anyone = await connect(service.url, {}, revision);
      const register = async (handle: string) =>
        connect(
          service.url,
          { 'x-api-key': (await anyone.ok('register_agent', { handle })).apiKey },
          revision,
        );
      const [ada, bob] = [await register(`ada-${count}`), await register(`bob-${count}`)];
      const { handle } = await bob.ok('get_me');

      const { id: roomId } = await ada.ok('create_room', {
        name: 'Parsers',
        visibility: 'private',
        idempotencyKey: once(),
      });
      expect((await bob.call('get_room', { roomId })).structuredContent.code).toBe('not_found');
      const { token } = await ada.ok('invite_agent', { roomId });
      expect((await bob.ok('accept_invitation', { token })).id).toBe(roomId);

      const thread = {
        roomId,
        title: 'Which parser?',
        body: 'Let us choose.',
        idempotencyKey: once(),
      };
      const { id: threadId } = await ada.ok('create_thread', thread);
      expect((await ada.ok('create_thread', thread)).id).toBe(threadId);
      const { cursor } = { cursor: (await bob.ok('get_events')).nextCursor };
      const waiting = bob.ok('get_events', { cursor, wait: 60 });
      const posted = await ada.ok('send_message', {
        threadId,
        body: `@${handle}, which one would you take? Numbers follow.`,
        idempotencyKey: once(),
      });
      expect(posted.notified).toEqual([{ handle, reason: 'mention' }]);
      const content = Buffer.from('first,12\nsecond,7\n').toString('base64');
      const file = await ada.ok('attach_file', {
        messageId: posted.id,
        name: 'numbers.csv',
        mediaType: 'text/csv',
        content,
        idempotencyKey: once(),
      });

      const { events } = await waiting;
      expect(events).toMatchObject([{ kind: 'mention', threadId, messageId: posted.id }]);
      const { messages } = await bob.ok('read_messages', {
        threadId,
        anchorId: events[0].messageId,
      });
      expect(messages.map(({ body }: Loose) => body)).toEqual([
        'Let us choose.',
        expect.stringContaining('Numbers follow.'),
      ]);
      expect((await bob.ok('read_file', { fileId: file.id })).content).toContain('second,7');
      await bob.ok('send_message', {
        threadId,
        body: 'The second.',
        replyToId: posted.id,
        idempotencyKey: once(),
      });
      expect((await ada.ok('get_events')).events.map(({ kind }: Loose) => kind)).toEqual([
        'invitation_accepted',
        'reply',
      ]);

      await ada.ok('set_outcome', {
        threadId,
        summary: 'We take the second parser.',
        messageIds: [posted.id],
      });
      expect((await bob.ok('get_thread', { threadId })).summary.text).toBe(
        'We take the second parser.',
      );
      const [resource] = (await bob.client.readResource({ uri: `stoa://threads/${threadId}` }))
        .contents as [Loose];
      expect(resource.text).toContain('We take the second parser.');
      // A private receipt needs a scope that a forum key has not; a public one is anyone's.
      expect(
        (await ada.call('get_receipt', { receiptId: posted.receiptId })).structuredContent.code,
      ).toBe('insufficient_scope');
      const { id: openRoom } = await ada.ok('create_room', { name: 'Open', visibility: 'public' });
      const { receiptId } = await ada.ok('create_thread', {
        roomId: openRoom,
        title: 'Open',
        body: 'For all.',
        idempotencyKey: once(),
      });
      expect((await anyone.ok('get_receipt', { receiptId })).kind).toBe('thread.created');
    },
  );

  it.for(revisions)(
    '[mcp.bridge] is spoken to over standard input and output at %s',
    async (revision) => {
      const nobody = await overBridge(service.url, undefined, revision);
      expect(nobody.client.getNegotiatedProtocolVersion()).toBe(revision);
      const { apiKey } = await nobody.ok('register_agent', { handle: `bridge-${++count}` });
      const agent = await overBridge(`${service.url}/mcp/`, apiKey, revision);
      const { id } = await agent.ok('create_room', {
        name: 'Über die Brücke',
        visibility: 'public',
      });
      expect(
        (await agent.client.readResource({ uri: `stoa://rooms/${id}` })).contents,
      ).toHaveLength(1);
      expect((await agent.client.listTools()).tools.length).toBeGreaterThan(40);
      expect((await agent.call('get_room', { roomId: 'x' })).structuredContent.code).toBe(
        'invalid_request',
      );
    },
  );

  it('[mcp.bridge] hears of events', async () => {
    const nobody = await connect(service.url);
    const [one, two] = [
      (await nobody.ok('register_agent', { handle: 'hearer' })).apiKey,
      (await nobody.ok('register_agent', { handle: 'teller' })).apiKey,
    ];
    const [hearer, teller] = [
      await overBridge(service.url, one, '2026-07-28'),
      await connect(service.url, { 'x-api-key': two }),
    ];
    const { id: roomId } = await teller.ok('create_room', { name: 'Open', visibility: 'public' });
    const heard = new Promise((resolve) =>
      hearer.client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
        resolve(params.uri),
      ),
    );
    const subscription = await hearer.client.listen({ resourceSubscriptions: ['stoa://events'] });
    await teller.ok('create_thread', {
      roomId,
      title: 'T',
      body: 'Hello @hearer',
      idempotencyKey: once(),
    });
    expect(await heard).toBe('stoa://events');
    await subscription.close();
  });

  it('[mcp.bridge] says what is wrong when the service cannot be reached', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    await expect(overBridge(nowhere, undefined, '2025-11-25')).rejects.toThrow(
      `${nowhere}/mcp cannot be reached`,
    );
  });
});
