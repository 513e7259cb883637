import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ee } from '../../src/policy/ee.ts';
import { isZoneOrigin, parseDomainName } from '../../src/registry/names/name.ts';
import { variantsOf } from '../../src/reservations/suggest-names.ts';
import { Portal } from '../support/portal.ts';
import { startFreshRegistry, type TestRegistry } from '../support/registry.ts';
import { seed } from '../support/seed.ts';
import { AT_ONCE, LIMIT_MS, REQUESTS } from './fuzzed-registry.ts';
import { escaped, headerText, mostly, strangeText, toJson } from './strange-values.ts';

let registry: TestRegistry;
let portal: Portal;
beforeAll(async () => {
  process.stderr.write(`fuzzing with FUZZ_SEED=${seed}\n`);
  registry = await startFreshRegistry({
    failuresPerMinute: 1_000_000,
    portalRequestsPerMinute: 1_000_000_000,
  });
  portal = new Portal(registry.url);
});
afterAll(() => registry.stop());

const form = fc.constantFrom(...ee.reservations.legalForms, 'OU', 'mtu', '-', 'Foo-AS', 'xn--', 'xn');
const organization = fc.oneof(
  strangeText,
  fc
    .array(
      fc.oneof(form, fc.string({ unit: 'grapheme', maxLength: 12 }), fc.constantFrom('Õun', 'Café', '5')),
      {
        maxLength: 8,
      },
    )
    .map((words) => words.join(' ')),
);

describe(`names for any organisation, FUZZ_SEED=${seed}`, () => {
  test('success: each variant could be registered, is there once, and holds the order of the zones', () => {
    const check = (text: string) => {
      const variants = variantsOf(text, ee);
      expect(new Set(variants).size).toBe(variants.length);
      expect(variants.length).toBeLessThanOrEqual(2 * ee.zones.length);
      for (const variant of variants) {
        expect(parseDomainName(variant, ee)?.unicode).toBe(variant);
        expect(isZoneOrigin(variant, ee)).toBe(false);
      }
      const [first = ''] = variants;
      if (variants.length === 2 * ee.zones.length)
        expect(variants[ee.zones.length]?.replaceAll('-', '')).toBe(first);
    };
    fc.assert(fc.property(organization, check), { seed, numRuns: REQUESTS });
  });

  test('success: forms around a name change nothing', () => {
    const forms = fc.array(fc.constantFrom(...ee.reservations.legalForms), { maxLength: 3 });
    const check = (before: string[], after: string[]) => {
      const text = [...before, 'Uus', 'Kohv', ...after].join(' ');
      expect(variantsOf(text, ee)).toEqual(variantsOf('Uus Kohv', ee));
    };
    fc.assert(fc.property(forms, forms, check), { seed, numRuns: REQUESTS / 10 });
  });
});

describe(`fuzzing of the reservation API, FUZZ_SEED=${seed}`, { timeout: LIMIT_MS }, () => {
  const names = fc.array(mostly(fc.stringMatching(/^[a-zõ]{1,8}\.(ee|com\.ee)$/)), { maxLength: 22 });
  const body = fc.record(
    {
      domain_names: mostly(names),
      user_unique_id: mostly(fc.stringMatching(/^[\w-]{10}$/)),
      PROTO: fc.constant({ domain_names: ['x.ee'] }),
    },
    { requiredKeys: [] },
  );
  const path = fc.constantFrom('/reserve_domains', '/long_reserve_domains');
  const key = fc.option(headerText.map((text) => text.trim()));
  const query = fc.record({
    invoice_number: fc.oneof(escaped, fc.nat().map(String)),
    user_unique_id: fc.oneof(escaped, fc.stringMatching(/^[\w-]{10}$/)),
    customer_name: escaped,
  });

  /** The client itself validates each answer against the document; here only server errors are excluded. */
  async function fire<T>(arbitrary: fc.Arbitrary<T>, ask: (item: T) => Promise<{ status: number }>) {
    const items = fc.sample(arbitrary, { seed, numRuns: REQUESTS / 4 });
    while (items.length > 0)
      for (const { status } of await Promise.all(items.splice(0, AT_ONCE).map(ask)))
        expect([200, 201, 400, 404, 413, 422]).toContain(status);
  }

  test('success: any POST', async () => {
    await fire(fc.tuple(path, mostly(body), key), ([target, value, text]) =>
      portal.send(target, toJson(value), text === null ? {} : { 'idempotency-key': text }),
    );
  });

  test('success: any GET', async () => {
    // The client itself would resolve these to the parent directory.
    const segment = escaped.filter((text) => !/^(\.|%2e){1,2}$/i.test(text));
    await fire(segment, (text) => portal.get(`/domain_names/${text}`));
    await fire(segment, (text) => portal.get(`/reserve_domains/${text}`));
    const targets = fc.constantFrom('/long_reserve_domains_status', '/reserved_domains_invoice_pdf');
    await fire(fc.tuple(targets, query), ([target, items]) =>
      portal.get(
        `${target}?${Object.entries(items)
          .map((pair) => pair.join('='))
          .join('&')}`,
      ),
    );
  });

  test('success: no unexpected error was logged', () => {
    expect(registry.logged()).not.toContain('unexpected error');
  });
});
