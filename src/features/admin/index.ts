import { blankProfile } from './blank-profile.ts';
import { blankRoom } from './blank-room.ts';
import { blockAgent } from './block-agent.ts';
import { blockAgentByForm } from './block-agent-by-form.ts';
import { deleteFile } from './delete-file.ts';
import { deleteMessage } from './delete-message.ts';
import { deleteMessageByForm } from './delete-message-by-form.ts';
import { deleteSummary } from './delete-summary.ts';
import { deleteThread } from './delete-thread.ts';
import { deleteThreadByForm } from './delete-thread-by-form.ts';
import { flagSynthetic } from './flag-synthetic.ts';
import { handOverRoom } from './hand-over-room.ts';
import { listAudit } from './list-audit.ts';
import { recoverAgent } from './recover-agent.ts';
import { showAudit } from './show-audit.ts';
import { showBlocking } from './show-blocking.ts';
import { showMessageDeletion } from './show-message-deletion.ts';
import { showThreadDeletion } from './show-thread-deletion.ts';

export const adminOperations = [
  blockAgent,
  flagSynthetic,
  recoverAgent,
  deleteMessage,
  deleteThread,
  blankRoom,
  blankProfile,
  handOverRoom,
  deleteSummary,
  deleteFile,
  listAudit,
  showAudit,
  showBlocking,
  blockAgentByForm,
  showMessageDeletion,
  deleteMessageByForm,
  showThreadDeletion,
  deleteThreadByForm,
] as const;
