/**
 * Notices that administrators post to rooms whose owners accept them, within limits that PostgreSQL
 * itself enforces: see docs/decisions/0019-campaigns.md.
 */
export const campaigns = `
ALTER TABLE rooms ADD COLUMN accepts_notices boolean NOT NULL DEFAULT false;
CREATE INDEX rooms_accepting_notices ON rooms (id) WHERE accepts_notices AND visibility = 'public';

CREATE TABLE campaigns (
  id uuid PRIMARY KEY,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
  purpose text NOT NULL CHECK (length(purpose) BETWEEN 1 AND 2000),
  audience text NOT NULL CHECK (length(audience) BETWEEN 1 AND 2000),
  disclosures text[] NOT NULL CHECK (cardinality(disclosures) BETWEEN 1 AND 10),
  -- Null when the campaign has no limit of its own.
  policy_daily bigint CHECK (policy_daily > 0),
  policy_total bigint CHECK (policy_total > 0),
  overrides boolean NOT NULL,
  -- The effective limits; null for no limit. LEAST ignores nulls.
  daily_limit bigint GENERATED ALWAYS AS (CASE WHEN overrides THEN policy_daily
    ELSE least(policy_daily, 2) END) STORED,
  total_limit bigint GENERATED ALWAYS AS (CASE WHEN overrides THEN policy_total
    ELSE least(policy_total, 10) END) STORED,
  state text NOT NULL CHECK (state IN ('draft', 'prepared', 'dispatching', 'stopped')),
  created_at timestamptz NOT NULL,
  prepared_at timestamptz CHECK (prepared_at IS NOT NULL OR state IN ('draft', 'stopped')),
  stopped_at timestamptz CHECK ((stopped_at IS NOT NULL) = (state = 'stopped'))
) WITH (fillfactor = 80);
CREATE INDEX campaigns_newest ON campaigns (created_at DESC, id DESC);
CREATE INDEX campaigns_public ON campaigns (created_at DESC, id DESC) WHERE prepared_at IS NOT NULL;

-- A variant, and from the preparation on its notice: exactly the text that is sent.
CREATE TABLE campaign_variants (
  campaign_id uuid NOT NULL REFERENCES campaigns,
  id text COLLATE "C" NOT NULL,
  position smallint NOT NULL,
  text text NOT NULL CHECK (text <> ''),
  notice text CHECK (octet_length(notice) <= 1200),
  PRIMARY KEY (campaign_id, id),
  UNIQUE (campaign_id, position)
);

CREATE TABLE campaign_sendings (
  id uuid PRIMARY KEY,
  campaign_id uuid NOT NULL REFERENCES campaigns,
  variant_id text COLLATE "C" NOT NULL,
  room_id uuid REFERENCES rooms,
  thread_id uuid REFERENCES threads,
  message_id uuid REFERENCES messages,
  -- A place outside of this service, as an administrator recorded it.
  place text CHECK (length(place) BETWEEN 1 AND 500),
  receipt_id uuid NOT NULL,
  sent_at timestamptz NOT NULL,
  day date GENERATED ALWAYS AS ((sent_at AT TIME ZONE 'UTC')::date) STORED,
  FOREIGN KEY (campaign_id, variant_id) REFERENCES campaign_variants,
  CHECK (num_nonnulls(room_id, place) = 1),
  CHECK (num_nulls(room_id, thread_id, message_id) IN (0, 3)),
  -- Once per notice and room, and once per notice and place, despite retries, races and kills.
  UNIQUE (campaign_id, variant_id, room_id),
  UNIQUE (campaign_id, variant_id, place)
);
CREATE INDEX campaign_sendings_newest ON campaign_sendings (campaign_id, sent_at DESC, id DESC);
CREATE INDEX campaign_sendings_of_day ON campaign_sendings (campaign_id, day);

-- The service checks the limits before it sends. This trigger enforces them for every writer.
CREATE FUNCTION hold_campaign_limits() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    held campaigns;
  BEGIN
    FOR held IN SELECT * FROM campaigns WHERE id IN (SELECT campaign_id FROM sent)
      ORDER BY id FOR NO KEY UPDATE LOOP
      IF held.state <> 'dispatching' THEN
        RAISE EXCEPTION 'campaign % is %', held.id, held.state
          USING ERRCODE = 'integrity_constraint_violation';
      END IF;
      IF (SELECT count(*) FROM campaign_sendings s WHERE s.campaign_id = held.id) > held.total_limit
        OR EXISTS (
        SELECT 1 FROM (SELECT DISTINCT n.day FROM sent n WHERE n.campaign_id = held.id) d
        WHERE (SELECT count(*) FROM campaign_sendings s
          WHERE s.campaign_id = held.id AND s.day = d.day) > held.daily_limit) THEN
        RAISE EXCEPTION 'campaign % is over its limits', held.id
          USING ERRCODE = 'integrity_constraint_violation';
      END IF;
    END LOOP;
    RETURN NULL;
  END $$;
CREATE TRIGGER hold_limits
  AFTER INSERT ON campaign_sendings REFERENCING NEW TABLE AS sent FOR EACH STATEMENT
  EXECUTE FUNCTION hold_campaign_limits();

-- The content of the public register never changes. Of a campaign only the state changes, and a
-- notice is written once.
CREATE FUNCTION refuse_to_rewrite_campaign() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN RAISE EXCEPTION 'what a campaign says never changes'
    USING ERRCODE = 'insufficient_privilege'; END $$;
CREATE TRIGGER never_changes BEFORE UPDATE ON campaigns FOR EACH ROW
  WHEN ((OLD.name, OLD.purpose, OLD.audience, OLD.disclosures, OLD.policy_daily, OLD.policy_total,
    OLD.overrides, OLD.created_at)
    IS DISTINCT FROM (NEW.name, NEW.purpose, NEW.audience, NEW.disclosures, NEW.policy_daily,
      NEW.policy_total, NEW.overrides, NEW.created_at)
    OR OLD.state = 'stopped')
  EXECUTE FUNCTION refuse_to_rewrite_campaign();
CREATE TRIGGER never_changes BEFORE UPDATE ON campaign_variants FOR EACH ROW
  WHEN (OLD.notice IS NOT NULL OR (OLD.id, OLD.position, OLD.text) IS DISTINCT
    FROM (NEW.id, NEW.position, NEW.text)) EXECUTE FUNCTION refuse_to_rewrite_campaign();
CREATE TRIGGER append_only
  BEFORE UPDATE OR DELETE OR TRUNCATE ON campaign_sendings FOR EACH STATEMENT
  EXECUTE FUNCTION refuse_to_rewrite_campaign();
CREATE TRIGGER kept BEFORE DELETE OR TRUNCATE ON campaigns FOR EACH STATEMENT
  EXECUTE FUNCTION refuse_to_rewrite_campaign();
CREATE TRIGGER kept BEFORE DELETE OR TRUNCATE ON campaign_variants FOR EACH STATEMENT
  EXECUTE FUNCTION refuse_to_rewrite_campaign();
`;
