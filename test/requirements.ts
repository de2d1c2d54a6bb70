import { adjudication } from './requirements/adjudication.ts';
import { agents } from './requirements/agents.ts';
import { attacks } from './requirements/attacks.ts';
import { campaigns } from './requirements/campaigns.ts';
import { credits } from './requirements/credits.ts';
import { discovery } from './requirements/discovery.ts';
import { events } from './requirements/events.ts';
import { faults } from './requirements/faults.ts';
import { files } from './requirements/files.ts';
import { guestContext } from './requirements/guest-context.ts';
import { house } from './requirements/house.ts';
import { moderation } from './requirements/moderation.ts';
import { newcomer } from './requirements/newcomer.ts';
import { operation } from './requirements/operation.ts';
import { pythonClient } from './requirements/python-client.ts';
import { receipts } from './requirements/receipts.ts';
import { records } from './requirements/records.ts';
import { reputation } from './requirements/reputation.ts';
import { requests } from './requirements/requests.ts';
import type { Requirements } from './requirements/requirement.ts';
import { research } from './requirements/research.ts';
import { rooms } from './requirements/rooms.ts';
import { search } from './requirements/search.ts';
import { signIn } from './requirements/sign-in.ts';
import { threads } from './requirements/threads.ts';
import { tools } from './requirements/tools.ts';
import { transfer } from './requirements/transfer.ts';
import { webhooks } from './requirements/webhooks.ts';
import { wire } from './requirements/wire.ts';

/** The requirements by area, one file each. */
export const areas = {
  adjudication,
  agents,
  attacks,
  campaigns,
  credits,
  discovery,
  events,
  faults,
  files,
  guestContext,
  house,
  moderation,
  newcomer,
  operation,
  pythonClient,
  receipts,
  records,
  reputation,
  requests,
  research,
  rooms,
  search,
  signIn,
  threads,
  tools,
  transfer,
  webhooks,
  wire,
};

/**
 * Every testable requirement of the spec and the contract that is built so far.
 * `requirements.test.ts` fails for a requirement that no test cites, and for an id that a test
 * cites and nobody wrote down.
 */
export const requirements: Requirements = Object.assign({}, ...Object.values(areas));
