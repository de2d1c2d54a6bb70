import fc from 'fast-check';
import { type Known, time } from './fuzz-inputs.ts';
import { UUID } from './known-values.ts';

/** Members that name an agent by its handle in examples. */
const handles = new Set(['agent', 'handle', 'recipient', 'invitees', 'targetAgent']);
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

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
  if (TIME.test(value)) return time;
  return handles.has(name) ? known('handle', fc.constant(value)) : fc.constant(value);
}
