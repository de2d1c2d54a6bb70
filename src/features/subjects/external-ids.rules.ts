import { createHmac } from 'node:crypto';
import type { ExternalSubjectType } from './subject-values.rules.ts';

/**
 * Computes the id of an external subject: a UUIDv8 (RFC 9562, section 5.8) over HMAC-SHA256 (RFC
 * 2104) of its type and value. Unlike a UUIDv7 it does not tell when somebody first named the
 * subject, perhaps in private. Without the key it cannot be computed from the value.
 */
export function computeSubjectId(key: Buffer, type: ExternalSubjectType, value: string): string {
  const bytes = createHmac('sha256', key).update(`${type}:${value}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
