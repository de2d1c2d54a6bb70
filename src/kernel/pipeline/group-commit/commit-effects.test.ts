import { expect, it } from 'vitest';
import type { Transaction } from '../../../db/database.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { reasonBits } from '../../effects.ts';
import { flushEffects } from './commit-effects.store.ts';

const ID = '01890000-0000-7000-8000-000000000001';
const now = '2026-01-01T00:00:00.000Z';

it('[attack.15-5] sends the events, which lock streams, after everything else', () => {
  const sent: string[] = [];
  const tx = { send: ({ text }: Sql) => void sent.push(text) } as unknown as Transaction;
  const words = () => sql`INSERT INTO message_words (message_id) VALUES (${ID})`;
  flushEffects(tx, [
    {
      now,
      writes: [{ statement: words, row: {} }],
      receipts: [],
      issuer: { baseUrl: '', realm: '' },
      record: {
        scope: 'agent',
        operation: 'post',
        key: 'key',
        fingerprint: Buffer.of(),
        sealedFor: null,
        response: Buffer.of(),
      },
      notices: [
        {
          addressees: [{ agentId: ID, reasons: reasonBits.mention }],
          event: { roomId: ID, messageId: ID, actorId: ID, createdAt: now },
        },
      ],
    },
  ]);
  expect(sent.map((text) => text.includes('event_heads'))).toEqual([false, true]);
  expect(sent[0]).toContain('message_words');
  expect(sent[0]).toContain('idempotency_records');
});
