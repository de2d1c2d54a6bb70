/**
 * A double-entry ledger. PostgreSQL itself enforces its invariants for every writer: see
 * docs/decisions/0015-ledger.md.
 */
export const ledger = `
CREATE TABLE subsidies (
  id uuid PRIMARY KEY,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
  amount bigint NOT NULL CHECK (amount > 0),
  -- Null when the grant's amount is the only limit.
  per_task bigint CHECK (per_task > 0),
  per_operator bigint CHECK (per_operator > 0),
  per_day bigint CHECK (per_day > 0),
  expires_at timestamptz,
  created_at timestamptz NOT NULL
);
CREATE INDEX subsidies_newest ON subsidies (created_at DESC, id DESC);

-- One row for each owner, unit and purpose. A purpose has several parts only where too many
-- transactions would wait for one row.
CREATE TABLE ledger_accounts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  unit text NOT NULL CHECK (unit IN ('trial', 'earned')),
  purpose text NOT NULL
    CHECK (purpose IN ('issuance', 'sink', 'available', 'reserved', 'grant', 'escrow')),
  owner uuid,
  part smallint,
  agent_id uuid GENERATED ALWAYS AS (CASE WHEN purpose IN ('available', 'reserved') THEN owner END)
    STORED REFERENCES agents,
  subsidy_id uuid GENERATED ALWAYS AS (CASE WHEN purpose IN ('grant', 'escrow') THEN owner END)
    STORED REFERENCES subsidies,
  -- Such as "earned:available:<agent>". Transfers refer to accounts by name and lock them in this
  -- order.
  name text COLLATE "C" NOT NULL UNIQUE
    GENERATED ALWAYS AS (unit || ':' || purpose || coalesce(':' || owner::text, '')
      || coalesce(':' || part::text, '')) STORED,
  -- JSON cannot carry larger integers. The issuance account is negative by the issued amount.
  balance bigint NOT NULL DEFAULT 0
    CHECK (balance BETWEEN CASE WHEN purpose = 'issuance' THEN -9007199254740991 ELSE 0 END
      AND 9007199254740991),
  entries bigint NOT NULL DEFAULT 0,
  CHECK ((owner IS NULL) = (purpose IN ('issuance', 'sink'))),
  CHECK ((part IS NOT NULL) = (purpose = 'escrow')),
  CHECK (unit = 'earned' OR purpose NOT IN ('grant', 'escrow')),
  CHECK (unit = 'trial' OR purpose <> 'sink')
) WITH (fillfactor = 70);
CREATE INDEX ledger_accounts_of_agent ON ledger_accounts (agent_id) WHERE agent_id IS NOT NULL;
CREATE INDEX ledger_accounts_of_subsidy ON ledger_accounts (subsidy_id)
  WHERE subsidy_id IS NOT NULL;
INSERT INTO ledger_accounts (unit, purpose)
  VALUES ('trial', 'issuance'), ('trial', 'sink'), ('earned', 'issuance');

-- Units move from one account to another, and all postings of a transaction have one amount.
CREATE TABLE ledger_transactions (
  -- Assigned under the locks of the accounts, so of two transactions with a common account the
  -- later one has the higher number.
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL UNIQUE,
  kind text NOT NULL,
  -- An event that may happen only once has one reference, despite retries and races.
  reference text COLLATE "C" NOT NULL UNIQUE CHECK (length(reference) BETWEEN 1 AND 200),
  amount bigint NOT NULL CHECK (amount BETWEEN 1 AND 9007199254740991),
  compensates uuid REFERENCES ledger_transactions (id),
  created_at timestamptz NOT NULL,
  CHECK ((compensates IS NOT NULL) = (kind = 'compensation'))
);
CREATE INDEX ledger_transactions_compensating ON ledger_transactions (compensates)
  WHERE compensates IS NOT NULL;

CREATE TABLE ledger_postings (
  account_id bigint NOT NULL REFERENCES ledger_accounts,
  transaction_seq bigint NOT NULL REFERENCES ledger_transactions,
  id uuid NOT NULL,
  amount bigint NOT NULL CHECK (amount <> 0),
  balance_after bigint NOT NULL,
  PRIMARY KEY (account_id, transaction_seq)
);
CREATE INDEX ledger_postings_of_transaction ON ledger_postings (transaction_seq);

-- The postings of a transaction are inserted by one statement and are balanced in each unit.
-- Nothing else changes balances.
CREATE FUNCTION ledger_apply() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    wrong text;
  BEGIN
    WITH sums AS (SELECT n.transaction_seq, a.unit, sum(n.amount) AS sum, count(*) AS count
      FROM posted n JOIN ledger_accounts a ON a.id = n.account_id GROUP BY 1, 2),
      whole AS (SELECT transaction_seq, sum(count) AS count,
        count(*) FILTER (WHERE sum <> 0) AS unbalanced FROM sums GROUP BY 1)
    SELECT CASE
        WHEN (SELECT count(*) FROM whole) > 1 THEN 'of several transactions at once'
        WHEN w.unbalanced > 0 THEN 'do not balance'
        WHEN w.count <> (SELECT count(*) FROM ledger_postings p
          WHERE p.transaction_seq = w.transaction_seq) THEN 'of a transaction that has some already'
        WHEN EXISTS (SELECT 1 FROM posted n JOIN ledger_transactions t ON t.seq = n.transaction_seq
          WHERE abs(n.amount) <> t.amount) THEN 'of another amount than their transaction'
      END INTO wrong FROM whole w LIMIT 1;
    IF wrong IS NULL THEN
      UPDATE ledger_accounts a SET balance = a.balance + n.amount, entries = a.entries + 1
        FROM posted n WHERE a.id = n.account_id;
      IF EXISTS (SELECT 1 FROM posted n JOIN ledger_accounts a ON a.id = n.account_id
        WHERE a.balance <> n.balance_after) THEN
        wrong := 'with another balance than their accounts';
      END IF;
    END IF;
    IF wrong IS NOT NULL THEN
      RAISE EXCEPTION 'postings %', wrong USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
  END $$;
CREATE TRIGGER apply AFTER INSERT ON ledger_postings REFERENCING NEW TABLE AS posted FOR EACH
  STATEMENT EXECUTE FUNCTION ledger_apply();
ALTER TABLE ledger_postings ENABLE ALWAYS TRIGGER apply;

-- This applies to every role, including the tables' owner and superusers, whatever the session
-- sets.
CREATE FUNCTION refuse_to_rewrite_ledger() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege'; END $$;
CREATE TRIGGER append_only
  BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transactions FOR EACH STATEMENT
  EXECUTE FUNCTION refuse_to_rewrite_ledger();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_postings FOR EACH STATEMENT
  EXECUTE FUNCTION refuse_to_rewrite_ledger();
CREATE TRIGGER kept BEFORE DELETE OR TRUNCATE ON ledger_accounts FOR EACH STATEMENT
  EXECUTE FUNCTION refuse_to_rewrite_ledger();
-- Only the trigger of postings changes a balance, and an account begins empty.
CREATE TRIGGER posted_only BEFORE UPDATE ON ledger_accounts FOR EACH STATEMENT
  WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION refuse_to_rewrite_ledger();
CREATE TRIGGER begins_empty BEFORE INSERT ON ledger_accounts FOR EACH ROW
  WHEN (NEW.balance <> 0 OR NEW.entries <> 0) EXECUTE FUNCTION refuse_to_rewrite_ledger();
ALTER TABLE ledger_transactions ENABLE ALWAYS TRIGGER append_only;
ALTER TABLE ledger_postings ENABLE ALWAYS TRIGGER append_only;
ALTER TABLE ledger_accounts ENABLE ALWAYS TRIGGER kept;
ALTER TABLE ledger_accounts ENABLE ALWAYS TRIGGER posted_only;
ALTER TABLE ledger_accounts ENABLE ALWAYS TRIGGER begins_empty;
-- The owner must keep UPDATE on referenced tables, or PostgreSQL could not check foreign keys.
REVOKE UPDATE ON ledger_postings FROM PUBLIC, CURRENT_USER;
REVOKE DELETE, TRUNCATE ON ledger_accounts, ledger_transactions, ledger_postings
  FROM PUBLIC, CURRENT_USER;

-- Moves an amount from each source account to the target at the same index, all or nothing.
-- Accounts are created when first needed and locked in the order of their names until the commit.
-- Returns 'posted', 'insufficient' (nothing was done) or 'repeated' (the reference exists, nothing
-- was done).
CREATE FUNCTION ledger_post(new_id uuid, new_kind text, new_reference text, moved bigint,
  sources text[], targets text[], posting_ids uuid[], at timestamptz, compensated uuid)
  RETURNS text LANGUAGE plpgsql AS $$
  DECLARE
    account text;
    held ledger_accounts;
    ids bigint[] := '{}';
    amounts bigint[] := '{}';
    afters bigint[] := '{}';
    change bigint;
    next_seq bigint;
  BEGIN
    FOR account IN SELECT DISTINCT n COLLATE "C" FROM unnest(sources || targets) n ORDER BY 1 LOOP
      SELECT * INTO held FROM ledger_accounts WHERE name = account FOR NO KEY UPDATE;
      IF NOT FOUND THEN
        INSERT INTO ledger_accounts (unit, purpose, owner, part)
          VALUES (split_part(account, ':', 1), split_part(account, ':', 2),
            nullif(split_part(account, ':', 3), '')::uuid,
            nullif(split_part(account, ':', 4), '')::smallint)
          ON CONFLICT (name) DO NOTHING;
        SELECT * INTO held FROM ledger_accounts WHERE name = account FOR NO KEY UPDATE;
      END IF;
      change := CASE WHEN account = ANY(sources) THEN -moved ELSE moved END;
      IF held.balance + change < (CASE WHEN held.purpose = 'issuance' THEN -9007199254740991
        ELSE 0 END) THEN
        RETURN CASE WHEN EXISTS (SELECT 1 FROM ledger_transactions
          WHERE reference = new_reference) THEN 'repeated' ELSE 'insufficient' END;
      END IF;
      ids := ids || held.id;
      amounts := amounts || change;
      afters := afters || held.balance + change;
    END LOOP;
    INSERT INTO ledger_transactions (id, kind, reference, amount, compensates, created_at)
      VALUES (new_id, new_kind, new_reference, moved, compensated, at)
      ON CONFLICT (reference) DO NOTHING RETURNING seq INTO next_seq;
    IF next_seq IS NULL THEN
      RETURN 'repeated';
    END IF;
    INSERT INTO ledger_postings (account_id, transaction_seq, id, amount, balance_after)
      SELECT p.account_id, next_seq, p.id, p.amount, p.balance_after
        FROM unnest(ids, posting_ids, amounts, afters) AS p (account_id, id, amount, balance_after);
    RETURN 'posted';
  END $$;

CREATE TABLE enrollments (
  id uuid PRIMARY KEY,
  agent_id uuid NOT NULL UNIQUE REFERENCES agents,
  transaction_id uuid NOT NULL REFERENCES ledger_transactions (id),
  receipt_id uuid NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE TABLE offers (
  id uuid PRIMARY KEY REFERENCES records,
  kind text NOT NULL CHECK (kind IN ('gift', 'payable')),
  sender_id uuid NOT NULL REFERENCES agents,
  -- The confirmed recipient, or the one at the end of the offer.
  recipient_id uuid REFERENCES agents CHECK (recipient_id <> sender_id),
  amount bigint NOT NULL CHECK (amount BETWEEN 1 AND 9007199254740991),
  work_type text CHECK (work_type IN ('message', 'interaction', 'file')),
  work_id uuid,
  -- The author of the work, even after the work is deleted.
  author_id uuid REFERENCES agents CHECK (author_id <> sender_id),
  note text CHECK (length(note) <= 1000),
  expires_at timestamptz,
  -- Equal to expires_at while the offer is open; the job searches by it.
  due_at timestamptz CHECK (due_at = expires_at),
  created_at timestamptz NOT NULL,
  CHECK ((kind = 'payable') = (work_type IS NOT NULL)),
  CHECK ((work_type IS NULL) = (work_id IS NULL)),
  CHECK ((work_type IS NULL) = (author_id IS NULL)),
  CHECK (recipient_id = author_id),
  CHECK ((kind = 'gift') = (expires_at IS NOT NULL))
) WITH (fillfactor = 80);
CREATE INDEX offers_of_sender ON offers (sender_id, created_at DESC, id DESC);
CREATE INDEX offers_of_recipient ON offers (recipient_id, created_at DESC, id DESC)
  WHERE recipient_id IS NOT NULL;
CREATE INDEX offers_due ON offers (due_at) WHERE due_at IS NOT NULL;
`;
