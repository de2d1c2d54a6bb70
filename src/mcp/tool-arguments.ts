import type { AnyOperation } from '../kernel/operation/any-operation.ts';
import type { Call } from '../kernel/pipeline/environment.ts';
import { invalid, StoaError } from '../kernel/errors.ts';
import type { IncomingFile } from '../kernel/operation/sent-file.ts';

/** Where an argument of a tool belongs in its operation. */
export interface Place {
  readonly part: 'path' | 'query' | 'body' | 'file' | 'range' | 'idempotencyKey';
  /** Its name there. */
  readonly member: string;
}

export type Places = ReadonlyMap<string, Place>;

/** Things whose ids have another name than the collection in their address. */
const idNames: Readonly<Record<string, string>> = {
  'portable-events': 'receiptId',
  evidence: 'evidenceId',
  e: 'receiptId',
};

/** The name of a path parameter as an argument: an `id` is named after what it is the id of ("/rooms/{id}" gives roomId). */
export function argumentName(path: string, parameter: string): string {
  if (parameter !== 'id') return parameter;
  const before = /([\w-]+)\/\{id\}/.exec(path)?.[1];
  if (before === undefined) return 'targetId';
  const singular = before.replace(/ies$/, 'y').replace(/s$/, '');
  return (
    idNames[before] ??
    `${singular.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Id`
  );
}

/** Where a model finds the id that an argument wants; a schema says only what it is. */
export const origins: Readonly<Record<string, string>> = {
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

/** A file that came as text in an argument. Errors: `invalid_request`. */
function fileOf({ name, mediaType, content }: Record<string, unknown>): IncomingFile {
  for (const [member, value] of Object.entries({ name, content }))
    if (typeof value !== 'string') throw invalid(`/arguments/${member}`, 'must be a string');
  if (mediaType !== undefined && typeof mediaType !== 'string')
    throw invalid('/arguments/mediaType', 'must be a string');
  const text = String(content);
  // Buffer.from takes what is no base64 for its end.
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text))
    throw invalid('/arguments/content', 'must be base64 (RFC 4648), padded, without line ends');
  const bytes = Buffer.from(text, 'base64');
  return {
    name: String(name),
    mediaType: mediaType ?? 'application/octet-stream',
    bytes: (async function* () {
      yield bytes;
    })(),
  };
}

/** What a call of an operation is about. */
export type CallInput = Pick<Call, 'params' | 'query' | 'body' | 'idempotencyKey' | 'file'> & {
  readonly range: Readonly<Record<string, unknown>>;
};

/**
 * Sorts the arguments of a tool into the parts of its operation, unchecked. An argument that is null is one that was left out, but in a body,
 * where the schema decides. What no part knows is left to the part that refuses it by its name. Errors: `invalid_request` for a key that is no text.
 */
export function inputOf(
  operation: AnyOperation,
  places: Places,
  given: Readonly<Record<string, unknown>>,
): CallInput {
  const rest = operation.body ? 'body' : 'query';
  const placed = Object.entries(given).map(([name, value]) => ({
    ...(places.get(name) ?? { part: rest, member: name }),
    value,
  }));
  // From entries, so that a member named __proto__ is one like any other.
  const of = (part: Place['part']): Record<string, unknown> =>
    Object.fromEntries(
      placed.flatMap((one) =>
        one.part === part && (one.value !== null || part === 'body')
          ? [[one.member, one.value]]
          : [],
      ),
    );
  const [body, { idempotencyKey }] = [of('body'), of('idempotencyKey')];
  if (idempotencyKey !== undefined && typeof idempotencyKey !== 'string')
    throw invalid('/arguments/idempotencyKey', 'must be a string');
  const nothing = Object.keys(body).length === 0 && (operation.bodyOptional || !operation.body);
  return {
    params: of('path'),
    query: of('query'),
    body: nothing ? undefined : body,
    idempotencyKey,
    range: of('range'),
    ...(operation.upload && { file: async () => fileOf(of('file')) }),
  };
}

/** A pointer into the parts of an operation as one into the arguments of its tool. */
function toArgument(pointer: string, places: Places): string {
  const [, part = '', member, ...deeper] = pointer.split('/');
  if (part === 'arguments' || part === 'header') return pointer;
  if (part === 'body' && member === 'file') return '/arguments/content';
  const name =
    [...places].find(([, place]) => place.part === part && place.member === member)?.[0] ?? member;
  return ['', 'arguments', ...(name === undefined ? [] : [name]), ...deeper].join('/');
}

/** The same error in the words of the tool: pointers lead into its arguments, addresses are names of tools. */
export function inArguments(
  error: StoaError,
  places: Places,
  words: (text: string) => string,
): StoaError {
  const { errors } = error.members;
  let detail = words(error.message);
  const moved = errors?.map((one) => ({
    pointer: toArgument(one.pointer, places),
    detail: one.detail,
  }));
  for (const [index, { pointer }] of (errors ?? []).entries())
    detail = detail.replace(pointer, () => moved?.[index]?.pointer ?? pointer);
  return new StoaError(
    error.code,
    detail,
    moved ? { ...error.members, errors: moved } : error.members,
    { cause: error, credential: error.credential },
  );
}
