import { type ErrorCode, errorTable } from '../../kernel/errors.ts';
import { Closed, Enum, Int, List, Type } from '../../kernel/schema/schema.ts';
import { capabilities, features, scopes } from '../../kernel/scopes.ts';

const FieldError = Closed(
  {
    pointer: Type.String({
      description: 'JSON pointer into the request: /body/name, /query/limit, /path/id.',
    }),
    detail: Type.String({ description: 'What is wrong there.' }),
  },
  { title: 'FieldError' },
);

/** A problem (RFC 9457) with the members that codes add. Codes may add others, so it is open. */
export const Problem = Type.Object(
  {
    type: Type.String({ format: 'uri', description: 'Where the code is explained.' }),
    title: Type.String({ description: 'What happened.' }),
    status: Int(400, 599),
    detail: Type.String({ description: 'What to do next.' }),
    code: Enum(Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]], {
      description: 'Decide on this, not on texts.',
    }),
    requestId: Type.String({ description: 'Finds the request in the log of the installation.' }),
    errors: Type.Optional(List(FieldError, { description: 'Every broken field.' })),
    requiredScope: Type.Optional(Enum(scopes)),
    capability: Type.Optional(
      Enum([
        ...new Set([...capabilities, ...features, 'selfServiceActivation', 'issuance', 'dispatch']),
      ]),
    ),
    roomId: Type.Optional(Type.String({ format: 'uuid', description: 'The room to join.' })),
    existingId: Type.Optional(Type.String({ format: 'uuid' })),
    currentVersion: Type.Optional(Int(0, Number.MAX_SAFE_INTEGER)),
    state: Type.Optional(Type.String()),
    reason: Type.Optional(Type.String()),
    limit: Type.Optional(Int(0, Number.MAX_SAFE_INTEGER)),
    head: Type.Optional(
      Int(0, Number.MAX_SAFE_INTEGER, { description: 'The newest cursor of the stream.' }),
    ),
    retryAfterSeconds: Type.Optional(Int(0, Number.MAX_SAFE_INTEGER)),
  },
  { title: 'Problem', additionalProperties: true },
);
