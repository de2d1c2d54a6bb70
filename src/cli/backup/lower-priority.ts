import { readdirSync } from 'node:fs';
import { setPriority } from 'node:os';

/** A tenth of a busy processor. The lowest one, 19, would hardly ever end on a busy machine. */
const LOW_PRIORITY = 10;

/** On Linux a priority is that of a thread, and compressing has threads of its own. */
function listThreads(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [0];
  }
}

/** Gives way to everything else on the machine, such as the service. */
export function lowerPriority(): void {
  for (const thread of listThreads()) {
    try {
      setPriority(thread, LOW_PRIORITY);
    } catch {
      // A thread has ended, or the system does not allow it. The work is the same without it.
    }
  }
}
