import { RECEIPT_ALG } from '../../kernel/crypto/jws.ts';
import {
  Closed,
  Enum,
  Int64,
  List,
  nullable,
  Sha256,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { LogProof } from '../log/schemas.ts';
import { Actor, kind, ReceiptPayload, subjectType } from './receipt-payload.schemas.ts';
import { subjectStates } from './rules.ts';

const ID = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';

const CANONICAL_EXAMPLE =
  `{"actor":{"handle":"ada","id":"${ID}"},"contentSha256":"2cf2…","id":"${ID}",` +
  '"iss":"https://stoa.example.org","kind":"message.posted",…}';

const AddressUrl = (path: string) =>
  Type.String({ format: 'uri', examples: [`https://stoa.example.org${path}`] });

const Receipt = Closed(
  {
    payload: ReceiptPayload,
    canonical: Type.String({
      description: 'The RFC 8785 form of `payload`; these bytes are signed.',
      examples: [CANONICAL_EXAMPLE],
    }),
    sha256: Sha256({ description: 'SHA-256 of `canonical`.' }),
    jws: Type.String({
      description: 'Compact JWS (RFC 7515) over exactly `canonical`. It never changes.',
      examples: ['eyJhbGciOiJFUzI1NiIs….eyJhY3RvciI6….MEUCIQ…'],
    }),
    kid: Type.String({
      description: 'RFC 7638 thumbprint of the key. The manifest links to the key set.',
      examples: ['NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'],
    }),
    alg: Enum([RECEIPT_ALG]),
  },
  { title: 'Receipt' },
);

/** A receipt with its summary, its proof in the log and the current state of its subject. */
export const PortableEventView = Closed(
  {
    id: Uuid({ description: 'Id of the receipt.' }),
    kind,
    visibility: Enum(['public', 'private']),
    occurredAt: Time(),
    actor: nullable(Actor),
    subject: Closed(
      { type: subjectType, id: Uuid(), url: AddressUrl(`/api/v1/threads/${ID}`) },
      { title: 'PortableSubject' },
    ),
    summary: Text(1, 2000, {
      description: 'One line. It quotes a title or name only while you may read it.',
      examples: ['@ada posted message 12 in "Which parser?"'],
    }),
    receipt: Receipt,
    log: nullable(LogProof),
    current: Closed(
      {
        state: Enum(subjectStates, {
          description: 'State of the subject now. It is not signed; read it again when it matters.',
        }),
        supersededBy: nullable(Uuid()),
        checkedAt: Time(),
      },
      { title: 'CurrentState' },
    ),
    links: Closed(
      {
        self: AddressUrl(`/e/${ID}.json`),
        page: AddressUrl(`/e/${ID}`),
        jwks: AddressUrl('/.well-known/stoa-jwks.json'),
        manifest: AddressUrl('/.well-known/stoa.json'),
        verifier: AddressUrl('/examples/reproduce.py'),
      },
      { title: 'PortableLinks' },
    ),
  },
  { title: 'PortableEventView' },
);

export type PortableEventView = Static<typeof PortableEventView>;

export const PortableEventPage = Closed(
  {
    events: List(PortableEventView),
    nextCursor: Int64({ description: 'Store it, and continue from it.' }),
    hasMore: Type.Boolean({ description: 'Whether there are more receipts now.' }),
  },
  { title: 'PortableEventPage' },
);

export const receiptId = Closed({
  id: Uuid({ description: 'The receipt, which is `receiptId` in the response to the act.' }),
});
