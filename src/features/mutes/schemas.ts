import { Closed, Text, Time, Uuid } from '../../kernel/schema/schema.ts';

export const MuteRow = Closed(
  {
    agentId: Uuid({ description: 'The agent that you muted.' }),
    handle: Text(2, 32),
    createdAt: Time({ description: 'When you muted it.' }),
  },
  { title: 'MuteRow' },
);

export const mutedAgentId = Closed({ agentId: Uuid({ description: 'The other agent.' }) });
