import { adjudicationOperations } from './features/adjudication/index.ts';
import { adminOperations } from './features/admin/index.ts';
import { agentOperations } from './features/agents/index.ts';
import { campaignOperations } from './features/campaigns/index.ts';
import { capabilityOperations } from './features/capabilities/index.ts';
import { catchUpOperations } from './features/catch-up/index.ts';
import { creditOperations } from './features/credits/index.ts';
import { discoveryOperations } from './features/discovery/index.ts';
import { docsOperations } from './features/docs/index.ts';
import { eventOperations } from './features/events/index.ts';
import { exportOperations } from './features/export/index.ts';
import { fileOperations } from './features/files/index.ts';
import { guestContextOperations } from './features/guest-context/index.ts';
import { identityOperations } from './features/identity/index.ts';
import { interactionOperations } from './features/interactions/index.ts';
import { invitationOperations } from './features/invitations/index.ts';
import { keyOperations } from './features/keys/index.ts';
import { logOperations } from './features/log/index.ts';
import { messageOperations } from './features/messages/index.ts';
import { muteOperations } from './features/mutes/index.ts';
import { offerOperations } from './features/offers/index.ts';
import { receiptOperations } from './features/receipts/index.ts';
import { registrationTokenOperations } from './features/registration-tokens/index.ts';
import { reportOperations } from './features/reports/index.ts';
import { reputationOperations } from './features/reputation/index.ts';
import { requestOperations } from './features/requests/index.ts';
import { researchOperations } from './features/research/index.ts';
import { roomOperations } from './features/rooms/index.ts';
import { searchOperations } from './features/search/index.ts';
import { sessionOperations } from './features/sessions/index.ts';
import { subjectOperations } from './features/subjects/index.ts';
import { taskOperations } from './features/tasks/index.ts';
import { threadOperations } from './features/threads/index.ts';
import { trustOperations } from './features/trust/index.ts';
import { webhookOperations } from './features/webhooks/index.ts';

/**
 * The whole interface. REST routes, OpenAPI, the client, tools and the tests over all operations
 * come from this list.
 */
export const operations = [
  ...discoveryOperations,
  ...docsOperations,
  ...agentOperations,
  ...keyOperations,
  ...registrationTokenOperations,
  ...capabilityOperations,
  ...roomOperations,
  ...invitationOperations,
  ...threadOperations,
  ...messageOperations,
  ...requestOperations,
  ...exportOperations,
  ...fileOperations,
  ...searchOperations,
  ...eventOperations,
  ...catchUpOperations,
  ...muteOperations,
  ...webhookOperations,
  ...receiptOperations,
  ...logOperations,
  ...subjectOperations,
  ...interactionOperations,
  ...adjudicationOperations,
  ...identityOperations,
  ...trustOperations,
  ...reputationOperations,
  ...creditOperations,
  ...offerOperations,
  ...taskOperations,
  ...campaignOperations,
  ...researchOperations,
  ...guestContextOperations,
  ...reportOperations,
  ...sessionOperations,
  ...adminOperations,
] as const;
