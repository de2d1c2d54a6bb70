import {
  buildFirstId,
  findMonth,
  type GrownForm,
  type GrownRead,
  type GrownTable,
  type Scale,
} from './grown-table.ts';

const ID_OF_ROW = `(lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' ||
  substr(md5(i::text), 1, 3) || '8' || substr(md5(i::text), 4, 15))::uuid`;

const pickAgent = (nr: number, { agents }: Scale): string => String((nr * 7919) % agents);
const pickRow = (nr: number, { rows }: Scale): number => (nr * 7_368_787) % rows;

const EVENT = `SELECT seq, reasons, message_id FROM grown
  WHERE agent_id = md5($1)::uuid AND seq > $2::bigint`;
const FORMS_BY_ID: readonly GrownForm[] = [
  { name: 'one table', key: 'id' },
  { name: 'by month of its id', key: 'id', by: 'month' },
];
const READ_BY_ID: GrownRead = {
  name: 'by id',
  text: 'SELECT * FROM grown WHERE id = $1',
  find: 'SELECT id FROM grown WHERE id >= $1 ORDER BY id LIMIT 1',
  values: (nr, scale) => {
    const first = findMonth(0).getTime();
    const span = findMonth(scale.months).getTime() - first;
    return [buildFirstId(new Date(first + Math.floor((span * pickRow(nr, scale)) / scale.rows)))];
  },
};

export const grownTables: readonly GrownTable[] = [
  {
    name: 'events',
    columns: `agent_id uuid NOT NULL, seq bigint NOT NULL, reasons smallint NOT NULL, room_id uuid,
      message_id uuid, actor_id uuid, created_at timestamptz NOT NULL`,
    indexes: [],
    row: `md5((i % $3)::text)::uuid, i / $3 + 1, 4, md5('room')::uuid, md5(i::text)::uuid,
      md5('actor')::uuid, at`,
    twin: '40 days',
    age: 'created_at',
    reads: [
      {
        name: 'newest page',
        text: `${EVENT} ORDER BY seq LIMIT 100`,
        values: (nr, scale) => [pickAgent(nr, scale), Math.floor(scale.rows / scale.agents) - 100],
      },
      {
        name: 'oldest page',
        text: `${EVENT} ORDER BY seq LIMIT 100`,
        values: (nr, scale) => [pickAgent(nr, scale), 0],
      },
      {
        name: 'newest page, its time told',
        text: `${EVENT} AND created_at >= $3 ORDER BY seq LIMIT 100`,
        values: (nr, scale) => [
          pickAgent(nr, scale),
          Math.floor(scale.rows / scale.agents) - 100,
          findMonth(scale.months - 1).toISOString(),
        ],
      },
    ],
    forms: [
      { name: 'one table', key: 'agent_id, seq' },
      { name: 'by month', key: 'agent_id, seq, created_at', by: 'month' },
      { name: 'by agent, 16 parts', key: 'agent_id, seq', by: { hash: 'agent_id' } },
    ],
  },
  {
    name: 'idempotency_records',
    columns: `scope text NOT NULL, operation text NOT NULL, key text NOT NULL, fingerprint bytea
      NOT NULL, sealed_for text, response bytea NOT NULL, created_at timestamptz NOT NULL`,
    indexes: ['USING brin (created_at)'],
    row: `'agent:' || md5((i % $3)::text)::uuid, 'postMessage', md5(i::text)::uuid::text,
      decode(repeat(md5(i::text), 2), 'hex'), null, decode(repeat(md5(i::text), 20), 'hex'), at`,
    twin: '40 days',
    age: 'created_at',
    reads: [
      {
        name: 'a key that was used',
        text: `SELECT fingerprint, response, created_at FROM grown
          WHERE scope = 'agent:' || md5($1)::uuid::text AND operation = 'postMessage'
            AND key = md5($2)::uuid::text`,
        values: (nr, scale) => {
          const row = pickRow(nr, scale);
          return [String(row % scale.agents), String(row)];
        },
      },
      {
        name: 'a new key',
        text: `SELECT fingerprint, response, created_at FROM grown
          WHERE scope = 'agent:' || md5($1)::uuid::text AND operation = 'postMessage'
            AND key = md5($2)::uuid::text`,
        values: (nr, scale) => [pickAgent(nr, scale), `new ${nr}`],
      },
    ],
    forms: [
      { name: 'one table', key: 'scope, operation, key' },
      {
        name: 'by month',
        key: 'scope, operation, key, created_at',
        by: 'month',
      },
      { name: 'by scope, 16 parts', key: 'scope, operation, key', by: { hash: 'scope' } },
    ],
  },
  {
    name: 'portable_events',
    columns: `id uuid NOT NULL, kind text NOT NULL, visibility text NOT NULL,
      occurred_at timestamptz NOT NULL, actor_id uuid, subject_type text NOT NULL,
      subject_id uuid NOT NULL, content_sha256 bytea NOT NULL, issuer text, realm text`,
    indexes: [],
    row: `${ID_OF_ROW}, 'message.posted', 'public', at, md5((i % $3)::text)::uuid, 'message',
      md5(i::text)::uuid, decode(repeat(md5(i::text), 2), 'hex'), 'https://stoa.example.org',
      'local'`,
    twin: '0 days',
    age: 'id',
    reads: [READ_BY_ID],
    forms: FORMS_BY_ID,
  },
  {
    name: 'audit_log',
    columns: `id uuid NOT NULL, administrator text NOT NULL, action text NOT NULL, target_type text
      NOT NULL, target_id text NOT NULL, reason text, facts jsonb NOT NULL, created_at timestamptz
      NOT NULL`,
    indexes: ['(created_at DESC, id DESC)'],
    row: `${ID_OF_ROW}, 'an administrator', 'agent.blocked', 'agent', md5(i::text)::uuid::text,
      'It posted the same advertisement in many rooms.', '{"blocked": true}'::jsonb, at`,
    twin: '0 days',
    age: 'id',
    reads: [
      READ_BY_ID,
      {
        name: 'newest page by time',
        text: 'SELECT * FROM grown ORDER BY created_at DESC, id DESC LIMIT 50',
        values: () => [],
      },
      {
        name: 'newest page by id',
        text: 'SELECT * FROM grown ORDER BY id DESC LIMIT 50',
        values: () => [],
      },
    ],
    forms: FORMS_BY_ID,
  },
];
