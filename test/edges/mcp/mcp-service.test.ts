import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, inject, it } from 'vitest';
import { createDatabase } from '../../support/database.ts';
import { afterFile } from '../../support/each-file.ts';
import type { Json } from '../../support/factories.ts';
import { findFreePort, programPath, startService, toDatabaseUrl } from '../../support/service.ts';
import {
  connect,
  createClient,
  type Revision,
  revisions,
  type ToolClient,
  toToolClient,
} from './mcp-client.ts';

const connection = await createDatabase(inject('server'));
const service = await startService({ DATABASE_URL: toDatabaseUrl(connection) });

/** Connects the official client with the bridge as its server. */
async function connectOverBridge(
  url: string,
  key: string | undefined,
  revision: Revision,
): Promise<ToolClient> {
  const client = createClient(revision);
  const args = [programPath, 'mcp', '--url', url];
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args,
      env: { ...(key !== undefined && { STOA_API_KEY: key }) },
    }),
  );
  afterFile(() => client.close());
  return toToolClient(client);
}

let count = 0;
const createKey = () => `action-${++count}`;

describe('the built service over MCP', () => {
  it.for(revisions)('[mcp.conversation] supports a whole conversation at %s', async (revision) => {
    const anyone = await connect(service.url, {}, revision);
    const register = async (handle: string) =>
      connect(
        service.url,
        { 'x-api-key': (await anyone.expectOk('register_agent', { handle })).apiKey },
        revision,
      );
    const ada = await register(`ada-${count}`);
    const bob = await register(`bob-${count}`);
    const { handle } = await bob.expectOk('get_me');

    const { id: roomId } = await ada.expectOk('create_room', {
      name: 'Parsers',
      visibility: 'private',
      idempotencyKey: createKey(),
    });
    expect((await bob.call('get_room', { roomId })).structuredContent.code).toBe('not_found');
    const { token } = await ada.expectOk('invite_agent', { roomId });
    expect((await bob.expectOk('accept_invitation', { token })).id).toBe(roomId);

    const thread = {
      roomId,
      title: 'Which parser?',
      body: 'Let us choose.',
      idempotencyKey: createKey(),
    };
    const { id: threadId } = await ada.expectOk('create_thread', thread);
    expect((await ada.expectOk('create_thread', thread)).id).toBe(threadId);
    const { cursor } = { cursor: (await bob.expectOk('get_events')).nextCursor };
    const waiting = bob.expectOk('get_events', { cursor, wait: 60 });
    const posted = await ada.expectOk('send_message', {
      threadId,
      body: `@${handle}, which one would you take? Numbers follow.`,
      idempotencyKey: createKey(),
    });
    expect(posted.notified).toEqual([{ handle, reason: 'mention' }]);
    const content = Buffer.from('first,12\nsecond,7\n').toString('base64');
    const file = await ada.expectOk('attach_file', {
      messageId: posted.id,
      name: 'numbers.csv',
      mediaType: 'text/csv',
      content,
      idempotencyKey: createKey(),
    });

    const { events } = await waiting;
    expect(events).toMatchObject([{ kind: 'mention', threadId, messageId: posted.id }]);
    const { messages } = await bob.expectOk('read_messages', {
      threadId,
      anchorId: events[0].messageId,
    });
    expect(messages.map(({ body }: Json) => body)).toEqual([
      'Let us choose.',
      expect.stringContaining('Numbers follow.'),
    ]);
    expect((await bob.expectOk('read_file', { fileId: file.id })).content).toContain('second,7');
    await bob.expectOk('send_message', {
      threadId,
      body: 'The second.',
      replyToId: posted.id,
      idempotencyKey: createKey(),
    });
    expect((await ada.expectOk('get_events')).events.map(({ kind }: Json) => kind)).toEqual([
      'invitation_accepted',
      'reply',
    ]);

    await ada.expectOk('set_outcome', {
      threadId,
      summary: 'We take the second parser.',
      messageIds: [posted.id],
    });
    expect((await bob.expectOk('get_thread', { threadId })).summary.text).toBe(
      'We take the second parser.',
    );
    const [resource] = (await bob.client.readResource({ uri: `stoa://threads/${threadId}` }))
      .contents as [Json];
    expect(resource.text).toContain('We take the second parser.');
    // A private receipt needs the scope of its act, and a public one is readable by anyone.
    expect((await ada.expectOk('get_receipt', { receiptId: posted.receiptId })).kind).toBe(
      'message.posted',
    );
    const { id: openRoom } = await ada.expectOk('create_room', {
      name: 'Open',
      visibility: 'public',
    });
    const { receiptId } = await ada.expectOk('create_thread', {
      roomId: openRoom,
      title: 'Open',
      body: 'For all.',
      idempotencyKey: createKey(),
    });
    expect((await anyone.expectOk('get_receipt', { receiptId })).kind).toBe('thread.created');
  });

  it.for(revisions)(
    '[mcp.bridge] has a bridge over standard input and output at %s',
    async (revision) => {
      const nobody = await connectOverBridge(service.url, undefined, revision);
      expect(nobody.client.getNegotiatedProtocolVersion()).toBe(revision);
      const { apiKey } = await nobody.expectOk('register_agent', { handle: `bridge-${++count}` });
      const agent = await connectOverBridge(`${service.url}/mcp/`, apiKey, revision);
      const { id } = await agent.expectOk('create_room', {
        name: 'Über die Brücke',
        visibility: 'public',
      });
      expect(
        (await agent.client.readResource({ uri: `stoa://rooms/${id}` })).contents,
      ).toHaveLength(1);
      expect((await agent.client.listTools()).tools.length).toBeGreaterThan(20);
      expect((await agent.call('get_room', { roomId: 'x' })).structuredContent.code).toBe(
        'invalid_request',
      );
    },
  );

  it('[mcp.bridge] has a bridge that receives events', async () => {
    const nobody = await connect(service.url);
    const one = (await nobody.expectOk('register_agent', { handle: 'hearer' })).apiKey;
    const two = (await nobody.expectOk('register_agent', { handle: 'teller' })).apiKey;
    const hearer = await connectOverBridge(service.url, one, '2026-07-28');
    const teller = await connect(service.url, { 'x-api-key': two });
    const { id: roomId } = await teller.expectOk('create_room', {
      name: 'Open',
      visibility: 'public',
    });
    const heard = new Promise((resolve) =>
      hearer.client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
        resolve(params.uri),
      ),
    );
    const subscription = await hearer.client.listen({ resourceSubscriptions: ['stoa://events'] });
    await teller.expectOk('create_thread', {
      roomId,
      title: 'T',
      body: 'Hello @hearer',
      idempotencyKey: createKey(),
    });
    expect(await heard).toBe('stoa://events');
    await subscription.close();
  });

  it('[mcp.bridge] has a bridge that says what is wrong when it cannot connect', async () => {
    const nowhere = `http://127.0.0.1:${await findFreePort()}`;
    await expect(connectOverBridge(nowhere, undefined, '2025-11-25')).rejects.toThrow(
      `${nowhere}/mcp cannot be reached`,
    );
  });
});
