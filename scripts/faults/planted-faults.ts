import { plantedFaults as claimFaults } from '../claims/planted-faults.ts';
import type { Catalog, Edit } from './plant.ts';

const HANDLE = 'kernel/pipeline/group-commit/handle-and-commit.js';
const COMMIT = 'kernel/pipeline/group-commit/group-commit.js';
const PUBLISH = 'env.hub.publish([...listAddressees(notices), ...topics]);';
const NOTICES = 'const notices = await dropMutedNotices(tx, effects.notices);';

/** Numbers of events are given in a transaction of their own. */
const numberFirst: readonly Edit[] = [
  {
    file: COMMIT,
    from: 'export function createGroupCommit(db, now, tracing) {',
    to: `const numberFirst = async (db, effects) => {
      const counts = new Map();
      for (const { addressees } of effects.flatMap(({ notices }) => notices))
        for (const { agentId } of addressees) counts.set(agentId, (counts.get(agentId) ?? 0) + 1);
      for (const [id, count] of [...counts].sort())
        await db.run({
          text: 'UPDATE event_heads SET head = head + $2 WHERE agent_id = $1',
          values: [id, count],
        });
    };
    export function createGroupCommit(db, now, tracing) {`,
  },
  {
    file: COMMIT,
    from: 'flushEffects(tx, [effects]);',
    to: 'await numberFirst(db, [effects]); flushEffects(tx, [effects]);',
  },
  {
    file: COMMIT,
    from: 'flushEffects(tx, [...effects.values()]);',
    to: 'await numberFirst(db, [...effects.values()]); flushEffects(tx, [...effects.values()]);',
  },
  {
    file: 'kernel/pipeline/group-commit/commit-effects.store.js',
    from: 'SET head = h.head + c.count',
    to: 'SET head = h.head',
  },
];

/** The faults that the harness must find. */
export const plantedFaults: Catalog = {
  'dropped-row-lock': [
    {
      file: 'features/guest-context/store.js',
      from: 'DO UPDATE SET due_at = c.due_at',
      to: 'DO NOTHING',
    },
  ],
  // The answer does not wait until the commit is on the disk.
  'commit-after-answer': [
    {
      file: 'db/database.js',
      from: 'corkWrites(client);',
      to: "corkWrites(client); client.query('SET synchronous_commit = off').catch(() => {});",
    },
  ],
  'number-before-commit': numberFirst,
  'record-apart-from-effect': [
    {
      file: HANDLE,
      from: 'value: { output, body, notices, topics, isFinal, counts },',
      to: `value: { output, body, notices, topics, isFinal, counts, late: answerRecord && {
        now: context.now, writes: [], receipts: [], issuer: env.installation,
        record: answerRecord, notices: [] } },`,
    },
    {
      file: HANDLE,
      from: 'const built = effects.build(notices, answerRecord ?? null);',
      to: 'const built = effects.build(notices, null);',
    },
    {
      file: HANDLE,
      from: 'isFinal, counts, ...handled } = committed;',
      to: `isFinal, counts, late, ...handled } = committed;
      const alone = { key: null, isShared: false, bytes: 0 };
      if (late)
        await env.groupCommit.run(whose, alone, async () => ({ value: null, effects: late }));`,
    },
  ],
  'fence-not-checked': claimFaults['fence-not-checked'] ?? [],
  'stale-page-cache': [
    {
      file: 'features/messages/page-cache.js',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is part of a template.
      from: '${threadId}/${revision}/',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is part of a template.
      to: '${threadId}/',
    },
  ],
  'lost-fan-out-slice': [
    {
      file: 'features/events/fanout-slices.store.js',
      from: `FROM event_heads
        WHERE `,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is part of a template.
      to: 'FROM event_heads WHERE (SELECT count(*) FROM slice) < ${limit}::int AND ',
    },
  ],
  'wake-before-commit': [
    { file: HANDLE, from: PUBLISH, to: '' },
    { file: HANDLE, from: NOTICES, to: `${NOTICES} ${PUBLISH}` },
  ],
  'double-settlement': [
    {
      file: 'features/offers/store.js',
      from: `      FOR NO KEY UPDATE
    \`)`,
      to: '`)',
    },
    {
      file: 'kernel/records/versioned.store.js',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is part of a template.
      from: 'AND version = ${expectedVersion}',
      to: '',
    },
    {
      file: 'features/offers/offer-settlement.rules.js',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is part of a template.
      from: '`offer:${id}:settled`',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is part of a template.
      to: '`offer:${id}:${settlement}`',
    },
  ],
  // A tree is shown before it is stored.
  'log-forked-on-crash': [
    {
      file: 'features/log/integrate-receipts.job.js',
      from: 'batches.append(tx, {',
      to:
        'globalThis.shownTree = { size, root, signature: log.sign(size, root) }; ' +
        'await new Promise((done) => setTimeout(done, 50)); batches.append(tx, {',
    },
    {
      file: 'features/log/get-checkpoint.js',
      from: 'const tree = await logs.findLatest(tx);',
      to:
        'const stored = await logs.findLatest(tx); const tree = ' +
        'stored && globalThis.shownTree?.size > stored.size ' +
        '? { ...stored, ...globalThis.shownTree } : stored;',
    },
  ],
};
