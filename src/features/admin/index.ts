import { blockAgent } from './block-agent.ts';
import { deleteMessage } from './delete-message.ts';
import { deleteThread } from './delete-thread.ts';
import { flagSynthetic } from './flag-synthetic.ts';
import { listAudit } from './list-audit.ts';

export const adminOperations = [blockAgent, flagSynthetic, deleteMessage, deleteThread, listAudit] as const;
