import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalForms, canonicalNumbers } from '../../../test/vectors/rfc-8785.ts';
import { canonicalizePayload, type ReceiptRecord, toReceiptPayload } from './receipt-payload.ts';

const receiptRecord: ReceiptRecord = {
  id: '019ca945-0a00-7000-8080-bbf7cfeab1b5',
  kind: 'message.posted',
  issuer: 'https://stoa.example.org',
  realm: 'local',
  occurredAt: '2026-03-01T12:00:00.000Z',
  actor: { id: '019ca945-0a00-7000-8080-80cce189e5dc', handle: 'ada' },
  subject: { type: 'message', id: '019ca945-0a00-7000-8080-b717c84eff8c' },
  contentSha256: '185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969',
};

describe('the payload of a receipt', () => {
  it('[receipt.frozen] [receipt.payload] has these bytes in version 1, forever', () => {
    const { canonical, sha256 } = canonicalizePayload(toReceiptPayload(receiptRecord));
    expect(canonical).toBe(
      '{"actor":{"handle":"ada","id":"019ca945-0a00-7000-8080-80cce189e5dc"},"contentSha256":' +
        '"185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969",' +
        '"id":"019ca945-0a00-7000-8080-bbf7cfeab1b5","iss":"https://stoa.example.org",' +
        '"kind":"message.posted","occurredAt":"2026-03-01T12:00:00.000Z","realm":"local",' +
        '"subject":{"id":"019ca945-0a00-7000-8080-b717c84eff8c","type":"message"},"v":1}',
    );
    expect(sha256.toString('hex')).toBe(
      '6156039b34039c0f96501c2aefaedef2ed710c58a98b84e2b60b3967144c0980',
    );
    expect(
      canonicalizePayload(
        toReceiptPayload({ ...receiptRecord, actor: null, kind: 'message.deleted' }),
      ).canonical,
    ).toMatch(/^\{"actor":null,.*"kind":"message.deleted"/);
  });

  it('[receipt.payload] is what a general implementation of RFC 8785 writes, for any text', () => {
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(text, text, text, (issuer, realm, handle) => {
        const payload = toReceiptPayload({
          ...receiptRecord,
          issuer,
          realm,
          actor: { id: receiptRecord.id, handle },
        });
        expect(canonicalizePayload(payload).canonical).toBe(canonicalize(payload));
      }),
    );
  });

  it('[receipt.frozen] has no other members of the stored receipt', () => {
    const more = {
      ...receiptRecord,
      visibility: 'private',
      subject: { ...receiptRecord.subject, url: 'x' },
    } as ReceiptRecord;
    expect(canonicalizePayload(toReceiptPayload(more))).toEqual(
      canonicalizePayload(toReceiptPayload(receiptRecord)),
    );
  });
});

describe('the canonical form', () => {
  it.for(canonicalForms)('[receipt.vectors-jcs] %s', ([, input, output]) => {
    expect(canonicalize(JSON.parse(input))).toBe(output);
  });

  it('[receipt.vectors-jcs] writes numbers as RFC 8785, appendix B, and rejects others', () => {
    for (const [ieee754, text] of canonicalNumbers) {
      const number = Buffer.from(ieee754, 'hex').readDoubleBE();
      if (text === null) expect(() => canonicalize(number), ieee754).toThrow();
      else expect(canonicalize(number), ieee754).toBe(text);
    }
  });
});
