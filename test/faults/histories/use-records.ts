import type { Json } from '../../../scripts/faults/send.ts';
import type { Call } from '../../support/linearizability.ts';
import { noteChange, noteRead, tell } from '../../support/models/told.ts';
import {
  buildRecordModel,
  type RecordOperation,
  tellRecord,
} from '../../support/models/versioned-records.ts';
import { prepare, registerClients, takeTurns, type Workload } from './workload.ts';

const SUMMARY = 'Delivered.';

/** Two parties revise interactions, and submit and withdraw evidence, by versions they read. */
export const useRecords: Workload<unknown, RecordOperation> = async (ground) => {
  const { sender, random } = ground;
  const calls: Call<RecordOperation>[] = [];
  const [author, target] = await registerClients(ground, 'record', 2, 'interactions');
  if (!author || !target) throw new Error('There are no clients.');
  const create = async (): Promise<string> =>
    (
      await prepare(ground, {
        method: 'POST',
        path: '/api/v1/interactions',
        key: author.key,
        body: {
          target: { agent: target.handle },
          kind: 'delivery',
          summary: SUMMARY,
          occurredAt: '2026-02-27T15:00:00.000Z',
          visibility: 'public',
          provenance: { source: 'first_hand' },
        },
      })
    ).id;
  let record = await create();
  const versions = new Map<string, number>();
  /** Evidence that an answer told the id of: its text, its record and its submitter's key. */
  const submitted: { id: string; text: string; record: string; key: string }[] = [];
  const processes = [author, author, author, target, target, target];
  const read = async (key: string) => {
    const of = record;
    const sent = await sender.send({ method: 'GET', path: `/api/v1/interactions/${of}`, key });
    const outcome = tell(sent, ({ version, state, summary, evidence, revisions }) => {
      versions.set(of, version);
      const pieces = evidence.map((one: Json) => [one.note, one.version]);
      const shown = tellRecord({ version, state, summary, evidence: Object.fromEntries(pieces) });
      const kept = Math.max(...revisions.map((one: Json) => one.version));
      return kept === version ? shown : `${shown}, of ${kept} versions`;
    });
    noteRead(calls, sent, { kind: 'read', record: of, outcome });
  };
  let texts = 0;
  await takeTurns(ground, processes, async ({ key }, nr) => {
    if (random.pickInt(3) === 0) return read(key);
    const of = record;
    const path = `/api/v1/interactions/${of}`;
    const expected = versions.get(of) ?? 1;
    const text = `text-${texts++}`;
    const send = async (kind: 'revise' | 'withdraw' | 'submit', method: string, body: object) => {
      const at = kind === 'submit' ? `${path}/evidence` : path;
      const sent = await sender.send({
        method,
        path: at,
        key,
        body: { expectedVersion: expected, ...body },
      });
      const outcome = tell(sent, ({ state, version }) => `${state} ${version}`);
      noteChange(calls, sent, { kind, record: of, expected, text, outcome });
      if (kind === 'submit' && sent.status === 200)
        submitted.push({ id: sent.body.id, text, record: of, key });
      if (sent.body?.currentVersion !== undefined) versions.set(of, sent.body.currentVersion);
    };
    const own = submitted.filter((one) => one.key === key).slice(-3);
    if (random.pickInt(3) === 0 && own.length > 0) {
      const { id, ...piece } = random.pickOne(own);
      const sent = await sender.send({
        method: 'POST',
        path: `/api/v1/evidence/${id}/withdraw`,
        key,
        body: { expectedVersion: 1 },
      });
      const outcome = tell(sent, ({ state, version }) => `${state} ${version}`);
      const { record, text } = piece;
      return noteChange(calls, sent, { kind: 'retract', record, expected: 1, text, outcome });
    }
    if (key === target.key || random.pickInt(3) === 0)
      return send('submit', 'POST', { kind: 'statement', text, note: text });
    if (nr % 10 !== 9) return send('revise', 'PUT', { summary: text });
    await send('withdraw', 'PUT', { state: 'withdrawn' });
    if (of === record) record = await create();
  });
  return { model: buildRecordModel(SUMMARY), calls };
};
