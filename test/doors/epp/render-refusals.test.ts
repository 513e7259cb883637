import { expect, test } from 'vitest';
import { CommandReader } from '../../../src/doors/epp/command-reader.ts';
import { renderRefusal } from '../../../src/doors/epp/render-refusals.ts';
import { refusal as ofContact } from '../../../src/registry/contacts/contact-refusals.ts';
import { refusal } from '../../../src/registry/domains/rules/domain-refusals.ts';

const element = {
  namespace: 'urn:ietf:params:xml:ns:domain-1.0',
  name: 'hostName',
  attributes: {},
  children: [],
  text: 'a',
};

test('success: a place is called by the element that it came from', () => {
  const reader = new CommandReader();
  reader.from(['nameservers', 0, 'hostname'], element);
  const refused = refusal('wrongSyntax', {
    at: ['nameservers', 0, 'hostname'],
    expected: 'the name of a host',
  });
  expect(renderRefusal(refused, reader)).toEqual({
    code: 2005,
    message: 'domain:hostName must be the name of a host',
    element,
  });
});

test('success: without an element it has its name in EPP, by what the command is about', () => {
  const reader = new CommandReader();
  expect(renderRefusal(refusal('codeMissing', { at: ['transferCode'] }), reader).message).toBe(
    'Invalid authorization information: authInfo is missing',
  );
  reader.kind = 'contact';
  expect(renderRefusal(ofContact('fieldMissing', { at: ['phone'] }), reader).message).toBe(
    'Field is missing or empty: contact:voice',
  );
});

test('success: what a client sent comes back as it is, whatever words it has', () => {
  for (const object of ['exp_date', 'transfer_code', 'contact.name', '{field}'])
    expect(
      renderRefusal(refusal('bodyObjectMissing', { object, at: ['registrant'] }), undefined).message,
    ).toBe(`Object does not exist: ${object}`);
});
