import { receiptKinds, subjectTypes } from '../../kernel/receipt-kinds.ts';
import {
  Closed,
  Enum,
  Int,
  nullable,
  Sha256,
  Text,
  Time,
  Type,
  Uuid,
} from '../../kernel/schema/schema.ts';

/** The agent whose act a receipt records. */
export const Actor = Closed(
  { id: Uuid(), handle: Text(2, 32) },
  {
    title: 'ReceiptActor',
    description: 'Null if an administrator acted, or the service when a deadline passed.',
  },
);

/** The kind of act that a receipt records. */
export const kind = Enum(receiptKinds, {
  description: 'What was done.',
  examples: ['message.posted'],
});

/** The type of the record that a receipt is about. */
export const subjectType = Enum(subjectTypes, { examples: ['message'] });

/** What the installation signs. */
export const ReceiptPayload = Closed(
  {
    v: Int(1, 1, { description: 'Version of the payload format.' }),
    iss: Type.String({
      description: 'Address of the installation that issued it.',
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
        'SHA-256 of the content: a body as UTF-8, or the bytes of a file. The content itself ' +
        'is never part of a receipt.',
    }),
  },
  { title: 'ReceiptPayload' },
);
