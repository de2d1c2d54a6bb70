import { randomUUID } from 'node:crypto';
import { describe, expect, inject, it } from 'vitest';
import { auditLedger } from '../../../src/cli/ledger.ts';
import { openDatabase } from '../../../src/db/database.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { raw, sql } from '../../../src/db/sql.ts';
import { available, issuance } from '../../../src/features/ledger/rules.ts';
import * as ledger from '../../../src/features/ledger/store.ts';
import { startApp } from '../../support/app.ts';
import { CREDITS, purses } from '../credits/setup.ts';
import { createDatabase } from '../../support/database.ts';
import { factories, together } from '../../support/factories.ts';

const app = await startApp(CREDITS);
const other = await app.another();
const { db, newId } = app.app.env;
const f = factories(app);
const p = purses(app, f);
const at = '2026-03-01T12:00:00.000Z';

const move = (
  from: string,
  to: string,
  amount: number,
  reference: string = randomUUID(),
  node = app,
) =>
  node.app.env.db.transaction(async (tx) => {
    const { outcome } = await ledger.post(tx, newId, {
      kind: 'offer.accepted',
      reference,
      amount,
      transfers: [{ from, to }],
      at,
    });
    return outcome;
  });

const rows = async () =>
  (
    await db.first<{ n: number }>(
      sql`SELECT (SELECT count(*) FROM ledger_transactions) + (SELECT count(*) FROM ledger_postings) AS n`,
    )
  )?.n;
const balance = async (name: string) =>
  (
    await db.first<{ balance: number }>(
      sql`SELECT balance FROM ledger_accounts WHERE name = ${name}`,
    )
  )?.balance;

describe('a transfer', () => {
  it('[ledger.reference] happens once, whatever is raced on two nodes', async () => {
    const ada = available('earned', (await f.agent()).id);
    const outcomes = await together(12, (n) =>
      move(issuance('earned'), ada, 7, 'once', n % 2 ? app : other),
    );
    expect(outcomes.sort()).toEqual(['posted', ...Array(11).fill('repeated')]);
    expect(await balance(ada)).toBe(7);
    expect(await move(issuance('earned'), ada, 8, 'once')).toBe('repeated');
    // Known to have happened, although it could not happen again.
    const bob = available('earned', (await f.agent()).id);
    expect([
      await move(ada, bob, 7, 'spent'),
      await move(ada, bob, 7, 'spent'),
      await move(ada, bob, 7),
    ]).toEqual(['posted', 'repeated', 'insufficient']);
  });

  it('[ledger.not-negative] of more than there is moves nothing, also when many take at once', async () => {
    const [ada, bob] = [
      available('earned', (await f.agent()).id),
      available('earned', (await f.agent()).id),
    ];
    await move(issuance('earned'), ada, 10);
    const outcomes = await together(8, (n) => move(ada, bob, 3, `take ${n}`, n % 2 ? app : other));
    expect(outcomes.filter((outcome) => outcome === 'posted')).toHaveLength(3);
    expect([await balance(ada), await balance(bob)]).toEqual([1, 9]);
    const before = await rows();
    expect(await move(ada, bob, 2)).toBe('insufficient');
    expect(await rows()).toBe(before);
  });

  it('[ledger.deadlocks] between the same accounts in all directions waits in no circle', async () => {
    const names = (await together(4, () => f.agent())).map(({ id }) => available('earned', id));
    for (const name of names) await move(issuance('earned'), name, 1000);
    const deadlocks = async () =>
      (
        await db.first<{ n: number }>(
          sql`SELECT deadlocks AS n FROM pg_stat_database WHERE datname = current_database()`,
        )
      )?.n;
    const before = await deadlocks();
    const outcomes = await together(200, (n) =>
      move(
        names[n % 4] as string,
        names[(n * 7 + 1 + (n % 3)) % 4] as string,
        1,
        `round ${n}`,
        n % 2 ? app : other,
      ).catch(() => 'same'),
    );
    expect(outcomes.filter((outcome) => outcome === 'posted').length).toBeGreaterThan(100);
    expect(
      (await Promise.all(names.map(balance))).reduce((sum: number, one) => sum + (one ?? 0), 0),
    ).toBe(4000);
    await db.run(sql`SELECT pg_stat_force_next_flush()`);
    expect(await deadlocks()).toBe(before);
  });

  it('[ledger.bounds] issues no more than JSON can carry', async () => {
    const ada = available('trial', (await f.agent()).id);
    const largest = Number.MAX_SAFE_INTEGER;
    const before = (await balance('trial:issuance')) as number;
    expect(await move(issuance('trial'), ada, largest + before + 1)).toBe('insufficient');
    expect(await move(issuance('trial'), ada, largest + before)).toBe('posted');
    expect(await move(issuance('trial'), ada, 1)).toBe('insufficient');
    expect(await balance('trial:issuance')).toBe(-largest);
    expect(await move(ada, issuance('trial'), largest + before)).toBe('posted');
    for (const amount of [0, -1])
      await expect(move(ada, issuance('trial'), amount)).rejects.toThrow('check constraint');
  });
});

