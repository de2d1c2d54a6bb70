import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { digestTables } from '../../operations/fixture.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, waitUntil } from '../../support/factories.ts';
import { buildMessage, sendRpc } from './mcp-client.ts';

const app = await startApp();
const f = factories(app);
const agent = await f.createAgent();
const capabilities = buildMessage('tools/call', { name: 'get_capabilities', arguments: {} });

/** Sends a request with any Host, as a browser does after its name was rebound to this address. */
const sendUnderHost = (
  host: string,
  headers: Record<string, string> = {},
  body: unknown = buildMessage('tools/call', { name: 'create_room', arguments: { name: 'Trap' } }),
) =>
  new Promise<number>((resolve, reject) => {
    const all = {
      host,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-api-key': agent.key,
      ...headers,
    };
    const sent = request(`${app.url}/mcp`, { method: 'POST', headers: all }, (answer) =>
      resolve(answer.resume().statusCode ?? 0),
    );
    sent.on('error', reject).end(JSON.stringify(body));
  });

describe('requests to /mcp', () => {
  const own = new URL(app.url).host;

  it('[mcp.origin-host] are accepted under own names only', async () => {
    const before = await digestTables(app);
    for (const host of [
      'evil.example',
      `evil.example:${own.split(':')[1]}`,
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      'stoa',
    ])
      expect({ host, status: await sendUnderHost(host) }).toEqual({ host, status: 403 });
    for (const origin of [
      'https://evil.example',
      'http://127.0.0.1:1',
      'null',
      'nonsense',
      `https://${own}.evil.example`,
    ])
      expect(await sendUnderHost(own, { origin }), origin).toBe(403);
    expect(await digestTables(app)).toEqual(before);
    for (const host of [own, 'localhost:1234', '127.0.0.1', '[::1]:8080', '192.168.1.7:8080'])
      expect(await sendUnderHost(host, {}, capabilities), host).toBe(200);
    for (const origin of [app.url, `http://${own}`])
      expect(await sendUnderHost(own, { origin }, capabilities), origin).toBe(200);
  });

  it('[mcp.hostile] that are not valid JSON change nothing', async () => {
    const before = await digestTables(app);
    const room =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_room","arguments":';
    const texts = [
      '{',
      '',
      'null',
      '[]',
      '7',
      '"x"',
      `${room}{"name":"a","name":"b"}}}`,
      `${room}{"name":${'['.repeat(40)}${']'.repeat(40)}}}}`,
      '{"jsonrpc":"1.0"}',
    ];
    for (const text of texts) {
      const { status, body } = await sendRpc(app.url, text, { 'x-api-key': agent.key });
      expect({
        text,
        refused: status >= 400 && status < 500,
        codeType: typeof body.error.code,
      }).toEqual({ text, refused: true, codeType: 'number' });
    }
    expect((await fetch(`${app.url}/mcp`, { method: 'POST' })).status).toBe(400);
    const latin = Buffer.concat([
      Buffer.from(`${room}{"name":"`),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}}}'),
    ]);
    expect((await sendRpc(app.url, latin, { 'x-api-key': agent.key })).body.error.code).toBe(
      -32700,
    );
    for (const given of ['x', 7, null, ['name']]) {
      const { body } = await sendRpc(
        app.url,
        buildMessage('tools/call', { name: 'create_room', arguments: given }),
        { 'x-api-key': agent.key },
      );
      expect(body.error?.code ?? body.result.structuredContent.code).toSatisfy(
        (code: unknown) => code === -32602 || code === 'invalid_request',
      );
    }
    expect((await sendRpc(app.url, 'x', { 'content-type': 'text/plain' })).body.code).toBe(
      'unsupported_media_type',
    );
    expect(await digestTables(app)).toEqual(before);
  });

  it('[mcp.hostile] may nest as deep as over REST', async () => {
    const nestArrays = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const buildCall = (depth: number) =>
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write_guest_context",' +
      `"arguments":{"key":"deep","value":${nestArrays(depth)},"idempotencyKey":"deep"}}}`;
    const context = { 'x-context-key': 'ab'.repeat(32) };
    expect(
      (await sendRpc(app.url, buildCall(31), context)).body.result.structuredContent,
    ).toMatchObject({
      version: 1,
    });
    expect((await sendRpc(app.url, buildCall(32), context)).body.error.code).toBe(-32700);
  });

  it('[mcp.logged] are logged as the operation that they call', async () => {
    const sent = [
      buildMessage('tools/call', { name: 'get_me', arguments: {} }),
      buildMessage('resources/read', { uri: 'stoa://events' }),
    ];
    for (const one of sent) await sendRpc(app.url, one, { 'x-api-key': agent.key });
    for (const operation of ['getMe', 'listEvents']) {
      await waitUntil('it is logged', () =>
        app.logs.some(
          (line) =>
            line.includes(`"operation":"${operation}"`) && line.includes(`"agentId":"${agent.id}"`),
        ),
      );
      expect((await f.send('GET', '/metrics', { admin: true })).text).toContain(
        `operation="${operation}"`,
      );
    }
  });

  it('[mcp.one-message] with several messages are rejected as a whole', async () => {
    const before = await digestTables(app);
    const waits = buildMessage('tools/call', { name: 'get_events', arguments: { wait: 60 } });
    const cancels = {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: waits.id },
    };
    for (const several of [
      [buildMessage('tools/call', { name: 'create_room', arguments: { name: 'One' } })],
      [waits, cancels],
      [buildMessage('ping'), buildMessage('ping')],
    ]) {
      const { status, body } = await sendRpc(app.url, several, { 'x-api-key': agent.key });
      expect({ status, id: body.id, code: body.error.code }).toEqual({
        status: 400,
        id: null,
        code: -32600,
      });
    }
    expect(await digestTables(app)).toEqual(before);
  });

  it('[attack.31-3] (API4) is not longer for a tool than its operation needs', async () => {
    const limit = 64 * 1024;
    const message = buildMessage('tools/call', { name: 'get_events', arguments: {} });
    const call = JSON.stringify(message);
    const { body } = await sendRpc(app.url, call.padEnd(limit + 1), { 'x-api-key': agent.key });
    expect(body.result.structuredContent).toMatchObject({ code: 'payload_too_large', limit });
    const { body: shorter } = await sendRpc(app.url, call.padEnd(limit), {
      'x-api-key': agent.key,
    });
    expect(shorter.result.isError ?? false).toBe(false);
  });

  it('[attack.31-5] (API10) names that are no text name nothing, and are no defect', async () => {
    const name = { toString: 1, valueOf: 1 };
    for (const message of [
      buildMessage('ping', { name }),
      buildMessage('tools/call', { name, arguments: {} }),
      buildMessage('tools/call', { name: 'call_tool', arguments: { name, arguments: {} } }),
    ]) {
      const { body } = await sendRpc(app.url, message, { 'x-api-key': agent.key });
      expect(body.error?.data?.code ?? null).toBe(null);
      expect(body.error?.code ?? -32602).toBe(-32602);
    }
  });

  it('[mcp.long] may be long only because of a file', async () => {
    const limit = 512 * 1024;
    const call = (given: string) =>
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"attach_file",' +
      `"arguments":{${given}}}}`;
    const many = 1_000_000;
    for (const given of [
      `"name":${'['.repeat(many)}${']'.repeat(many)}`,
      `"content":["${'","'.repeat(many)}"]`,
      `"content":[${'0,'.repeat(many)}0]`,
    ]) {
      const { status, body } = await sendRpc(app.url, call(given), { 'x-api-key': agent.key });
      expect({ status, body }).toMatchObject(buildProblem(413, 'payload_too_large', { limit }));
    }
    const long = 'x'.repeat(limit);
    for (const other of [
      buildMessage(long),
      buildMessage('ping', { long }),
      buildMessage('tools/call', { name: long, arguments: {} }),
      buildMessage('resources/read', { uri: long }),
    ])
      expect((await sendRpc(app.url, other, { 'x-api-key': agent.key })).body.error).toMatchObject({
        code: -32600,
        data: { code: 'payload_too_large', limit },
      });
    // Quotes and backslashes in the string do not end it.
    const { body } = await sendRpc(
      app.url,
      call(`"idempotencyKey":"k","content":"${'\\"\\\\'.repeat(many)}"`),
      { 'x-api-key': agent.key },
    );
    expect(body.result.structuredContent.code).toBe('invalid_request');
  });
});
