/**
 * Further guards of ledger, grants and fixtures, in addition to migrations 12 and 17, and an index
 * of tasks by state. See docs/decisions/0015-ledger.md.
 */
export const guards = `
-- Even when another trigger changes an account, its balance must be that after its newest posting,
-- and its identity cannot change.
CREATE FUNCTION follow_postings() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (NEW.id, NEW.unit, NEW.purpose) = (OLD.id, OLD.unit, OLD.purpose)
    AND (NEW.owner, NEW.part) IS NOT DISTINCT
    FROM (OLD.owner, OLD.part) AND NEW.entries = OLD.entries + 1
    AND NEW.balance = (SELECT balance_after FROM ledger_postings WHERE account_id = NEW.id
      ORDER BY transaction_seq DESC LIMIT 1) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'postings with another balance than their accounts'
    USING ERRCODE = 'integrity_constraint_violation'; END $$;
CREATE TRIGGER follows_postings BEFORE UPDATE ON ledger_accounts FOR EACH ROW
  EXECUTE FUNCTION follow_postings();
ALTER TABLE ledger_accounts ENABLE ALWAYS TRIGGER follows_postings;

-- The same checks in one statement instead of three, because accounts are locked while it runs.
CREATE OR REPLACE FUNCTION ledger_apply() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    wrong text;
  BEGIN
    WITH moved AS (
      UPDATE ledger_accounts a SET balance = a.balance + n.amount, entries = a.entries + 1
        FROM posted n WHERE a.id = n.account_id
        RETURNING n.transaction_seq AS seq, a.unit, n.amount, a.balance = n.balance_after AS agrees)
    SELECT CASE
        WHEN min(m.seq) <> max(m.seq) THEN 'of several transactions at once'
        WHEN sum(m.amount) FILTER (WHERE m.unit = 'trial') <> 0
          OR sum(m.amount) FILTER (WHERE m.unit = 'earned') <> 0 THEN 'do not balance'
        WHEN count(*) <> (SELECT count(*) FROM ledger_postings p
          WHERE p.transaction_seq = min(m.seq)) THEN 'of a transaction that has some already'
        WHEN bool_or(abs(m.amount) <> t.amount) THEN 'of another amount than their transaction'
        WHEN NOT bool_and(m.agrees) THEN 'with another balance than their accounts'
      END INTO wrong FROM moved m JOIN ledger_transactions t ON t.seq = m.seq;
    IF wrong IS NOT NULL THEN
      RAISE EXCEPTION 'postings %', wrong USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
  END $$;

-- Amount and limits of a grant are public and never change. The operator of the installation may
-- still end a grant earlier.
CREATE TRIGGER never_changes
  BEFORE UPDATE OF id, name, amount, per_task, per_operator, per_day, created_at OR DELETE
  OR TRUNCATE ON subsidies
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_rewrite_ledger();
ALTER TABLE subsidies ENABLE ALWAYS TRIGGER never_changes;

ALTER TABLE fixtures ENABLE ALWAYS TRIGGER never_changes;
CREATE TRIGGER kept BEFORE TRUNCATE ON fixtures FOR EACH STATEMENT
  EXECUTE FUNCTION refuse_to_rewrite_ledger();
ALTER TABLE fixtures ENABLE ALWAYS TRIGGER kept;

-- The assignments of an agent, the newest first.
CREATE INDEX assignments_of_agent_newest ON assignments (agent_id, created_at DESC, id DESC);
DROP INDEX assignments_of_agent;

-- Few of all tasks are open, and lists usually ask for those.
CREATE INDEX tasks_in_state ON tasks (state, created_at DESC, id DESC);
`;
