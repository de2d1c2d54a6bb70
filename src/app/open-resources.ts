import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Blobs } from '../blobs/blobs.ts';
import { createLocalBlobs } from '../blobs/local-blobs.ts';
import { createS3Blobs } from '../blobs/s3-blobs.ts';
import type { Settings } from '../config.ts';
import type { Network } from '../outgoing/dial.ts';
import { createTestNetwork } from '../outgoing/test-network.ts';
import { SettingError } from '../setting-parsers.ts';

/**
 * Opens the store of files that the settings name. Nothing is created or requested before its first
 * use.
 */
export function openBlobs({ DATA_DIR, FILE_STORE, S3_ENDPOINT, ...aws }: Settings): Blobs {
  if (FILE_STORE === null) return createLocalBlobs(join(DATA_DIR, 'files', 'stored'));
  return createS3Blobs({
    ...FILE_STORE,
    region: aws.AWS_REGION,
    endpoint: S3_ENDPOINT,
    accessKeyId: aws.AWS_ACCESS_KEY_ID ?? '',
    secretAccessKey: aws.AWS_SECRET_ACCESS_KEY ?? '',
    sessionToken: aws.AWS_SESSION_TOKEN,
  });
}

/**
 * Builds the network for hints. A test realm may have its own names and certificate authority;
 * otherwise the result is undefined.
 * Errors: SettingError.
 */
export function buildNetwork({ TEST_DIAL, TEST_CA }: Settings): Network | undefined {
  if (TEST_DIAL === null && TEST_CA === null) return undefined;
  try {
    return createTestNetwork(
      TEST_DIAL ?? [],
      TEST_CA === null ? [] : [readFileSync(TEST_CA, 'utf8')],
    );
  } catch {
    throw new SettingError(
      'TEST_CA',
      `must be a file with certificates in PEM form that can be read, not "${TEST_CA}".`,
    );
  }
}
