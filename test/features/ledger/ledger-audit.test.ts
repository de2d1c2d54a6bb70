import { randomUUID } from 'node:crypto';
import { describe, expect, inject, it } from 'vitest';
import { auditLedger, listFindings } from '../../../src/cli/ledger.ts';
import { openDatabase } from '../../../src/db/database.ts';
import { raw, sql } from '../../../src/db/sql.ts';
import { availableAccount, issuanceAccount } from '../../../src/features/ledger/rules.ts';
import * as ledger from '../../../src/features/ledger/store.ts';
import { startApp } from '../../support/app.ts';
import { createDatabase } from '../../support/database.ts';
import { factories } from '../../support/factories.ts';
import { creditHelpers, creditSettings } from '../credits/setup.ts';

const app = await startApp(creditSettings);
const { db, newId } = app.app.env;
const f = factories(app);
const p = creditHelpers(app, f);
const at = '2026-03-01T12:00:00.000Z';

describe('the ledger audit', () => {
  it('[ledger.audit] [ledger.guards] names every kind of inconsistency', async () => {
    const connection = await createDatabase(inject('server'));
    const brokenDatabase = openDatabase(connection);
    const listDifferences = async () =>
      (await auditLedger(brokenDatabase)).filter(({ differences }) => differences.length > 0);
    let wrong = listDifferences;
    try {
      const ada = newId();
      const bob = newId();
      for (const id of [ada, bob])
        await brokenDatabase.run(sql`
          INSERT INTO agents (id, handle, created_at, last_active_on)
          VALUES (${id}, ${`agent${id.slice(-8)}`}, now(), now())
        `);
      for (const [from, to] of [
        [issuanceAccount('earned'), availableAccount('earned', ada)],
        [availableAccount('earned', ada), availableAccount('earned', bob)],
      ] as const)
        await brokenDatabase.transaction((tx) =>
          ledger.post(tx, newId, {
            kind: 'offer.accepted',
            reference: to,
            amount: 9,
            transfers: [{ from, to }],
            at,
          }),
        );
      expect(await wrong()).toEqual([]);
      // Only the owner of the tables can do this.
      await brokenDatabase.run(sql`ALTER TABLE ledger_postings ENABLE TRIGGER apply`);
      await brokenDatabase.run(sql`DROP TRIGGER never_changes ON subsidies`);
      expect((await wrong())[0]?.differences).toEqual([
        { what: 'ledger_postings.apply', difference: 'fires as O' },
        { what: 'subsidies.never_changes', difference: 'missing' },
      ]);
      for (const table of ['ledger_accounts', 'ledger_postings', 'ledger_transactions'])
        await brokenDatabase.run(sql`ALTER TABLE ${raw(table)} DISABLE TRIGGER USER`);
      expect((await wrong())[0]?.differences).toContainEqual({
        what: 'ledger_accounts.kept',
        difference: 'switched off',
      });
      wrong = async () =>
        (await listDifferences()).filter(({ text }) => !text.startsWith('Everything that guards'));

      await brokenDatabase.run(sql`
        UPDATE ledger_accounts
        SET balance = 10
        WHERE name = ${availableAccount('earned', bob)}
      `);
      expect(await wrong()).toMatchObject([
        {
          text: expect.stringContaining('has the balance'),
          differences: [
            {
              what: availableAccount('earned', bob),
              difference: 'balance 10 in 1 entries, postings make 9 in 1',
            },
          ],
        },
      ]);
      await brokenDatabase.run(sql`
        UPDATE ledger_accounts
        SET balance = 9
        WHERE name = ${availableAccount('earned', bob)}
      `);

      await brokenDatabase.run(sql`
        INSERT INTO ledger_accounts (unit, purpose, owner, balance)
        VALUES ('earned', 'reserved', ${ada}, 4)
      `);
      expect((await wrong()).map(({ differences }) => differences[0]?.difference)).toEqual([
        'balance 4 in 0 entries, postings make 0 in 0',
        '4 reserved, 0 open',
      ]);
      await brokenDatabase.run(sql`DELETE FROM ledger_accounts WHERE purpose = 'reserved'`);

      await brokenDatabase.run(sql`
        DELETE FROM ledger_postings
        WHERE amount > 0 AND transaction_seq = (SELECT max(transaction_seq) FROM ledger_postings)
      `);
      const lost = await wrong();
      expect(lost[0]).toMatchObject({
        text: 'earned: 9 issued = 0 remaining in grants + 0 reserved + 0 held by agents + 0 spent.',
        differences: [{ what: 'earned', difference: '9 units are nowhere' }],
      });
      expect(lost.map(({ differences }) => differences[0]?.difference)).toContain(
        'offer.accepted of 9: postings of 9 earned sum to -9',
      );
    } finally {
      await brokenDatabase[Symbol.asyncDispose]();
    }
  });

  it('[ledger.audit] finds offers, grants and enrollments that contradict the ledger', async () => {
    const ada = await p.createHolder(50);
    const bob = await p.createHolder();
    await f.ok('POST', '/api/v1/enrollment', { key: ada.key });
    const paid = await p.createOffer(ada, 20, { recipient: bob.handle });
    const open = await p.createOffer(ada, 10);
    await p.sendOfferStep(bob, paid.id, 'accept');
    /** Runs a statement and returns the findings, then undoes the statement. */
    const listWrongAfter = async (statement: string) => {
      const found: string[] = [];
      const undone = new Error('undone');
      await db
        .transaction(async (tx) => {
          await tx.run(sql`${raw(statement)}`);
          for (const { text, differences } of await listFindings(tx))
            if (differences.length > 0) found.push(text);
          throw undone;
        })
        .catch((error) => {
          if (error !== undone) throw error;
        });
      return found;
    };
    expect(await listWrongAfter('SELECT 1')).toEqual([]);
    const ofOffers = expect.stringContaining('Every offer');
    expect(
      await listWrongAfter(
        `UPDATE offers SET recipient_id = '${(await f.createAgent()).id}' WHERE id = '${paid.id}'`,
      ),
    ).toEqual([ofOffers]);
    expect(await listWrongAfter(`UPDATE offers SET amount = 9 WHERE id = '${paid.id}'`)).toEqual([
      ofOffers,
    ]);
    expect(
      await listWrongAfter(`UPDATE records SET state = 'cancelled' WHERE id = '${open.id}'`),
    ).toEqual([expect.stringContaining('open offers and tasks'), ofOffers]);
    expect(await listWrongAfter(`DELETE FROM enrollments WHERE agent_id = '${ada.id}'`)).toEqual([
      expect.stringContaining('Every enrollment'),
    ]);
    await p.sendOfferStep(ada, open.id, 'cancel');
    expect(
      await listWrongAfter(
        `INSERT INTO subsidies (id, name, amount, created_at) VALUES ('${randomUUID()}', ` +
          `'Made up', 5, now())`,
      ),
    ).toEqual([expect.stringContaining('Every grant')]);
  });

  it('[ledger.supply] counts units issued, remaining, reserved, held and spent', async () => {
    const ada = await p.createHolder(50);
    const bob = await p.createHolder();
    await p.createOffer(ada, 20, { recipient: bob.handle });
    const [trial, earned] = await auditLedger(db);
    expect({ trial, earned }).toMatchObject({
      trial: { differences: [] },
      earned: { differences: [] },
    });
    const [, issued, remaining, reserved, held] =
      /^earned: (\d+) issued = (\d+) remaining in grants \+ (\d+) reserved \+ (\d+) held/
        .exec(earned?.text ?? '')
        ?.map(Number) ?? [];
    expect(issued).toBe((remaining ?? 0) + (reserved ?? 0) + (held ?? 0));
    expect(reserved).toBe(20);
  });
});