describe('PostgreSQL', () => {
  /** What the statement is refused with, in a transaction that is rolled back in any case. */
  const refusal = (statement: string, setting = '') =>
    db
      .transaction(async (tx) => {
        if (setting)
          await tx.run(
            sql`SELECT set_config(${setting.split('=')[0]}, ${setting.split('=')[1]}, true)`,
          );
        for (const one of statement.split(';')) await tx.run(sql`${raw(one)}`);
        throw new Error('accepted');
      })
      .catch((error: Error) => error.message);

  it('[ledger.immutable] refuses every other change, to the owner and whatever the session sets', async () => {
    const ada = await p.holder(5);
    await p.balances(ada);
    for (const setting of ['', 'session_replication_role=replica']) {
      for (const table of ['ledger_transactions', 'ledger_postings']) {
        expect(await refusal(`UPDATE ${table} SET amount = amount`, setting)).toBe(
          `${table} is append-only`,
        );
        expect(await refusal(`DELETE FROM ${table}`, setting)).toBe(`${table} is append-only`);
        expect(await refusal(`TRUNCATE ${table} CASCADE`, setting)).toMatch(/ is append-only$/);
      }
      for (const statement of [
        'UPDATE ledger_accounts SET balance = 1000',
        'DELETE FROM ledger_accounts',
        'TRUNCATE ledger_accounts CASCADE',
      ])
        expect(await refusal(statement, setting)).toMatch(/^ledger_\w+ is append-only$/);
      const account = `INSERT INTO ledger_accounts (unit, purpose, owner, balance) VALUES ('trial', 'reserved', '${ada.id}', 5)`;
      expect(await refusal(account, setting)).toBe('ledger_accounts is append-only');
      const first = `INSERT INTO ledger_accounts (unit, purpose, owner) VALUES ('earned', 'available', '${ada.id}')`;
      for (const statement of [
        `${first} ON CONFLICT (name) DO UPDATE SET balance = 1000`,
        `MERGE INTO ledger_accounts a USING (VALUES (1)) v ON a.owner = '${ada.id}' WHEN MATCHED THEN UPDATE SET balance = 1000`,
        'MERGE INTO ledger_postings p USING (VALUES (1)) v ON true WHEN MATCHED THEN DELETE',
        'UPDATE subsidies SET amount = amount + 1',
        'DELETE FROM subsidies',
        'TRUNCATE subsidies CASCADE',
      ])
        expect(await refusal(statement, setting), statement).toMatch(/^\w+ is append-only$/);
    }
  });

  it('[ledger.immutable] [ledger.guards] lets no trigger of somebody else change a balance or an account, either', async () => {
    const ada = await p.holder(5);
    const hidden = (change: string) =>
      db
        .transaction(async (tx) => {
          await tx.run(sql`CREATE TEMP TABLE bait (n int) ON COMMIT DROP`);
          await tx.run(
            sql`${raw(`CREATE FUNCTION pg_temp.hook() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE ledger_accounts SET ${change}; RETURN NULL; END $$`)}`,
          );
          await tx.run(
            sql`CREATE TRIGGER hook AFTER INSERT ON bait FOR EACH STATEMENT EXECUTE FUNCTION pg_temp.hook()`,
          );
          await tx.run(sql`INSERT INTO bait VALUES (1)`);
          throw new Error('accepted');
        })
        .catch((error: Error) => error.message);
    for (const change of [
      `balance = balance + 1 WHERE owner = '${ada.id}'`,
      `entries = entries + 1, balance = balance - 1 WHERE owner = '${ada.id}'`,
      `entries = entries + 1, purpose = 'reserved' WHERE owner = '${ada.id}'`,
    ])
      expect(await hidden(change), change).toBe(
        'postings with another balance than their accounts',
      );
  });

  it('[ledger.immutable] holds for a role of the service that is no superuser, too, and lets it work', async () => {
    const { connection, drop } = await createDatabase(inject('server'));
    const role = `plain_${connection.database}`;
    const owner = openDatabase(connection);
    await owner.run(sql`CREATE ROLE ${raw(role)} LOGIN`);
    await owner.run(sql`ALTER DATABASE ${raw(connection.database)} OWNER TO ${raw(role)}`);
    await owner.run(sql`DROP SCHEMA public CASCADE`);
    await owner.run(sql`CREATE SCHEMA public AUTHORIZATION ${raw(role)}`);
    const plain = openDatabase({ ...connection, user: role });
    try {
      await migrate({ ...connection, user: role });
      const id = newId();
      await plain.run(
        sql`INSERT INTO agents (id, handle, created_at, last_active_on) VALUES (${id}, 'plain', now(), now())`,
      );
      const transfers = [{ from: issuance('trial'), to: available('trial', id) }];
      const post = (reference: string) =>
        plain.transaction((tx) =>
          ledger.post(tx, newId, { kind: 'offer.accepted', reference, amount: 100, transfers, at }),
        );
      expect((await post('one')).outcome).toBe('posted');
      expect((await post('two')).outcome).toBe('posted');
      for (const statement of [
        'UPDATE ledger_postings SET amount = 1',
        'UPDATE ledger_transactions SET amount = 1',
        'DELETE FROM ledger_transactions',
        'TRUNCATE ledger_postings',
        'UPDATE ledger_accounts SET balance = 1',
      ])
        await expect(plain.run(sql`${raw(statement)}`), statement).rejects.toThrow(
          /is append-only|permission denied/,
        );
      expect((await auditLedger(plain)).flatMap(({ differences }) => differences)).toEqual([]);
    } finally {
      await plain[Symbol.asyncDispose]();
      await owner[Symbol.asyncDispose]();
      await drop();
    }
    await db.run(sql`DROP ROLE ${raw(role)}`);
  });

  it('[ledger.balanced] [ledger.not-negative] refuses postings that are wrong in any way', async () => {
    const [ada, bob] = [await p.holder(5), await p.holder(5)];
    const idOf = async (name: string) =>
      (await db.first<{ id: number }>(sql`SELECT id FROM ledger_accounts WHERE name = ${name}`))
        ?.id;
    const [a, b] = [
      await idOf(available('earned', ada.id)),
      await idOf(available('earned', bob.id)),
    ];
    const [trial, sink] = [await idOf('trial:issuance'), await idOf('trial:sink')];
    const last = `${(await db.first<{ seq: number }>(sql`SELECT max(seq) AS seq FROM ledger_transactions`))?.seq}`;
    const open = `INSERT INTO ledger_transactions (id, kind, reference, amount, created_at) VALUES ('${randomUUID()}', 'test', 'test', 3, now())`;
    const seq = `(SELECT seq FROM ledger_transactions WHERE reference = 'test')`;
    const post = (...postings: [account: unknown, amount: number, after: number, seq?: string][]) =>
      `${open};INSERT INTO ledger_postings (account_id, transaction_seq, id, amount, balance_after) VALUES ${postings.map(([account, amount, after, of = seq]) => `(${account}, ${of}, '${randomUUID()}', ${amount}, ${after})`)}`;
    expect(await refusal(post([a, -3, 2], [b, 3, 8]))).toBe('accepted');
    expect(await refusal(post([a, 3, 8]))).toBe('postings do not balance');
    expect(await refusal(post([a, -3, 2], [trial, 3, 3]))).toBe('postings do not balance');
    expect(await refusal(post([a, -2, 3], [b, 2, 7]))).toBe(
      'postings of another amount than their transaction',
    );
    expect(await refusal(post([a, -3, 2], [b, 3, 9]))).toBe(
      'postings with another balance than their accounts',
    );
    expect(
      await refusal(post([a, -3, 2], [b, 3, 8], [trial, -3, -3, last], [sink, 3, 3, last])),
    ).toBe('postings of several transactions at once');
    expect(
      await refusal(
        `${post([a, -3, 2], [b, 3, 8])};${post([trial, -3, -3], [sink, 3, 3]).split(';')[1]}`,
      ),
    ).toBe('postings of a transaction that has some already');
    expect(
      await refusal(post([a, -6, -1], [b, 6, 11]).replace("'test', 3,", "'test', 6,")),
    ).toContain('violates check constraint');
    expect(
      await refusal(`${open};${open.replace(/'[0-9a-f-]{36}'/, `'${randomUUID()}'`)}`),
    ).toContain('ledger_transactions_reference_key');
  });
});
