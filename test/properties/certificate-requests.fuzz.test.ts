import { describe, expect, test } from 'vitest';
import { BadRequest, readRequest } from '../../src/platform/certificates/certificate-request.ts';
import { askFor, derOf, type KeyAlgorithm, requestOf } from '../support/certificates.ts';
import { randomOf, seed } from '../support/seed.ts';

const RUNS = process.env.TORTURE ? 2_000 : 300;
const MAX_CHANGES = 3;
const KEYS: readonly KeyAlgorithm[] = [
  {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  },
  { name: 'ECDSA', hash: 'SHA-256', namedCurve: 'P-256' },
  { name: 'Ed25519' },
];

describe(`fuzzing of certificate requests, FUZZ_SEED=${seed}`, { timeout: 300_000 }, () => {
  test.each(KEYS.map((key) => [key.name, key] as const))(
    'failure: changed bytes of a request for a key of %s are refused, with nothing but the refusal',
    async (_name, key) => {
      const der = derOf((await askFor('alpha', key)).request);
      const random = randomOf(seed);
      const below = (bound: number) => Math.floor(random() * bound);
      let refused = 0;
      for (let run = 0; run < RUNS; run += 1) {
        const changed = Buffer.from(der);
        const changes = 1 + below(MAX_CHANGES);
        for (let change = 0; change < changes; change += 1) changed.writeUInt8(below(256), below(der.length));
        const error = await readRequest(requestOf(changed)).catch((thrown: unknown) => thrown);
        if (!(error instanceof Error)) continue;
        expect(error, changed.toString('hex')).toBeInstanceOf(BadRequest);
        refused += 1;
      }
      expect(refused).toBeGreaterThan(RUNS / 2);
    },
  );
});
