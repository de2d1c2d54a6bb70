import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json } from '../../support/factories.ts';
import { buildMessage, callTool, sendRpc } from './mcp-client.ts';

const app = await startApp();
const f = factories(app);
const agent = await f.createAgent();
const room = await f.createRoom(agent, 'public');

describe('files over MCP', () => {
  it('[attack.11-2] (API4) a resource that is far longer as JSON is refused before', async () => {
    const thread = await f.createThread(agent, room);
    const { id } = await f.postMessage(agent, thread, 'See the text');
    // The type is found by the beginning. Each control character is six bytes of JSON.
    const text = 'Plain words. '.repeat(400) + '\u0001'.repeat(512 * 1024);
    const file = await f.attachFile(agent, id, { name: 'text.txt', bytes: text });
    const read = await sendRpc(
      app.url,
      buildMessage('resources/read', { uri: `stoa://files/${file.id}` }),
    );
    expect(file.mediaType).toMatch(/^text\/plain/);
    expect(read.body.error.data).toMatchObject({
      code: 'payload_too_large',
      limit: 2 * 1024 * 1024,
    });
  });

  it('[mcp.body] [mcp.files] may have the largest size, and nothing larger', async () => {
    const thread = await f.createThread(agent, room);
    const { id } = await f.postMessage(agent, thread, 'See the file');
    const attach = (bytes: number, idempotencyKey: string) =>
      sendRpc(
        app.url,
        buildMessage('tools/call', {
          name: 'attach_file',
          arguments: {
            messageId: id,
            name: 'big.bin',
            content: Buffer.alloc(bytes, 7).toString('base64'),
            idempotencyKey,
          },
        }),
        {
          'x-api-key': agent.key,
        },
      );
    const limit = 10 * 1024 * 1024;
    const largest = (await attach(limit, 'a')).body.result.structuredContent;
    expect(largest).toMatchObject({
      size: limit,
      name: 'big.bin',
      mediaType: 'application/octet-stream',
    });
    // A resource has no parts, so it is limited to 1 MiB.
    const whole = await sendRpc(
      app.url,
      buildMessage('resources/read', { uri: `stoa://files/${largest.id}` }),
    );
    expect(whole.body.error.data).toMatchObject({
      code: 'payload_too_large',
      limit: 1024 * 1024,
    });
    expect((await attach(limit + 1, 'b')).body.result.structuredContent).toMatchObject({
      code: 'payload_too_large',
      limit,
    });
    const long = await callTool(
      app.url,
      'create_room',
      { name: 'Long', description: 'x'.repeat(600_000) },
      { 'x-api-key': agent.key },
    );
    expect(long.structuredContent).toMatchObject({ code: 'payload_too_large', limit: 65_536 });
    const { status, body } = await attach(13 * 1024 * 1024, 'c');
    expect({ status, body }).toMatchObject(
      buildProblem(413, 'payload_too_large', { limit: 16 * 1024 * 1024 }),
    );
  });

  const sendLong = async (
    given: Readonly<Record<string, string>>,
    write = (text: string) => text,
  ) => {
    const { id } = await f.postMessage(agent, await f.createThread(agent, room), 'See');
    const message = buildMessage('tools/call', {
      name: 'attach_file',
      arguments: { messageId: id, idempotencyKey: randomUUID(), ...given },
    });
    const response = await fetch(`${app.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'x-api-key': agent.key,
      },
      body: write(JSON.stringify(message)),
    });
    return ((await response.json()) as Json).result.structuredContent;
  };
  const bytes = Buffer.alloc(3_000_001, '~~~???').fill(0xfb, 1_000_000, 2_000_000);

  it('[attack.2-2-long-message] attachFile takes a long string as its content alone', async () => {
    const tooLong = { code: 'payload_too_large', limit: 524_288 };
    const long = 'x'.repeat(600_000);
    expect(await sendLong({ name: long, content: 'eHg=' })).toMatchObject(tooLong);
    expect(await sendLong({ name: 'a.txt', content: 'eHg=', mediaType: long })).toMatchObject(
      tooLong,
    );
    expect(await sendLong({ name: 'a.txt', content: 'eHg=', idempotencyKey: long })).toMatchObject(
      tooLong,
    );
  });

  it('[mcp.files] attachFile takes long base64 however it is escaped, or refuses it', async () => {
    const content = bytes.toString('base64');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    for (const write of [
      (text: string) => text,
      (text: string) => text.replaceAll('/', '\\/'),
      (text: string) => text.replaceAll('+', '\\u002b'),
    ])
      expect(await sendLong({ name: 'a.bin', content }, write)).toMatchObject({
        size: bytes.length,
        sha256,
      });
    const half = content.length / 2 - ((content.length / 2) % 4);
    for (const broken of [
      `${content.slice(0, half)}====${content.slice(half)}`,
      `${content.slice(0, half)}\n${content.slice(half)}`,
      content.slice(0, -1),
      `${content.slice(0, -4)}é===`,
    ])
      expect(await sendLong({ name: 'a.bin', content: broken })).toMatchObject({
        code: 'invalid_request',
        errors: [{ pointer: '/arguments/content' }],
      });
  });

  const attachAndRead = async (name: string, bytes: Buffer, mediaType?: string) => {
    const { id } = await f.postMessage(agent, await f.createThread(agent, room), 'See');
    const given = {
      messageId: id,
      name,
      content: bytes.toString('base64'),
      idempotencyKey: randomUUID(),
      ...(mediaType && { mediaType }),
    };
    return callTool(app.url, 'attach_file', given, { 'x-api-key': agent.key });
  };
  const read = (fileId: string, range = {}) => callTool(app.url, 'read_file', { fileId, ...range });

  it('[mcp.files] are read in parts, and text is returned as text', async () => {
    const text = 'Grüße, 世界! '.repeat(40);
    const { id } = (await attachAndRead('notes.txt', Buffer.from(text), 'text/plain'))
      .structuredContent;
    const size = Buffer.byteLength(text);
    const whole = await read(id);
    expect(whole).toMatchObject({
      _meta: { contentTrust: 'untrusted' },
      structuredContent: {
        name: 'notes.txt',
        size,
        offset: 0,
        nextOffset: null,
        encoding: 'utf8',
        content: text,
      },
    });
    let together = '';
    for (let offset: number | null = 0; offset !== null; ) {
      const { structuredContent } = await read(id, { offset, length: 7 });
      expect(structuredContent.encoding).toBe('utf8');
      together += structuredContent.content;
      offset = structuredContent.nextOffset;
    }
    expect(together).toBe(text);
    expect((await read(id, { offset: size })).structuredContent).toMatchObject({
      content: '',
      nextOffset: null,
    });
    expect((await read(id, { offset: size + 1 })).structuredContent.code).toBe(
      'range_not_satisfiable',
    );
    for (const range of [
      { offset: -1 },
      { offset: 0.5 },
      { length: 0 },
      { length: 1_048_577 },
      { length: '7' },
    ])
      expect((await read(id, range)).structuredContent, JSON.stringify(range)).toMatchObject({
        code: 'invalid_request',
        errors: [{ pointer: expect.stringMatching(/^\/arguments\/(offset|length)$/) }],
      });
  });

  it('[mcp.files] that are not text are base64, also parts of a character', async () => {
    const bytes = Buffer.from([0, 1, 2, 253, 254, 255]);
    const { id } = (await attachAndRead('some.bin', bytes)).structuredContent;
    expect((await read(id)).structuredContent).toMatchObject({
      encoding: 'base64',
      content: bytes.toString('base64'),
    });
    const text = (await attachAndRead('some.txt', Buffer.from('é'), 'text/plain')).structuredContent
      .id;
    expect((await read(text, { length: 1 })).structuredContent).toMatchObject({
      encoding: 'base64',
      content: Buffer.from([0xc3]).toString('base64'),
      nextOffset: 1,
    });
  });

  it('[mcp.files] declared as text come complete if cut within a character', async () => {
    const bytes = Buffer.from([0x61, 0x62, 0xc3]);
    const { id } = (await attachAndRead('cut.txt', bytes, 'text/plain')).structuredContent;
    expect((await read(id)).structuredContent).toMatchObject({
      encoding: 'base64',
      content: bytes.toString('base64'),
      nextOffset: null,
    });
  });

  it('[mcp.files] that are not valid base64 are rejected', async () => {
    const before = await f.ok('GET', '/api/v1/stats');
    const { id } = await f.postMessage(agent, await f.createThread(agent, room), 'See');
    for (const content of ['abc', 'a===', 'ab c', 'YQ==\n', 'YQ', 7, null, undefined]) {
      const result = await callTool(
        app.url,
        'attach_file',
        { messageId: id, name: 'x', content, idempotencyKey: 'k' },
        { 'x-api-key': agent.key },
      );
      expect(result.structuredContent, String(content)).toMatchObject({
        code: 'invalid_request',
        errors: [{ pointer: '/arguments/content' }],
      });
    }
    expect((await f.ok('GET', '/api/v1/stats')).files).toBe(before.files);
  });
});
