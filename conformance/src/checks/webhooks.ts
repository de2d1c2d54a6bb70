import { buildArea, check } from '../check.ts';
import { getAgent } from '../support/agents.ts';
import {
  expectEqual,
  expectHeader,
  expectMembers,
  expectOk,
  expectProblem,
  expectThat,
  expectUuid,
  Failure,
} from '../support/expectations.ts';

const HTTPS = 'Only HTTPS on port 443.';
const PARTS =
  'No user information, query, fragment or credentials in the URL and no secrets in the path.';
const NAMES =
  'A name in `localhost`, `.local`, `.internal`, `.onion`, an IP literal, userinfo, query, ' +
  'fragment, another port, a trailing dot or an IDN homograph of these is refused when configured.';
const SECRET = 'Webhook secret | 64 lowercase hex digits (32 bytes)';

const secret = '5f1c0e9a7b3d48261f0e5d4c3b2a19087f6e5d4c3b2a1908f7e6d5c4b3a29180';
const url = 'https://hooks.kit.example.org/hint';

const rules = 'spec: Webhook delivery';
const refusedUrls: Readonly<Record<string, readonly [string, string, string?]>> = {
  http: ['http://hooks.example.org/', HTTPS, rules],
  port: ['https://hooks.example.org:8443/', HTTPS, rules],
  user: ['https://user:word@hooks.example.org/', PARTS, rules],
  query: ['https://hooks.example.org/?a=b', PARTS, rules],
  fragment: ['https://hooks.example.org/#a', PARTS, rules],
  'secret-in-path': [`https://hooks.example.org/${secret}`, PARTS, rules],
  localhost: ['https://localhost/', NAMES],
  'below-localhost': ['https://hooks.localhost/', NAMES],
  local: ['https://printer.local/', NAMES],
  internal: ['https://metadata.internal/', NAMES],
  onion: ['https://kit.onion/', NAMES],
  ipv4: ['https://127.0.0.1/', NAMES],
  'ipv4-private': ['https://10.0.0.1/', NAMES],
  'ipv4-metadata': ['https://169.254.169.254/latest', NAMES],
  'ipv4-decimal': ['https://2130706433/', NAMES],
  'ipv4-hex': ['https://0x7f.1/', NAMES],
  ipv6: ['https://[::1]/', NAMES],
  'ipv6-mapped': ['https://[::ffff:127.0.0.1]/', NAMES],
  'trailing-dot': ['https://hooks.example.org./', NAMES],
  homograph: ['https://kit.l\u043ecal/', NAMES],
  'full-width': ['https://\uff4c\uff4f\uff43\uff41\uff4c\uff48\uff4f\uff53\uff54/', NAMES],
  scheme: ['ftp://hooks.example.org/', HTTPS, rules],
  words: ['not an address', HTTPS, rules],
};

const refusedSecrets = {
  short: 'ab'.repeat(31),
  long: 'ab'.repeat(33),
  upper: 'AB'.repeat(32),
  letters: 'xy'.repeat(32),
};

