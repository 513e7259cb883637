import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { withPartsInPlace } from '../../../src/doors/http/openapi-components.ts';
import { ee } from '../../../src/policy/ee.ts';
import { ApiDocument } from '../../support/document.ts';
import { apiDocument, apiDocuments } from '../../support/endpoints.ts';

type Entry = { readonly field: string | null; readonly reason: string };
type Body = { readonly errors?: readonly Entry[] };
type Operation = {
  readonly operationId: string;
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly content?: {
          readonly 'application/json'?: { readonly examples?: Record<string, { value: Body }> };
        };
      }
    >
  >;
};

const RECORDING = path.join(import.meta.dirname, '../recorded/registrar.txt');
const patternOf = (field: string | null): string | null => field?.replace(/\.\d+/g, '.#') ?? null;

/** Every refusal of the examples, by call and name. */
const examples = Object.values(withPartsInPlace(apiDocument()).paths)
  .flatMap((operations) => Object.values(operations) as unknown as Operation[])
  .flatMap(({ operationId: call, responses }) =>
    Object.values(responses).flatMap(({ content }) =>
      Object.entries(content?.['application/json']?.examples ?? {}).flatMap(([name, { value }]) =>
        (value.errors ?? []).map(({ field }) => ({ call, name, field })),
      ),
    ),
  );

/** The fields that recorded answers name, by call and refusal. */
function recordedFields(): Map<string, Set<string | null>> {
  const document = new ApiDocument(apiDocument());
  const fields = new Map<string, Set<string | null>>();
  for (const exchange of readFileSync(RECORDING, 'utf8').split(/^### /m)) {
    const [, method = '', target = ''] = /^[^:]+: ([A-Z]+) (\S+)/.exec(exchange) ?? [];
    const call = document.find(method, target)?.id;
    const answer = exchange.split('\n').find((line) => line.startsWith('{"code":2'));
    if (call === undefined || answer === undefined) continue;
    for (const { reason, field } of (JSON.parse(answer) as Body).errors ?? []) {
      const key = `${call} ${reason}`;
      fields.set(key, (fields.get(key) ?? new Set()).add(patternOf(field)));
    }
  }
  return fields;
}

describe('the examples of refusals', () => {
  test('success: the field of each is one that answers of the call have named', () => {
    const recorded = recordedFields();
    const compared = examples.filter(
      ({ call, name }) =>
        recorded.has(`${call} ${name}`) && !['unknownField', 'unprintableText'].includes(name),
    );
    expect(compared.length).toBeGreaterThan(70);
    expect(
      compared.filter(({ call, name, field }) => !recorded.get(`${call} ${name}`)?.has(patternOf(field))),
    ).toEqual([]);
  });

  test('success: an unknown field lies beside fields of the call', () => {
    const fieldOf = (id: string) =>
      examples.find(({ call, name }) => call === id && name === 'unknownField')?.field;
    expect(['createContact', 'renewDomain', 'renewDomains', 'addKeys', 'readBalance'].map(fieldOf)).toEqual([
      'contact.comment',
      'renews.comment',
      'comment',
      'dns_keys.0.comment',
      'comment',
    ]);
  });
});

test('success: the names of refusals are an enum of their call', () => {
  const { schemas } = apiDocument().components as { schemas: Record<string, { enum: string[] }> };
  expect(schemas.CreateContactRefusal?.enum).toEqual([
    'malformedRequest',
    'unknownField',
    'wrongSyntax',
    'unprintableText',
    'malformedJson',
    'bodyTooLarge',
    'tooManyValues',
    'keyReused',
    'fieldMissing',
    'contactCodeTaken',
  ]);
});

test('success: the documents stay small', () => {
  for (const document of apiDocuments())
    expect(Buffer.byteLength(JSON.stringify(document)), document.info.title).toBeLessThan(400_000);
});

test('success: bounds are those of the policy, though a request beyond them meets its rules', () => {
  const { schemas } = apiDocument().components as {
    schemas: Record<string, { properties: Record<string, unknown> }>;
  };
  const { period, name, nameservers_attributes: hosts } = schemas.NewDomain?.properties ?? {};
  expect(period).toMatchObject({ minimum: 1, maximum: 12 * ee.domains.longestYears });
  expect(name).toMatchObject({ maxLength: 'com.ee'.length + 64 });
  expect(hosts).toMatchObject({ anyOf: [{ maxItems: ee.domains.nameservers.max }, { type: 'null' }] });
});
