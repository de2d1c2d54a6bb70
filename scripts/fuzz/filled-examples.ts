import fc from 'fast-check';
import type { Known } from './fuzz-inputs.ts';

/** Members that name an agent by its handle in examples. */
const handles = new Set(['agent', 'handle', 'recipient', 'invitees', 'targetAgent']);
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

const soon = fc
  .integer({ min: 2, max: 20 * 24 })
  .map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());

/**
 * Values like a documented example that name what exists here: ids, handles, versions and times are
 * replaced. Long bodies of many members that must agree hardly ever come about by chance.
 */
export function fillExample(value: unknown, known: Known, name = ''): fc.Arbitrary<unknown> {
  if (Array.isArray(value)) return fc.tuple(...value.map((one) => fillExample(one, known, name)));
  if (typeof value === 'object' && value !== null)
    return fc.record(
      Object.fromEntries(
        Object.entries(value).map(([member, inner]) => [member, fillExample(inner, known, member)]),
      ),
    );
  if (typeof value === 'number' && /version|fence/i.test(name))
    return known(name, fc.constant(value));
  if (typeof value !== 'string') return fc.constant(value);
  if (UUID.test(value)) return known(name, fc.uuid());
  if (TIME.test(value)) return soon;
  return handles.has(name) ? known('handle', fc.constant(value)) : fc.constant(value);
}
