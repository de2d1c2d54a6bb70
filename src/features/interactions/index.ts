import { getInteraction } from './get-interaction.ts';
import { listInteractions } from './list-interactions.ts';
import { recordInteraction } from './record-interaction.ts';
import { reviseInteraction } from './revise-interaction.ts';
import { showInteraction } from './show-interaction.ts';
import { showInteractions } from './show-interactions.ts';
import { submitEvidence } from './submit-evidence.ts';
import { withdrawEvidence } from './withdraw-evidence.ts';

export const interactionOperations = [
  recordInteraction,
  listInteractions,
  getInteraction,
  reviseInteraction,
  submitEvidence,
  withdrawEvidence,
  showInteractions,
  showInteraction,
] as const;