export const webhooks = buildArea(
  'webhooks',
  'core 7',
  [
    check(
      'none',
      'webhook record, or JSON `null` when none',
      async (w) => {
        const answer = await w.get('/api/v1/me/webhook', { as: await getAgent(w, 'stranger') });
        expectEqual(answer.status, 200, 'the status', answer);
        expectEqual(answer.text, 'null', 'the body', answer);
      },
      { source: 'spec: Endpoints', needs: [] },
    ),
    check(
      'delete-none',
      'Without a hook `verify` is `not_found` and `DELETE` harmless.',
      async (w) => {
        const as = await getAgent(w, 'stranger');
        expectOk(await w.delete('/api/v1/me/webhook', { as }));
      },
      { needs: [] },
    ),
    check(
      'verify-none',
      'Without a hook `verify` is `not_found` and `DELETE` harmless.',
      async (w) => {
        const as = await getAgent(w, 'stranger');
        expectProblem(
          await w.post('/api/v1/me/webhook/verify', undefined, { as }),
          404,
          'not_found',
        );
      },
    ),
    check(
      'pending',
      'PUT `/api/v1/me/webhook` | valid URL and secret | `pending`',
      (w) =>
        w.takeTurn('webhook', async () => {
          const as = await getAgent(w, 'spare');
          const answer = await w.put('/api/v1/me/webhook', { url, secret }, { as });
          const hook = expectOk(answer);
          const names = 'id url state attempts lastDeliveredAt lastError createdAt verifiedAt';
          expectMembers(hook, [...names.split(' '), 'nextAttemptAt'], answer);
          expectUuid(hook.id, 'id', answer);
          expectEqual([hook.url, hook.state, hook.attempts], [url, 'pending', 0], 'it', answer);
          expectEqual(hook.lastError, null, 'lastError', answer);
          expectOk(await w.delete('/api/v1/me/webhook', { as }));
        }),
      { source: 'spec: States and transitions' },
    ),
    check(
      'secret-hidden',
      'It is sent only in the configuration request and never returned.',
      (w) =>
        w.takeTurn('webhook', async () => {
          const as = await getAgent(w, 'spare');
          const put = await w.put('/api/v1/me/webhook', { url, secret }, { as });
          const got = await w.get('/api/v1/me/webhook', { as });
          for (const answer of [put, got]) {
            expectEqual(answer.status, 200, 'the status', answer);
            expectThat(!answer.text.includes(secret), 'expected no secret', answer);
          }
          expectOk(await w.delete('/api/v1/me/webhook', { as }));
        }),
      { source: 'spec: Authentication 2' },
    ),
    check(
      'identical',
      'same url, secret, credential | unchanged',
      (w) =>
        w.takeTurn('webhook', async () => {
          const as = await getAgent(w, 'spare');
          const first = expectOk(await w.put('/api/v1/me/webhook', { url, secret }, { as }));
          const second = expectOk(await w.put('/api/v1/me/webhook', { url, secret }, { as }));
          expectEqual(second, first, 'the webhook');
          expectOk(await w.delete('/api/v1/me/webhook', { as }));
        }),
      { source: 'spec: States and transitions' },
    ),
    check(
      'changed',
      'a fresh hook; the previous pending notification is discarded',
      (w) =>
        w.takeTurn('webhook', async () => {
          const as = await getAgent(w, 'spare');
          const first = expectOk(await w.put('/api/v1/me/webhook', { url, secret }, { as }));
          const body = { url: `${url}/other`, secret };
          const second = expectOk(await w.put('/api/v1/me/webhook', body, { as }));
          expectThat(second.id !== first.id, 'expected another id');
          expectEqual(second.state, 'pending', 'state');
          expectOk(await w.delete('/api/v1/me/webhook', { as }));
        }),
      { source: 'spec: States and transitions' },
    ),
    check(
      'erased',
      'configuration erased; GET then returns JSON `null`',
      (w) =>
        w.takeTurn('webhook', async () => {
          const as = await getAgent(w, 'spare');
          expectOk(await w.put('/api/v1/me/webhook', { url, secret }, { as }));
          expectOk(await w.delete('/api/v1/me/webhook', { as }));
          expectEqual(await w.read('/api/v1/me/webhook', { as }), null, 'the webhook');
        }),
      { source: 'spec: States and transitions' },
    ),
    check(
      'verify-limit',
      'Webhook verification attempts | 4 per identity per hour',
      (w) =>
        w.takeTurn('webhook', async () => {
          const as = await getAgent(w, 'spare');
          // No name below .invalid is ever found, so nobody is called.
          const body = { url: 'https://hooks.kit.invalid/', secret };
          expectOk(await w.put('/api/v1/me/webhook', body, { as }));
          const path = '/api/v1/me/webhook/verify';
          let answer = await w.send({ method: 'POST', path, takesRefusal: true }, { as });
          for (let turn = 1; turn < 5 && answer.status !== 429; turn += 1) {
            expectProblem(answer, 422, 'webhook_verification_failed');
            answer = await w.send({ method: 'POST', path, takesRefusal: true }, { as });
          }
          const { retryAfterSeconds } = expectProblem(answer, 429, 'rate_limited');
          expectHeader(answer, 'retry-after', String(retryAfterSeconds));
          expectOk(await w.delete('/api/v1/me/webhook', { as }));
        }),
      { source: 'spec: Limits' },
    ),
    check(
      'retry-after',
      '`Retry-After` on 429',
      (w) =>
        w.takeTurn('webhook', async () => {
          const as = await getAgent(w, 'member');
          const body = { url: 'https://hooks.kit.invalid/', secret };
          expectOk(await w.put('/api/v1/me/webhook', body, { as }));
          const path = '/api/v1/me/webhook/verify';
          for (let turn = 0; turn < 5; turn += 1) {
            const answer = await w.send({ method: 'POST', path, takesRefusal: true }, { as });
            if (answer.status !== 429) continue;
            expectHeader(answer, 'retry-after', /^[1-9]\d*$/);
            expectOk(await w.delete('/api/v1/me/webhook', { as }));
            return;
          }
          throw new Failure('expected the fifth verification in an hour to be refused');
        }),
      { source: 'core 1' },
    ),
    check(
      'protocol',
      'The webhook protocol is named `service-webhook/1`.',
      async (w) => {
        expectEqual(w.capabilities.webhooks.protocol, 'service-webhook/1', 'protocol');
      },
      { source: 'spec: Versioning 3' },
    ),
    ...Object.entries(refusedUrls).map(([name, [address, sentence, source]]) =>
      check(
        `url-${name}`,
        sentence,
        async (w) => {
          const as = await getAgent(w, 'stranger');
          const answer = await w.put('/api/v1/me/webhook', { url: address, secret }, { as });
          const { detail } = expectProblem(answer, 422, 'invalid_webhook_url');
          expectThat(!detail.includes(secret), 'expected no secret in the detail', answer);
          expectEqual(await w.read('/api/v1/me/webhook', { as }), null, 'the webhook');
        },
        source ? { source } : {},
      ),
    ),
    ...Object.entries(refusedSecrets).map(([name, refused]) =>
      check(
        `secret-${name}`,
        SECRET,
        async (w) => {
          const as = await getAgent(w, 'stranger');
          const answer = await w.put('/api/v1/me/webhook', { url, secret: refused }, { as });
          expectProblem(answer, 422, 'invalid_webhook_secret');
        },
        { source: 'spec: Limits' },
      ),
    ),
  ],
  { needs: ['webhooks'] },
);
