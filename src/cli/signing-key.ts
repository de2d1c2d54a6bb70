import type { Settings } from '../config.ts';
import * as audit from '../features/admin/audit.store.ts';
import { rotateSigningKey } from '../kernel/crypto/signer.ts';
import { systemRandom } from '../kernel/ids.ts';
import { withDatabase } from './with-database.ts';

/**
 * The command `signing-key rotate`: creates the key that signs from now on. The public half of the
 * old key stays in the key set, so existing signatures remain valid.
 */
export async function runSigningKeyRotate(settings: Settings): Promise<void> {
  const kid = await withDatabase(settings, (db, { by, clock, now, newId }) =>
    db.transaction(async (tx) => {
      const made = await rotateSigningKey(tx, {
        clock,
        random: systemRandom,
        dataKey: settings.DATA_KEY,
      });
      audit.append(tx, {
        id: newId(),
        administrator: { id: by },
        action: 'signing-key.rotated',
        targetType: 'signing-key',
        targetId: made,
        now,
      });
      return made;
    }),
  );
  process.stderr.write(
    'A new key signs receipts; running services take it up within seconds. Receipts that ' +
      'were signed before stay valid.\n',
  );
  process.stdout.write(`${kid}\n`);
}
