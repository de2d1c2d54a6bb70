import { randomUUID } from 'node:crypto';
import { describe, expect, inject, it } from 'vitest';
import { auditLedger } from '../../../src/cli/ledger.ts';
import { openDatabase } from '../../../src/db/database.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { raw, sql } from '../../../src/db/sql.ts';
import { availableAccount, issuanceAccount } from '../../../src/features/ledger/rules.ts';
import * as ledger from '../../../src/features/ledger/store.ts';
import { startApp } from '../../support/app.ts';
import { createDatabase } from '../../support/database.ts';
import { factories, runConcurrently } from '../../support/factories.ts';
import { creditHelpers, creditSettings } from '../credits/setup.ts';

const app = await startApp(creditSettings);
const other = await app.startNode();
const { db, newId } = app.app.env;
const f = factories(app);
const p = creditHelpers(app, f);
const at = '2026-03-01T12:00:00.000Z';

const postTransfer = (
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

const countRows = async () =>
  (
    await db.first<{ n: number }>(sql`
      SELECT (
        SELECT count(*)
        FROM ledger_transactions
      ) + (SELECT count(*) FROM ledger_postings) AS n
    `)
  )?.n;
const getBalance = async (name: string) =>
  (
    await db.first<{ balance: number }>(
      sql`SELECT balance FROM ledger_accounts WHERE name = ${name}`,
    )
  )?.balance;

describe('transfers', () => {
  it('[ledger.reference] happen once, whatever races on two nodes', async () => {
    const ada = availableAccount('earned', (await f.createAgent()).id);
    const outcomes = await runConcurrently(12, (n) =>
      postTransfer(issuanceAccount('earned'), ada, 7, 'once', n % 2 ? app : other),
    );
    expect(outcomes.sort()).toEqual(['posted', ...Array(11).fill('repeated')]);
    expect(await getBalance(ada)).toBe(7);
    expect(await postTransfer(issuanceAccount('earned'), ada, 8, 'once')).toBe('repeated');
    // The reference is recorded, although another transfer would be refused now.
    const bob = availableAccount('earned', (await f.createAgent()).id);
    expect({
      first: await postTransfer(ada, bob, 7, 'spent'),
      again: await postTransfer(ada, bob, 7, 'spent'),
      another: await postTransfer(ada, bob, 7),
    }).toEqual({ first: 'posted', again: 'repeated', another: 'insufficient' });
  });

  it('[ledger.not-negative] of more than is available move nothing, also in a race', async () => {
    const ada = availableAccount('earned', (await f.createAgent()).id);
    const bob = availableAccount('earned', (await f.createAgent()).id);
    await postTransfer(issuanceAccount('earned'), ada, 10);
    const outcomes = await runConcurrently(8, (n) =>
      postTransfer(ada, bob, 3, `take ${n}`, n % 2 ? app : other),
    );
    expect(outcomes.filter((outcome) => outcome === 'posted')).toHaveLength(3);
    expect({ ada: await getBalance(ada), bob: await getBalance(bob) }).toEqual({ ada: 1, bob: 9 });
    const before = await countRows();
    expect(await postTransfer(ada, bob, 2)).toBe('insufficient');
    expect(await countRows()).toBe(before);
  });

  it('[ledger.deadlocks] between the same accounts in all directions never deadlock', async () => {
    const names = (await runConcurrently(4, () => f.createAgent())).map(({ id }) =>
      availableAccount('earned', id),
    );
    for (const name of names) await postTransfer(issuanceAccount('earned'), name, 1000);
    const countDeadlocks = async () =>
      (
        await db.first<{ n: number }>(sql`
          SELECT deadlocks AS n
          FROM pg_stat_database
          WHERE datname = current_database()
        `)
      )?.n;
    const before = await countDeadlocks();
    const outcomes = await runConcurrently(200, (n) =>
      postTransfer(
        names[n % 4] as string,
        names[(n * 7 + 1 + (n % 3)) % 4] as string,
        1,
        `round ${n}`,
        n % 2 ? app : other,
      ).catch(() => 'same'),
    );
    expect(outcomes.filter((outcome) => outcome === 'posted').length).toBeGreaterThan(100);
    expect(
      (await Promise.all(names.map(getBalance))).reduce((sum: number, one) => sum + (one ?? 0), 0),
    ).toBe(4000);
    await db.run(sql`SELECT pg_stat_force_next_flush()`);
    expect(await countDeadlocks()).toBe(before);
  });

  it('[ledger.bounds] issue no more than JSON integers can carry', async () => {
    const ada = availableAccount('trial', (await f.createAgent()).id);
    const largest = Number.MAX_SAFE_INTEGER;
    const before = (await getBalance('trial:issuance')) as number;
    expect(await postTransfer(issuanceAccount('trial'), ada, largest + before + 1)).toBe(
      'insufficient',
    );
    expect(await postTransfer(issuanceAccount('trial'), ada, largest + before)).toBe('posted');
    expect(await postTransfer(issuanceAccount('trial'), ada, 1)).toBe('insufficient');
    expect(await getBalance('trial:issuance')).toBe(-largest);
    expect(await postTransfer(ada, issuanceAccount('trial'), largest + before)).toBe('posted');
    for (const amount of [0, -1])
      await expect(postTransfer(ada, issuanceAccount('trial'), amount)).rejects.toThrow(
        'check constraint',
      );
  });
});

describe('PostgreSQL', () => {
  /** Returns the error of a statement, in a transaction that is rolled back in any case. */
  const expectRefused = (statement: string, setting = '') =>
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

  it('[ledger.immutable] rejects every other change by the owner, whatever is set', async () => {
    const ada = await p.createHolder(5);
    await p.getBalances(ada);
    for (const setting of ['', 'session_replication_role=replica']) {
      for (const table of ['ledger_transactions', 'ledger_postings']) {
        expect(await expectRefused(`UPDATE ${table} SET amount = amount`, setting)).toBe(
          `${table} is append-only`,
        );
        expect(await expectRefused(`DELETE FROM ${table}`, setting)).toBe(
          `${table} is append-only`,
        );
        expect(await expectRefused(`TRUNCATE ${table} CASCADE`, setting)).toMatch(
          / is append-only$/,
        );
      }
      for (const statement of [
        'UPDATE ledger_accounts SET balance = 1000',
        'DELETE FROM ledger_accounts',
        'TRUNCATE ledger_accounts CASCADE',
      ])
        expect(await expectRefused(statement, setting)).toMatch(/^ledger_\w+ is append-only$/);
      const account =
        `INSERT INTO ledger_accounts (unit, purpose, owner, balance) VALUES ('trial', ` +
        `'reserved', '${ada.id}', 5)`;
      expect(await expectRefused(account, setting)).toBe('ledger_accounts is append-only');
      const first =
        `INSERT INTO ledger_accounts (unit, purpose, owner) VALUES ('earned', 'available', ` +
        `'${ada.id}')`;
      for (const statement of [
        `${first} ON CONFLICT (name) DO UPDATE SET balance = 1000`,
        `MERGE INTO ledger_accounts a USING (VALUES (1)) v ON a.owner = '${ada.id}' WHEN ` +
          'MATCHED THEN UPDATE SET balance = 1000',
        'MERGE INTO ledger_postings p USING (VALUES (1)) v ON true WHEN MATCHED THEN DELETE',
        'UPDATE subsidies SET amount = amount + 1',
        'DELETE FROM subsidies',
        'TRUNCATE subsidies CASCADE',
      ])
        expect(await expectRefused(statement, setting), statement).toMatch(/^\w+ is append-only$/);
    }
  });

  it('[ledger.immutable] [ledger.guards] ignores triggers of other owners', async () => {
    const ada = await p.createHolder(5);
    const changeHidden = (change: string) =>
      db
        .transaction(async (tx) => {
          await tx.run(sql`CREATE TEMP TABLE bait (n int) ON COMMIT DROP`);
          await tx.run(sql`
            ${raw(`CREATE FUNCTION pg_temp.hook() RETURNS trigger LANGUAGE plpgsql AS $$
              BEGIN UPDATE ledger_accounts SET ${change}; RETURN NULL; END $$`)}
          `);
          await tx.run(sql`
            CREATE TRIGGER hook AFTER
            INSERT ON bait FOR EACH STATEMENT EXECUTE FUNCTION pg_temp.hook()
          `);
          await tx.run(sql`INSERT INTO bait VALUES (1)`);
          throw new Error('accepted');
        })
        .catch((error: Error) => error.message);
    for (const change of [
      `balance = balance + 1 WHERE owner = '${ada.id}'`,
      `entries = entries + 1, balance = balance - 1 WHERE owner = '${ada.id}'`,
      `entries = entries + 1, purpose = 'reserved' WHERE owner = '${ada.id}'`,
    ])
      expect(await changeHidden(change), change).toBe(
        'postings with another balance than their accounts',
      );
  });

  it('[ledger.immutable] protects the ledger from an ordinary service role too', async () => {
    const connection = await createDatabase(inject('server'));
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
      await plain.run(sql`
        INSERT INTO agents (id, handle, created_at, last_active_on)
        VALUES (${id}, 'plain', now(), now())
      `);
      const transfers = [{ from: issuanceAccount('trial'), to: availableAccount('trial', id) }];
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
      await owner.run(sql`REASSIGN OWNED BY ${raw(role)} TO CURRENT_USER`);
      await owner.run(sql`DROP ROLE ${raw(role)}`);
      await owner[Symbol.asyncDispose]();
    }
  });

  it('[ledger.balanced] [ledger.not-negative] rejects invalid postings', async () => {
    const ada = await p.createHolder(5);
    const bob = await p.createHolder(5);
    const getAccountId = async (name: string) =>
      (await db.first<{ id: number }>(sql`SELECT id FROM ledger_accounts WHERE name = ${name}`))
        ?.id;
    const a = await getAccountId(availableAccount('earned', ada.id));
    const b = await getAccountId(availableAccount('earned', bob.id));
    const trial = await getAccountId('trial:issuance');
    const sink = await getAccountId('trial:sink');
    const last = `${
      (
        await db.first<{ seq: number }>(sql`
      SELECT max(seq) AS seq
      FROM ledger_transactions
    `)
      )?.seq
    }`;
    const open =
      'INSERT INTO ledger_transactions (id, kind, reference, amount, created_at) VALUES ' +
      `('${randomUUID()}', 'test', 'test', 3, now())`;
    const seq = `(SELECT seq FROM ledger_transactions WHERE reference = 'test')`;
    const post = (...postings: [account: unknown, amount: number, after: number, seq?: string][]) =>
      `${open};INSERT INTO ledger_postings (account_id, transaction_seq, id, amount, ` +
      'balance_after) VALUES ' +
      postings
        .map(
          ([account, amount, after, of = seq]) =>
            `(${account}, ${of}, '${randomUUID()}', ${amount}, ${after})`,
        )
        .join();
    expect(await expectRefused(post([a, -3, 2], [b, 3, 8]))).toBe('accepted');
    expect(await expectRefused(post([a, 3, 8]))).toBe('postings do not balance');
    expect(await expectRefused(post([a, -3, 2], [trial, 3, 3]))).toBe('postings do not balance');
    expect(await expectRefused(post([a, -2, 3], [b, 2, 7]))).toBe(
      'postings of another amount than their transaction',
    );
    expect(await expectRefused(post([a, -3, 2], [b, 3, 9]))).toBe(
      'postings with another balance than their accounts',
    );
    expect(
      await expectRefused(post([a, -3, 2], [b, 3, 8], [trial, -3, -3, last], [sink, 3, 3, last])),
    ).toBe('postings of several transactions at once');
    expect(
      await expectRefused(
        `${post([a, -3, 2], [b, 3, 8])};${post([trial, -3, -3], [sink, 3, 3]).split(';')[1]}`,
      ),
    ).toBe('postings of a transaction that has some already');
    expect(
      await expectRefused(post([a, -6, -1], [b, 6, 11]).replace("'test', 3,", "'test', 6,")),
    ).toContain('violates check constraint');
    expect(
      await expectRefused(`${open};${open.replace(/'[0-9a-f-]{36}'/, `'${randomUUID()}'`)}`),
    ).toContain('ledger_transactions_reference_key');
  });
});
