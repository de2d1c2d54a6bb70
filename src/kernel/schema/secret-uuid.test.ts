import { describe, expect, it } from 'vitest';
import { EXAMPLE_SECRET_UUID, isSecretUuid } from './secret-uuid.ts';

const at = Date.parse('2026-03-01T12:00:00.000Z');
const DAY = 24 * 3600 * 1000;
const createVersion7 = (time: number) => {
  const digits = time.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7abc-8abc-0123456789ab`;
};

describe('isSecretUuid', () => {
  it.each([
    ['a random one', '3f1d2b7e-8f64-4f0a-9b2c-5d6e7f8a9b0c'],
    ['a random one in capitals', '3F1D2B7E-8F64-4F0A-9B2C-5D6E7F8A9B0C'],
    ['one derived from a secret', '3f1d2b7e-8f64-8f0a-9b2c-5d6e7f8a9b0c'],
    ['a fresh one of version 7', createVersion7(at)],
    ['one of version 7 that is repeated after a week', createVersion7(at - 7 * DAY)],
  ])('[attack.1-4] accepts %s', (_, uuid) => expect(isSecretUuid(uuid, at)).toBe(true));

  it.each([
    ['the example of our documents', EXAMPLE_SECRET_UUID],
    ['the example in capitals', EXAMPLE_SECRET_UUID.toUpperCase()],
    ['an old one of version 7', createVersion7(at - 9 * DAY)],
    ['one of the future', createVersion7(at + 9 * DAY)],
    ['one of version 1, which only tells the time', 'c232ab00-9414-11ec-b3c8-9f6bdeced846'],
    ['the nil UUID', '00000000-0000-0000-0000-000000000000'],
    ['the max UUID', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    ['a word', 'rotate-1'],
    ['a UUID without hyphens', '3f1d2b7e8f644f0a9b2c5d6e7f8a9b0c'],
  ])('[attack.1-4] refuses %s', (_, uuid) => expect(isSecretUuid(uuid, at)).toBe(false));
});
