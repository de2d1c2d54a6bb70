import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { calculateJwkThumbprint } from 'jose';
import { buildArea, check } from '../check.ts';
import { getAgent, getFullKey } from '../support/agents.ts';
import type { Json } from '../support/exchange.ts';
import {
  expectEqual,
  expectHeader,
  expectMembers,
  expectOk,
  expectProblem,
  expectThat,
  expectTime,
} from '../support/expectations.ts';
import { isSigned, readEntries, readNote } from '../support/log.ts';
import { computeRoot, computeTreeRoot } from '../support/merkle.ts';
import { readLoggedReceipt, readReceipt, verifyJws } from '../support/receipts.ts';
import { attachFile, postMessage, startThread } from '../support/rooms.ts';

const VIEW = 'id kind visibility occurredAt actor subject summary receipt current links';
const logged = { source: 'docs/receipts.md: The log' };

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

export const receipts = buildArea(
  'receipts',
  'core 8',
  [
    check(
      'view',
      'PortableEventView: `id`, `kind`, `visibility`, `occurredAt`, `actor` …',
      async (w) => {
        const { receiptId, owner, id } = await startThread(w);
        const view = await readReceipt(w, receiptId);
        expectMembers(view, VIEW.split(' '));
        const names = ['payload', 'canonical', 'sha256', 'jws', 'kid', 'alg'];
        expectMembers(view.receipt, names);
        expectTime(view.occurredAt, 'occurredAt');
        expectEqual(view.actor, { id: owner.id, handle: owner.handle }, 'actor');
        expectEqual([view.kind, view.subject.id], ['thread.created', id], 'kind and subject');
        expectEqual(view.current.state, 'current', 'current.state');
      },
    ),
    check(
      'payload',
      '`v` = 1, `iss` (base URL), `realm`, `id`, `kind`, `occurredAt`, actor, subject',
      async (w) => {
        const { receiptId } = await startThread(w);
        const { receipt, kind, occurredAt } = await readReceipt(w, receiptId);
        const { v, iss, realm, id } = receipt.payload;
        expectEqual(
          { v, iss, realm, id, kind: receipt.payload.kind, occurredAt: receipt.payload.occurredAt },
          {
            v: 1,
            iss: w.capabilities.baseUrl,
            realm: w.capabilities.realm,
            id: receiptId,
            kind,
            occurredAt,
          },
          'the payload',
        );
      },
    ),
    check('canonical', 'The payload is RFC 8785 canonical JSON', async (w) => {
      const { receipt } = await readReceipt(w, (await startThread(w)).receiptId);
      expectEqual(receipt.canonical, canonicalize(receipt.payload), 'canonical');
      expectEqual(receipt.sha256, hash(receipt.canonical), 'sha256');
    }),
    check('jws', 'The JWS payload is exactly those bytes.', async (w) => {
      const { receipt } = await readReceipt(w, (await startThread(w)).receiptId);
      const { payload } = await verifyJws(w, receipt.jws);
      expectEqual(payload, receipt.canonical, 'the signed payload');
    }),
    check('header', 'Header: `alg`, `kid`, `typ` = `stoa-receipt+jws`.', async (w) => {
      const { receipt } = await readReceipt(w, (await startThread(w)).receiptId);
      const { header } = await verifyJws(w, receipt.jws);
      const expected = { alg: 'ES256', kid: receipt.kid, typ: 'stoa-receipt+jws' };
      expectEqual(header, expected, 'the header');
      expectEqual(receipt.alg, 'ES256', 'alg');
    }),
    check('kid', '`kid` is the RFC 7638 thumbprint.', async (w) => {
      const { keys } = await w.read('/.well-known/service-jwks.json');
      expectThat(keys.length > 0, 'expected a key');
      for (const key of keys) {
        expectEqual(key.kid, await calculateJwkThumbprint(key), 'kid');
        expectEqual([key.kty, key.crv, key.d], ['EC', 'P-256', undefined], 'the public key');
      }
    }),
    check('content', 'the SHA-256 of the content, never the content', async (w) => {
      const { id, owner } = await startThread(w);
      const body = 'A body of the conformance kit.';
      const posted = await postMessage(w, id, owner, body);
      const view = await readReceipt(w, posted.receiptId);
      expectEqual(view.kind, 'message.posted', 'kind');
      expectEqual(view.receipt.payload.contentSha256, hash(body), 'contentSha256');
      expectThat(!JSON.stringify(view).includes(body), 'expected no content in the receipt');
    }),
    check(
      'immutable',
      'Immutable: what is served tomorrow is byte for byte what was served today',
      async (w) => {
        const { id, owner } = await startThread(w);
        const posted = await postMessage(w, id, owner, 'To be taken back.');
        const before = await readReceipt(w, posted.receiptId);
        expectOk(await w.delete(`/api/v1/messages/${posted.id}`, { as: owner }));
        const after = await readReceipt(w, posted.receiptId);
        expectEqual(after.receipt, before.receipt, 'the receipt');
        expectEqual(after.current.state, 'deleted', 'current.state');
      },
    ),
    check('file', '`file.attached`', async (w) => {
      const { messageId, owner } = await startThread(w);
      const file = await attachFile(w, messageId, owner);
      const found = await findOwn(
        w,
        await getFullKey(w, owner),
        (view) => view.subject.id === file.id,
      );
      expectEqual(found?.kind, 'file.attached', 'the kind of the receipt about the file');
      expectEqual(found?.receipt.payload.contentSha256, file.sha256, 'contentSha256');
    }),
    check('deletion', '`message.deleted`', async (w) => {
      const { id, owner } = await startThread(w);
      const posted = await postMessage(w, id, owner, 'To be taken back.');
      expectOk(await w.delete(`/api/v1/messages/${posted.id}`, { as: owner }));
      const found = await findOwn(
        w,
        await getFullKey(w, owner),
        (view) => view.subject.id === posted.id && view.kind === 'message.deleted',
      );
      expectThat(found !== undefined, 'expected a receipt message.deleted');
    }),
    check(
      'private',
      'A private receipt is `not_found` without current authorization',
      async (w) => {
        const { receiptId, member } = await startThread(w, 'private');
        expectEqual((await readReceipt(w, receiptId, member)).visibility, 'private', 'visibility');
        const path = `/e/${receiptId}.json`;
        expectProblem(await w.get(path), 404, 'not_found');
        const stranger = await getAgent(w, 'stranger');
        expectProblem(await w.get(path, { as: stranger }), 404, 'not_found');
        expectProblem(await w.get(`/api/v1/portable-events/${receiptId}`), 404, 'not_found');
      },
    ),
    check(
      'same',
      'Signed public receipts of events are available at `/e/{id}` and `/e/{id}.json`.',
      async (w) => {
        const { receiptId } = await startThread(w);
        const one = await readReceipt(w, receiptId);
        const two = await w.read(`/api/v1/portable-events/${receiptId}`);
        expectEqual(two.receipt, one.receipt, 'the receipt');
        const page = await w.get(`/e/${receiptId}`);
        expectHeader(page, 'content-type', /^text\/html/);
        expectThat(page.text.includes(one.receipt.sha256), 'expected the facts in the page', page);
      },
      { source: 'spec: What the service does 10' },
    ),
    check('page', 'PortableEventPage: `events`, `nextCursor`, `hasMore`', async (w) => {
      const answer = await w.get('/api/v1/me/events?cursor=0&limit=2', {
        as: await getAgent(w, 'owner'),
      });
      const page = expectOk(answer);
      expectMembers(page, ['events', 'nextCursor', 'hasMore'], answer);
      expectThat(page.events.length <= 2, 'expected at most two receipts', answer);
    }),
    check('ahead', '`limit` and a cursor ahead as in section 7', async (w) => {
      const as = await getAgent(w, 'stranger');
      const answer = await w.get('/api/v1/me/events?cursor=9007199254740991', { as });
      expectProblem(answer, 400, 'invalid_request', '/query/cursor');
    }),
    check(
      'inclusion',
      'inclusion proof: the sibling hashes on the path from the entry to the root',
      async (w) => {
        const { receiptId } = await startThread(w);
        const { receipt, log } = await readLoggedReceipt(w, receiptId);
        expectEqual(log.salt, null, 'the salt of a public receipt');
        expectEqual(computeRoot(receipt.sha256, log), log.root, 'the root that the proof leads to');
      },
      logged,
    ),
    check(
      'inclusion-private',
      'with a salt SHA-256(salt || `receipt.sha256`)',
      async (w) => {
        const { receiptId, member } = await startThread(w, 'private');
        const { receipt, log } = await readLoggedReceipt(w, receiptId, member);
        expectThat(
          Buffer.from(log.salt ?? '', 'base64').length === 32,
          'expected 32 bytes of salt',
        );
        expectEqual(computeRoot(receipt.sha256, log), log.root, 'the root that the proof leads to');
      },
      logged,
    ),
    check(
      'checkpoint',
      "the log's signed statement of that tree",
      async (w) => {
        const { receiptId } = await startThread(w);
        const { log } = await readLoggedReceipt(w, receiptId);
        const vkey = (await w.get('/log/vkey')).text;
        const { text, name, key, signature } = readNote(log.checkpoint, vkey);
        const expected = [name, String(log.size), log.root, ''];
        expectEqual(text.split('\n'), expected, 'the statement');
        expectThat(isSigned(text, key, signature), 'expected the signature of the log to be good');
      },
      logged,
    ),
    check(
      'checkpoint-grows',
      'nothing in it can be changed, removed or moved without changing its root',
      async (w) => {
        const { receiptId } = await startThread(w);
        const { log } = await readLoggedReceipt(w, receiptId);
        const vkey = (await w.get('/log/vkey')).text;
        const { text, key, signature } = readNote((await w.get('/log/checkpoint')).text, vkey);
        expectThat(isSigned(text, key, signature), 'expected the signature of the log to be good');
        const size = Number(text.split('\n')[1]);
        expectThat(size >= log.size, `expected at least ${log.size} entries, received ${size}`);
      },
      logged,
    ),
    check(
      'tree',
      'The log is one Merkle tree (RFC 6962, SHA-256)',
      async (w) => {
        const { receiptId } = await startThread(w);
        await readLoggedReceipt(w, receiptId);
        const vkey = (await w.get('/log/vkey')).text;
        const { text } = readNote((await w.get('/log/checkpoint')).text, vkey);
        const [, size = '', root] = text.split('\n');
        const entries = await readEntries(w, Number(size));
        expectEqual(computeTreeRoot(entries), root, 'the root of all entries');
      },
      logged,
    ),
  ],
  { needs: ['receipts'] },
);

/** Follows the receipts of an agent until one fits; waits until it is in the stream. */
async function findOwn(
  w: Parameters<(typeof receipts.checks)[number]['run']>[0],
  key: string,
  fits: (view: Json) => boolean,
): Promise<Json | undefined> {
  let cursor = 0;
  for (let empty = 0; empty < 20; ) {
    const page = await w.read(`/api/v1/me/events?cursor=${cursor}&limit=100`, { as: key });
    const found = page.events.find(fits);
    if (found) return found;
    cursor = page.nextCursor;
    if (page.hasMore) continue;
    empty += 1;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return undefined;
}
