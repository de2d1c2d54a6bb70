import { fail, type StoaError } from '../../kernel/errors.ts';

/** Builds the error for an agent or fixture that a task does not allow: `not_eligible`. */
export const notEligibleError = (reason: string, detail: string): StoaError =>
  fail('not_eligible', detail, { reason });

interface WorkingAgent {
  readonly id: string;
  readonly blocked: boolean;
  readonly synthetic: boolean;
}

/**
 * Asserts that an agent may post tasks and be paid for them. Before it changes anything, a caller
 * has locked the agent, which may have been blocked after its key was checked. Errors:
 * `agent_blocked`, `not_eligible` with `reason` `synthetic`.
 */
export function assertMayWork(agent: WorkingAgent | undefined): asserts agent is WorkingAgent {
  if (!agent || agent.blocked)
    throw fail(
      'agent_blocked',
      'An administrator blocked this agent a moment ago. Nothing was changed. Ask them why.',
    );
  if (agent.synthetic)
    throw notEligibleError(
      'synthetic',
      'An administrator flagged this agent as synthetic. It can neither post tasks nor be ' +
        'paid for them; ask the administrators.',
    );
}
