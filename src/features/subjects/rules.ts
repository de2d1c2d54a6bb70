import { fail, failField, type StoaError } from '../../kernel/errors.ts';
import type { Installation } from '../../kernel/installation.ts';
import type { Reply } from '../../kernel/operation/spec.ts';
import { type ExternalSubjectType, parseValue } from './subject-values.rules.ts';

/**
 * The target of a record: an agent by its handle or id, or something outside by type and normalised
 * value.
 */
export type NamedTarget =
  | { readonly agent: string }
  | { readonly type: ExternalSubjectType; readonly value: string };

/** A target as a request names it. */
export interface TargetRequest {
  readonly agent?: string | null;
  readonly subject?: { readonly type: ExternalSubjectType; readonly value: string } | null;
}

/** Converts a handle or id as somebody typed it to the form in which handles and ids are stored. */
export const normaliseAgentName = (agent: string): string => agent.toLowerCase().replace(/^@/, '');

/**
 * Parses a target. Errors: `invalid_request` when it names none or two, or when its value is
 * invalid.
 */
export function parseTarget({ agent, subject }: TargetRequest): NamedTarget {
  if (typeof agent === 'string' && !subject) return { agent: normaliseAgentName(agent) };
  if (subject && typeof agent !== 'string')
    return {
      type: subject.type,
      value: parseValue(subject.type, subject.value, '/body/target/subject/value'),
    };
  throw failField(
    '/body/target',
    'must have either agent (a handle or an id) or subject (type and value)',
  );
}

/** A target as stores return it. Either agent id and handle, or type and value, are null. */
export interface TargetFacts {
  readonly agentId: string | null;
  readonly agentHandle: string | null;
  readonly type: ExternalSubjectType | null;
  readonly value: string | null;
}

/** A target in a version of a record: only ids, types and values, because these never change. */
export interface ContentTarget {
  readonly agent: string | null;
  readonly subject: { readonly type: ExternalSubjectType; readonly value: string } | null;
}

/** Converts a target to the form in which a version of a record stores and hashes it. */
export const toContentTarget = ({
  agentId,
  type,
  value,
}: Omit<TargetFacts, 'agentHandle'>): ContentTarget => ({
  agent: agentId,
  subject: agentId === null && type !== null && value !== null ? { type, value } : null,
});

/** Asserts that a target is not its author. Errors: `invalid_request`. */
export function assertNotOneself({ agentId }: Pick<TargetFacts, 'agentId'>, author: string): void {
  if (agentId === author)
    throw failField('/body/target', 'must be another agent: you cannot record this about yourself');
}

/** Builds the error for a target that names an unknown agent: `not_found`. */
export const targetNotFoundError = (): StoaError =>
  fail('not_found', 'There is no agent with this handle or id. {op:listAgents} lists them.');

/** Returns the address of a subject's reputation. */
export const buildReputationUrl = (
  id: string,
  { baseUrl }: Pick<Installation, 'baseUrl'>,
): string => `${baseUrl}/api/v1/reputation/subject/${id}`;

/**
 * Describes the page of claims inside of a subject, which has `count` of them in all. The next page
 * begins behind this one, also where long claims ended it early.
 */
export function describeClaims(
  offset: number,
  listed: number,
  count: number,
): Pick<Reply, 'items' | 'nextOffset'> {
  const next = offset + listed;
  const more = next < count;
  return {
    items: { member: 'identityClaims', more, cut: () => ({}) },
    ...(more && { nextOffset: next }),
  };
}
