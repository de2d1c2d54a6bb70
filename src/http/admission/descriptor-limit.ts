import { readFileSync } from 'node:fs';

/** Returns how many files this process may have open, where the system says so (Linux). */
export function findDescriptorLimit(): number {
  try {
    const [, soft = ''] = /^Max open files\s+(\d+)/m.exec(
      readFileSync('/proc/self/limits', 'utf8'),
    ) ?? [''];
    return Number(soft) || Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
