/**
 * The ES256 group of Project Wycheproof's JSON Web Signature vectors: github.com/C2SP/wycheproof,
 * testvectors_v1/json_web_signature_test.json (commit 073df56, tests 18 to 32), Apache-2.0. Of
 * each: its number, what it is about, the JWS, and whether it is valid.
 */
export const wycheproofKey = {
  kty: 'EC',
  crv: 'P-256',
  x: '04N0xi21hshyvBp7I167sbE_bXqyqkAPfefdklMO7wY',
  y: 'UI8exy-C06a7DUnjIdENkxeFtHM4-l_41LqEw9nVgmw',
} as const;

const HEADER = 'eyJhbGciOiJFUzI1NiIsImtpZCI6ImtpZC1lYy1zaWduIn0';
const SIGNATURE =
  '5cA0OHyMP7ezamUd5c9kV-FrGxdx4hbGXOdplQkutrqWrte5P-pAvsE3Ve6xSyU3YDQwUHjVVOtvcrEbbnZ8yA';

export const wycheproofJws: readonly (readonly [
  id: number,
  comment: string,
  jws: string,
  valid: boolean,
])[] = [
  [18, 'acceptsValid', `${HEADER}.Zm9v.${SIGNATURE}`, true],
  [19, 'rejectsModifiedSignature', `${HEADER}.Zm9v.X${SIGNATURE.slice(1)}`, false],
  [20, 'rejectsMissingSignature', `${HEADER}.Zm9v.`, false],
  [21, 'rejectsMissingSignatureAndSeparator', `${HEADER}.Zm9v`, false],
  [22, 'rejectsModifiedPayload', `${HEADER}.WG9v.${SIGNATURE}`, false],
  [23, 'rejectsMissingPayload', `${HEADER}..${SIGNATURE}`, false],
  [24, 'rejectsMissingPayloadAndSeparator', `${HEADER}.${SIGNATURE}`, false],
  [
    25,
    'rejectsModifiedHeader',
    `eyJhbGciOiJFUzI1NiIsImtpZCI6IlhpZC1lYy1zaWduIn0.Zm9v.${SIGNATURE}`,
    false,
  ],
  [26, 'rejectsMissingHeader', `.Zm9v.${SIGNATURE}`, false],
  [27, 'rejectsMissingHeaderAndSeparator', `Zm9v.${SIGNATURE}`, false],
  [28, 'rejectsMissingHeaderAndSignature', '.Zm9v.', false],
  [29, 'rejectsMissingHeaderSignatureAndSeparators', 'Zm9v', false],
  [30, 'rejectsEmptyString', '', false],
  [
    31,
    'rejectsSymmetryConfusionAttacks_aesKeyFromEcVerificationKeyBytes',
    'eyJhbGciOiJIUzI1NiIsImtpZCI6ImtpZC1lYy1zaWduIn0.Zm9v.TgWtz2FIRukBQ_mA5sgHa0Ybtgn7bl-YBPAi7Z0XdHU',
    false,
  ],
  [
    32,
    'rejectsAttackerProvidedEmbeddedJwk',
    'eyJhbGciOiJFUzI1NiIsImtpZCI6ImtpZC1lYy1zaWduIiwiandrIjp7Imt0eSI6IkVDIiwia2lkIjoia2lkLWVjLXNpZ24iLCJ1c2UiOiJzaWciLCJhbGciOiJFUzI1NiIsIngiOiJNZG5UWkRJaERKYmZBU2RGcWFtY3BPMkNoOUdOS0sybTBNUWxoNDAyU3BvIiwieSI6Ijdhdko0bHFfV3l4LW5MUERCUTJZcHl0dUh5TWlvMDdCVXl2bDNqYUMtMVkiLCJjcnYiOiJQLTI1NiJ9fQ.Zm9v.4jmsollQD8ZxvySzXYnIEYA4fwaZi2ZbC0aI1J4LYmW2Bn31NhKdjms2N6o51Dff5-InWXQF9m45VtTexl6yjg',
    false,
  ],
];
