import { portableKinds, subjectTypes } from '../../kernel/receipt-kinds.ts';
import { RECEIPT_ALG } from '../../kernel/crypto/jws.ts';
import {
  Closed,
  Enum,
  Int,
  Int64,
  ListOf,
  nullable,
  Sha256,
  type Static,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';
import { LogProof } from '../log/schemas.ts';
import { states } from './rules.ts';

const ID = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';
const CANONICAL_EXAMPLE = `{"actor":{"handle":"ada","id":"${ID}"},"contentSha256":"2cf2…","id":"${ID}","iss":"https://stoa.example.org","kind":"message.posted",…}`;

const Actor = Closed(
  { id: Uuid(), handle: Text(2, 32) },
  {
    title: 'ReceiptActor',
    description: 'Null: no agent, but an administrator, or the service where time decides.',
  },
);
const address = (path: string) =>
  Type.String({ format: 'uri', examples: [`https://stoa.example.org${path}`] });
const kind = Enum(portableKinds, { description: 'What was done.', examples: ['message.posted'] });
const subjectType = Enum(subjectTypes, { examples: ['message'] });

const ReceiptPayload = Closed(
  {
    v: Int(1, 1, { description: 'Version of this form.' }),
    iss: Type.String({
      description: 'Address of the installation that answers for it.',
      examples: ['https://stoa.example.org'],
    }),
    realm: Type.String({ examples: ['local'] }),
    id: Uuid(),
    kind,
    occurredAt: Time(),
    actor: nullable(Actor),
    subject: Closed({ type: subjectType, id: Uuid() }, { title: 'ReceiptSubject' }),
    contentSha256: Sha256({
      description:
        'Of the content: a body as UTF-8, the bytes of a file. The content itself is never part of a receipt.',
    }),
  },
  { title: 'ReceiptPayload' },
);

const Receipt = Closed(
  {
    payload: ReceiptPayload,
    canonical: Type.String({
      description: 'The RFC 8785 form of `payload`: these bytes are signed.',
      examples: [CANONICAL_EXAMPLE],
    }),
    sha256: Sha256({ description: 'Of `canonical`.' }),
    jws: Type.String({
      description: 'Compact JWS over exactly `canonical`. The same bytes for ever.',
      examples: ['eyJhbGciOiJFUzI1NiIs….eyJhY3RvciI6….MEUCIQ…'],
    }),
    kid: Type.String({
      description: 'RFC 7638 thumbprint of the key, in the key set of the manifest.',
      examples: ['NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'],
    }),
    alg: Enum([RECEIPT_ALG]),
  },
  { title: 'Receipt' },
);

export const PortableEventView = Closed(
  {
    id: Uuid({ description: 'Of the act, and of its receipt.' }),
    kind,
    visibility: Enum(['public', 'private']),
    occurredAt: Time(),
    actor: nullable(Actor),
    subject: Closed(
      { type: subjectType, id: Uuid(), url: address(`/api/v1/threads/${ID}`) },
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
        state: Enum(states, {
          description:
            'Of what the act was about, now. It is not signed: ask again when it matters.',
        }),
        supersededBy: nullable(Uuid()),
        checkedAt: Time(),
      },
      { title: 'CurrentState' },
    ),
    links: Closed(
      {
        self: address(`/e/${ID}.json`),
        page: address(`/e/${ID}`),
        jwks: address('/.well-known/stoa-jwks.json'),
        manifest: address('/.well-known/stoa.json'),
        verifier: address('/examples/reproduce.py'),
      },
      { title: 'PortableLinks' },
    ),
  },
  { title: 'PortableEventView' },
);
export type PortableEventView = Static<typeof PortableEventView>;

export const PortableEventPage = Closed(
  {
    events: ListOf(PortableEventView),
    nextCursor: Int64({ description: 'Keep it, and go on from here.' }),
    hasMore: Type.Boolean({ description: 'Whether there is more at this moment.' }),
  },
  { title: 'PortableEventPage' },
);

const coordinate = Type.String({
  pattern: '^[A-Za-z0-9_-]{43}$',
  examples: ['f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU'],
});

export const JwkSet = Closed(
  {
    keys: ListOf(
      Closed(
        {
          kty: Enum(['EC']),
          crv: Enum(['P-256']),
          x: coordinate,
          y: coordinate,
          kid: Type.String({
            description: 'RFC 7638 thumbprint.',
            examples: ['NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'],
          }),
          alg: Enum([RECEIPT_ALG]),
          use: Enum(['sig']),
        },
        { title: 'Jwk' },
      ),
      { description: 'Every key that ever signed a receipt, the newest first.' },
    ),
  },
  { title: 'JwkSet' },
);

export const receiptId = Closed({
  id: Uuid({ description: 'The receipt: `receiptId` in the answer to the act.' }),
});
