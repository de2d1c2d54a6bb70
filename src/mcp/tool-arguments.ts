import { failField, StoaError } from '../kernel/errors.ts';
import type { AnyOperation } from '../kernel/operation/any-operation.ts';
import type { IncomingFile } from '../kernel/operation/sent-file.ts';
import type { Call } from '../kernel/pipeline/environment.ts';
import type { LongString } from '../kernel/pipeline/tool-protocol.ts';
import { decodeBase64, decodeLongContent } from './long-content.ts';

/** The place of a tool's argument in its operation. */
export interface ArgumentPlace {
  readonly part: 'path' | 'query' | 'body' | 'file' | 'range' | 'idempotencyKey';
  /** The argument's name in that part. */
  readonly member: string;
}

/** The places of all arguments of a tool, by name. */
export type ArgumentPlaces = ReadonlyMap<string, ArgumentPlace>;

/** Names of ids that differ from the collection in the path. */
const idNames: Readonly<Record<string, string>> = {
  'portable-events': 'receiptId',
  evidence: 'evidenceId',
  e: 'receiptId',
};

/**
 * Returns the name of a path parameter as an argument. An `id` is named after its thing:
 * "/rooms/{id}" gives roomId.
 */
export function toArgumentName(path: string, parameter: string): string {
  if (parameter !== 'id') return parameter;
  const before = /([\w-]+)\/\{id\}/.exec(path)?.[1];
  if (before === undefined) return 'targetId';
  const singular = before.replace(/ies$/, 'y').replace(/s$/, '');
  return (
    idNames[before] ??
    `${singular.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Id`
  );
}

/** Where a model finds the id for an argument. A schema says only which form the id has. */
export const idDescriptions: Readonly<Record<string, string>> = {
  roomId: 'Id of the room, from list_rooms, search or create_room.',
  threadId: 'Id of the thread, from list_threads, search, get_events or create_thread.',
  messageId: 'Id of the message, from send_message, read_messages or get_events.',
  fileId: 'Id of the file, from read_messages, search or attach_file.',
  keyId: 'Id of the key, from list_keys; not its secret.',
  invitationId: 'Id of the invitation, from invite_agent; not its token.',
  memberId: 'Id of the agent that is a member, from list_members; your own, from get_me, to leave.',
  campaignId: 'Id of the campaign, from list_campaigns.',
  offerId: 'Id of the offer, from list_offers or create_offer.',
  taskId: 'Id of the task, from list_tasks, search or create_task.',
  assignmentId: 'Id of the assignment, from take_assignment or get_task.',
  interactionId: 'Id of the interaction, from list_interactions or record_interaction.',
  caseId: 'Id of the case, from list_cases, get_interaction or open_case.',
  evidenceId: 'Id of the evidence, from get_interaction or get_assignment.',
  targetId: 'Id of the agent, from get_agent or list_agents, or of the subject, from find_subject.',
  subjectId: 'Id of the subject, from find_subject; of an agent, its own id.',
  identityClaimId: 'Id of the claim, from get_subject or claim_identity.',
  exportId: 'Id of the dataset, from create_research_export.',
  receiptId: 'Id of the receipt: the receiptId that create_thread, send_message and others return.',
};

/** Converts the arguments of a file, whose bytes are base64. Errors: `invalid_request`. */
function toIncomingFile(
  { name, mediaType, content }: Record<string, unknown>,
  longString: LongString | null,
): IncomingFile {
  for (const [member, value] of Object.entries({ name, content }))
    if (typeof value !== 'string') throw failField(`/arguments/${member}`, 'must be a string');
  if (mediaType !== undefined && typeof mediaType !== 'string')
    throw failField('/arguments/mediaType', 'must be a string');
  const described = { name: String(name), mediaType: mediaType ?? 'application/octet-stream' };
  const nameBytes = Buffer.byteLength(described.name);
  if (longString) {
    const { escaped } = longString;
    // Escapes and padding only make the file shorter.
    const announcedBytes = Math.ceil(escaped.length / 4) * 3 + nameBytes;
    return { ...described, announcedBytes, bytes: decodeLongContent(escaped) };
  }
  const bytes = decodeBase64(String(content));
  return {
    ...described,
    announcedBytes: bytes.length + nameBytes,
    bytes: (async function* () {
      yield bytes;
    })(),
  };
}

/** The input of a call: the parts of its operation, unchecked. */
export type CallInput = Pick<Call, 'params' | 'query' | 'body' | 'idempotencyKey' | 'file'> & {
  readonly range: Readonly<Record<string, unknown>>;
};

/**
 * Sorts the arguments of a tool into the parts of its operation, unchecked. Null counts as absent,
 * except in a body, where the schema decides. Unknown arguments go to the body or the query, whose
 * schema refuses them by name. Errors: `invalid_request` for an idempotency key that is not text.
 */
export function toCallInput(
  operation: AnyOperation,
  places: ArgumentPlaces,
  values: Readonly<Record<string, unknown>>,
  longString: LongString | null = null,
): CallInput {
  const rest = operation.body ? 'body' : 'query';
  const entries = new Map<ArgumentPlace['part'], [string, unknown][]>();
  for (const [name, value] of Object.entries(values)) {
    const { part, member } = places.get(name) ?? { part: rest, member: name };
    if (value === null && part !== 'body') continue;
    const found = entries.get(part);
    if (found) found.push([member, value]);
    else entries.set(part, [[member, value]]);
  }
  // Built from entries, so that a member named __proto__ is an ordinary member.
  const collectPart = (part: ArgumentPlace['part']): Record<string, unknown> =>
    Object.fromEntries(entries.get(part) ?? []);
  const body = collectPart('body');
  const { idempotencyKey } = collectPart('idempotencyKey');
  if (idempotencyKey !== undefined && typeof idempotencyKey !== 'string')
    throw failField('/arguments/idempotencyKey', 'must be a string');
  const nothing = Object.keys(body).length === 0 && (operation.bodyOptional || !operation.body);
  return {
    params: collectPart('path'),
    query: collectPart('query'),
    body: nothing ? undefined : body,
    idempotencyKey,
    range: collectPart('range'),
    ...(operation.upload && { file: async () => toIncomingFile(collectPart('file'), longString) }),
  };
}

/** Converts a pointer into the parts of an operation to one into the arguments of its tool. */
function toArgument(pointer: string, places: ArgumentPlaces): string {
  const [, part = '', member, ...deeper] = pointer.split('/');
  if (part === 'arguments' || part === 'header') return pointer;
  if (part === 'body' && member === 'file') return '/arguments/content';
  const name =
    [...places].find(([, place]) => place.part === part && place.member === member)?.[0] ?? member;
  return ['', 'arguments', ...(name === undefined ? [] : [name]), ...deeper].join('/');
}

/** Returns an error of an operation with pointers that lead into the arguments of its tool. */
export function toArgumentError(error: StoaError, places: ArgumentPlaces): StoaError {
  const { errors } = error.members;
  let detail = error.message;
  const movedErrors = errors?.map((one) => ({
    pointer: toArgument(one.pointer, places),
    detail: one.detail,
  }));
  for (const [index, { pointer }] of (errors ?? []).entries())
    detail = detail.replace(pointer, () => movedErrors?.[index]?.pointer ?? pointer);
  return new StoaError(
    error.code,
    detail,
    movedErrors ? { ...error.members, errors: movedErrors } : error.members,
    { cause: error, credential: error.credential },
  );
}
