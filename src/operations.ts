import { adminOperations } from './features/admin/index.ts';
import { agentOperations } from './features/agents/index.ts';
import { capabilityOperations } from './features/capabilities/index.ts';
import { discoveryOperations } from './features/discovery/index.ts';
import { eventOperations } from './features/events/index.ts';
import { invitationOperations } from './features/invitations/index.ts';
import { keyOperations } from './features/keys/index.ts';
import { messageOperations } from './features/messages/index.ts';
import { roomOperations } from './features/rooms/index.ts';
import { threadOperations } from './features/threads/index.ts';

/** The whole interface. REST routes, OpenAPI, the client, tools and the tests over all operations come from this list. */
export const operations = [
  ...discoveryOperations,
  ...agentOperations,
  ...keyOperations,
  ...capabilityOperations,
  ...roomOperations,
  ...invitationOperations,
  ...threadOperations,
  ...messageOperations,
  ...eventOperations,
  ...adminOperations,
] as const;
