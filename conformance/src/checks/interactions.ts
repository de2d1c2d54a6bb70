import { randomBytes, randomUUID } from 'node:crypto';
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
} from '../support/expectations.ts';
import { buildInteraction, recordInteraction } from '../support/records.ts';
import { startThread } from '../support/rooms.ts';
import type { World } from '../support/world.ts';

const VERSION = 'a wrong one is `version_conflict` with `currentVersion` and changes nothing';
const NORMALISED = 'normalised by type, so that the same thing is the same subject';
const IDEM = 'All mutations take an `Idempotency-Key` (required).';
const statement = { kind: 'statement', text: 'I saw it.' };
const NOWHERE = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';

const ownerKey = async (w: World) => getFullKey(w, await getAgent(w, 'owner'));

/** Ways to write one thing, by type. */
const spellings: Readonly<Record<string, readonly [string, string]>> = {
  url: ['https://kit.example/a#part', 'https://KIT.example/a'],
  domain: ['KIT.Example', 'kit.example'],
  repository: ['github.com/kit/parser.git', 'github.com/kit/parser'],
  doi: ['10.1000/KIT', '10.1000/kit'],
  package: ['npm/kit-parser', 'npm/kit-parser'],
};

export const interactions = buildArea(
  'interactions',
  'cap 2',
  [
    check(
      'created',
      'InteractionCreated | `id`, `version`, `subjectId`, `evidenceIds`, `receiptId`, `createdAt`',
      async (w) => {
        const made: Json = await recordInteraction(w, { evidence: [statement] });
        expectMembers(made, [
          'id',
          'version',
          'subjectId',
          'evidenceIds',
          'receiptId',
          'createdAt',
        ]);
        expectEqual([made.version, made.evidenceIds.length], [1, 1], 'version and evidence');
      },
    ),
    check('detail', 'InteractionDetail | the row, `evidence`, `revisions`, `cases`', async (w) => {
      const { id, targetAgent } = await recordInteraction(w, { evidence: [statement] });
      const answer = await w.get(`/api/v1/interactions/${id}`);
      const detail = expectOk(answer);
      const names = 'id version subjectId authorId authorHandle target state evidenceCount finding';
      expectMembers(detail, [...names.split(' '), 'evidence', 'revisions', 'cases'], answer);
      expectEqual([detail.state, detail.evidenceCount], ['recorded', 1], 'the row', answer);
      expectThat(JSON.stringify(detail.target).includes(targetAgent.id), 'expected the target');
      const { kind, text, state } = detail.evidence[0];
      expectEqual({ kind, text, state }, { ...statement, state: 'submitted' }, 'the evidence');
      expectHeader(answer, 'x-content-trust', 'untrusted');
    }),
    check(
      'revision',
      'Every version is kept and readable (`revisions` in the detail, with author and time)',
      async (w) => {
        const { id, author } = await recordInteraction(w);
        const body = { expectedVersion: 1, summary: 'Revised.' };
        const revised = expectOk(await w.put(`/api/v1/interactions/${id}`, body, { as: author }));
        expectMembers(revised, ['id', 'version', 'state', 'updatedAt', 'receiptId']);
        expectEqual(revised.version, 2, 'version');
        const { revisions, summary } = await w.read(`/api/v1/interactions/${id}`);
        expectEqual(summary, 'Revised.', 'summary');
        const versions = revisions.map(({ version }: Json) => version).toSorted();
        expectEqual(versions, [1, 2], 'the versions');
      },
      { source: 'cap 1' },
    ),
    check(
      'version',
      VERSION,
      async (w) => {
        const { id, author } = await recordInteraction(w);
        const body = { expectedVersion: 2, summary: 'Revised.' };
        const answer = await w.put(`/api/v1/interactions/${id}`, body, { as: author });
        expectEqual(
          expectProblem(answer, 409, 'version_conflict').currentVersion,
          1,
          'currentVersion',
        );
        expectEqual((await w.read(`/api/v1/interactions/${id}`)).version, 1, 'version');
      },
      { source: 'cap 1' },
    ),
    check(
      'version-required',
      '`expectedVersion` is required on every transition',
      async (w) => {
        const { id, author } = await recordInteraction(w);
        const answer = await w.put(`/api/v1/interactions/${id}`, { summary: 'x' }, { as: author });
        expectProblem(answer, 400, 'invalid_request', '/body/expectedVersion');
      },
      { source: 'cap 1' },
    ),
    check(
      'race',
      'Of two transitions at the same moment with the same `expectedVersion`, exactly one wins.',
      async (w) => {
        const { id, author } = await recordInteraction(w);
        const answers = await Promise.all(
          ['A', 'B', 'C', 'D'].map((summary) =>
            w.put(`/api/v1/interactions/${id}`, { expectedVersion: 1, summary }, { as: author }),
          ),
        );
        const codes = answers
          .map(({ status, json }) => (status === 200 ? 'won' : json.code))
          .toSorted();
        expectEqual(
          codes,
          ['version_conflict', 'version_conflict', 'version_conflict', 'won'],
          'what the four got',
        );
      },
      { source: 'cap 1' },
    ),
    check(
      'revise-others',
      '`forbidden` | 403',
      async (w) => {
        const { id, target } = await recordInteraction(w);
        const body = { expectedVersion: 1, summary: 'x' };
        const answer = await w.put(`/api/v1/interactions/${id}`, body, { as: target });
        expectProblem(answer, 403, 'forbidden');
      },
      { source: 'core 2' },
    ),
    check('withdrawn', '`state` = `withdrawn`', async (w) => {
      const { id, author } = await recordInteraction(w);
      const body = { expectedVersion: 1, state: 'withdrawn' };
      expectOk(await w.put(`/api/v1/interactions/${id}`, body, { as: author }));
      expectEqual((await w.read(`/api/v1/interactions/${id}`)).state, 'withdrawn', 'state');
      const again = { expectedVersion: 2, summary: 'x' };
      const answer = await w.put(`/api/v1/interactions/${id}`, again, { as: author });
      expectProblem(answer, 409, 'state_conflict');
    }),
    check(
      'private',
      'A private interaction is seen by its author and its target agent.',
      async (w) => {
        const { id, author, target } = await recordInteraction(w, { visibility: 'private' });
        for (const as of [author, target])
          expectOk(await w.get(`/api/v1/interactions/${id}`, { as }));
        expectProblem(await w.get(`/api/v1/interactions/${id}`), 404, 'not_found');
        const reader = await getFullKey(w, await getAgent(w, 'reader'));
        expectProblem(await w.get(`/api/v1/interactions/${id}`, { as: reader }), 404, 'not_found');
      },
    ),
    check(
      'scope',
      'One rule for all private records: an agent whom it concerns gets `insufficient_scope`',
      async (w) => {
        const { id, targetAgent } = await recordInteraction(w, { visibility: 'private' });
        const answer = await w.get(`/api/v1/interactions/${id}`, { as: targetAgent });
        expectProblem(answer, 403, 'insufficient_scope');
      },
      { source: 'core 8' },
    ),
    check('idem', IDEM, async (w) => {
      const as = await ownerKey(w);
      const answer = await w.post('/api/v1/interactions', {}, { as, idem: null });
      expectProblem(answer, 400, 'idempotency_key_required');
    }),
    check(
      'replay',
      'Repeat with the same fingerprint: the first response again, byte for byte',
      async (w) => {
        const as = await ownerKey(w);
        const idem = randomUUID();
        const body = buildInteraction({ subject: { type: 'domain', value: 'kit.example' } });
        const first = await w.post('/api/v1/interactions', body, { as, idem });
        const second = await w.post('/api/v1/interactions', body, { as, idem });
        expectOk(first);
        expectEqual(second.text, first.text, 'the replay', second);
        expectHeader(second, 'idempotency-replayed', 'true');
      },
      { source: 'core 3' },
    ),
    check('evidence-parties', 'Author and target may submit evidence', async (w) => {
      const { id, author, target } = await recordInteraction(w);
      const path = `/api/v1/interactions/${id}/evidence`;
      const submit = async (as: string) => {
        const { version } = await w.read(`/api/v1/interactions/${id}`);
        return w.post(path, { expectedVersion: version, ...statement }, { as });
      };
      for (const as of [author, target]) expectOk(await submit(as));
      const reader = await getFullKey(w, await getAgent(w, 'reader'));
      expectProblem(await submit(reader), 403, 'forbidden');
    }),
    check('evidence-withdraw', 'only the submitter withdraws it', async (w) => {
      const { evidenceIds, author, target, id } = await recordInteraction(w, {
        evidence: [statement],
      });
      const path = `/api/v1/evidence/${evidenceIds[0]}/withdraw`;
      const body = { expectedVersion: 1 };
      expectProblem(await w.post(path, body, { as: target }), 403, 'forbidden');
      expectEqual(expectOk(await w.post(path, body, { as: author })).state, 'withdrawn', 'state');
      const { evidence } = await w.read(`/api/v1/interactions/${id}`);
      expectEqual(evidence[0].state, 'withdrawn', 'the state of the evidence');
    }),
    check(
      'evidence-digest',
      'A given `sha256` is compared where the service has the bytes (file, message, receipt).',
      async (w) => {
        const { id, author } = await recordInteraction(w);
        const { messageId } = await startThread(w);
        const path = `/api/v1/interactions/${id}/evidence`;
        const body = { expectedVersion: 1, kind: 'message', messageId, sha256: 'ab'.repeat(32) };
        expectProblem(await w.post(path, body, { as: author }), 400, 'invalid_request');
      },
    ),
    check('evidence-access', "needs the submitter's read access when submitted", async (w) => {
      const { messageId } = await startThread(w, 'private');
      const reader = await getFullKey(w, await getAgent(w, 'reader'));
      const cite = (id: string) =>
        w.post(
          '/api/v1/interactions',
          buildInteraction(
            { subject: { type: 'domain', value: 'kit.example' } },
            { evidence: [{ kind: 'message', messageId: id }] },
          ),
          { as: reader },
        );
      const refused = await cite(messageId);
      expectThat(refused.status >= 400 && refused.status < 500, 'expected a refusal', refused);
      const unknown = await cite(NOWHERE);
      expectEqual(
        refused.json.code,
        unknown.json.code,
        'the code for what it may not know',
        refused,
      );
    }),
    check('evidence-url', 'A URL is text: it is never fetched.', async (w) => {
      const url = 'http://127.0.0.1:9/never';
      const { id } = await recordInteraction(w, { evidence: [{ kind: 'url', url }] });
      const { evidence } = await w.read(`/api/v1/interactions/${id}`);
      expectEqual(evidence[0].url, url, 'the reference');
    }),
    ...Object.entries(spellings).map(([type, [one, two]]) =>
      check(`subject-${type}`, NORMALISED, async (w) => {
        const as = await ownerKey(w);
        const record = (value: string) =>
          w.make('/api/v1/interactions', buildInteraction({ subject: { type, value } }), as);
        const first = await record(one);
        const second = await record(two);
        expectEqual(second.subjectId, first.subjectId, 'the subject');
        const subject = await w.read(`/api/v1/subjects/${first.subjectId}`);
        const names = 'id kind type value agentId createdAt interactionCount identityClaims';
        expectMembers(subject, [...names.split(' '), 'reputationUrl']);
        expectEqual([subject.kind, subject.type], ['external', type], 'the subject');
      }),
    ),
    check('subject-find', '`GET /api/v1/subjects?type=&value=` + finds one', async (w) => {
      const as = await ownerKey(w);
      const value = `kit-${randomBytes(6).toString('hex')}.example`;
      const body = buildInteraction({ subject: { type: 'domain', value } });
      const { subjectId } = await w.make('/api/v1/interactions', body, as);
      const found = await w.read(`/api/v1/subjects?type=domain&value=${value.toUpperCase()}`);
      expectEqual(found.id, subjectId, 'the subject');
    }),
    check(
      'receipt',
      '`interaction.recorded`',
      async (w) => {
        const { receiptId }: Json = await recordInteraction(w);
        expectEqual((await w.read(`/e/${receiptId}.json`)).kind, 'interaction.recorded', 'kind');
      },
      { source: 'core 8' },
    ),
  ],
  { needs: ['interactions'] },
);
