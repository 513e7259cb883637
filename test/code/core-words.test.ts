import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');

/** Files of the core whose names in snake_case are data that is stored so, or names of others. */
const STORED: Readonly<Record<string, string>> = {
  'src/billing/exports/accounting/accounting-messages.ts': 'messages to services',
  'src/billing/exports/einvoice/export-as-e-invoice.ts': 'messages to services',
  'src/billing/invoices/invoice-messages.ts': 'messages to services',
  'src/billing/provider/everypay.ts': 'the API of the provider',
  'src/billing/provider/payment-links.ts': 'parameters of the provider',
  'src/ledger/money-messages.ts': 'types of messages',
  'src/ledger/credit-registrar.ts': 'columns of the rows that a statement writes',
  'src/installation/announce-maintenance.ts': 'history',
  'src/registry/contacts/contact.ts': 'history',
  'src/registry/contacts/persist-contacts.ts': 'columns of the rows that a statement writes',
  'src/registry/contacts/postal-address.ts': 'history',
  'src/registry/domains/bulk/restore-lists.ts': 'history',
  'src/registry/domains/domain.ts': 'history',
  'src/registry/domains/wanted-rows.ts': 'columns of the rows that a statement writes',
  'src/registry/events/tell-expiries.ts': 'history',
  'src/registry/history/timeline.ts': 'history',
  'src/registry/lookup/add-requester.ts': 'history',
  'src/registry/names/extend-reservation.ts': 'history',
  'src/registry/people/identity-provider.ts': 'parameters of OpenID Connect',
  'src/registry/poll/send-messages.ts': 'types of messages',
  'src/registry/prices/end-price.ts': 'history',
  'src/registry/prices/set-prices.ts': 'history',
  'src/registry/registrars/registrar-details.ts': 'history',
  'src/registry/registrars/set-low-balance.ts': 'history',
  'src/registry/registrars/set-top-up.ts': 'history',
  'src/registry/transfers/transfer-contacts.ts': 'history',
  'src/registry/webhooks/webhook-endpoint.ts': 'history',
  'src/registry/webhooks/event-types.ts': 'types of messages',
  'src/reservations/create-token.ts': 'history',
};

const SNAKE_CASE = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/;
/** `json_build_object('a_b', …)`. */
const BUILT_MEMBER = /'([a-z]+_[a-z_]+)'\s*,/g;
/** Of a select whose columns are members: `x as a_b`, or a column `c.a_b` without another name. */
const SELECTED_MEMBER = /\bas ([a-z]+_\w+)|\.([a-z]+_\w+)\s*(?=[,`])/g;

const isNamed = (node: ts.Node, name: string): boolean => node.getText() === name;

/** Names in snake_case of TypeScript, and of members of JSON that a statement builds. */
function foreignWords(name: string, text: string): string[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    const { parent } = node;
    const isQuotedName =
      (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent)) && parent.name === node;
    if (ts.isIdentifier(node) || (ts.isStringLiteral(node) && isQuotedName))
      if (SNAKE_CASE.test(node.text)) found.add(node.text);
    if (ts.isTaggedTemplateExpression(node) && isNamed(node.tag, 'sql')) {
      const template = node.template.getText();
      const isSelected = ts.isCallExpression(parent) && isNamed(parent.expression, 'compactObject');
      const members = [
        ...(/jsonb?_build_object/.test(template) ? template.matchAll(BUILT_MEMBER) : []),
        ...(isSelected ? template.matchAll(SELECTED_MEMBER) : []),
      ];
      for (const [, built, selected] of members) found.add(built ?? selected ?? '');
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  return [...found];
}

describe('the words of the core', () => {
  test('success: no name of its TypeScript or of JSON that it builds is in snake_case, but for what is listed', () => {
    const files = globSync('src/{registry,billing,reservations,ledger,installation,operations}/**/*.ts', {
      cwd: ROOT,
    });
    const speaking = files.filter(
      (name) => foreignWords(name, readFileSync(path.join(ROOT, name), 'utf8')).length > 0,
    );
    expect(speaking.sort()).toEqual(Object.keys(STORED).sort());
  });

  test.each([
    'const expire_time = 1;',
    'const { expire_time: expireTime } = row;',
    "const shown = { 'expire_time': 1 };",
    'type Shown = { readonly expire_time: string };',
    "sql`select json_build_object('expire_time', d.expire_time)`",
    "sql`select jsonb_build_object('a', 1, 'expire_time', d.expire_time)`",
    'compactObject(sql`d.name, d.expire_time`)',
    'compactObject(sql`d.name, to_char(d.at, $1) as expire_time, d.id`)',
  ])('failure: %s is found', (text) => {
    expect(foreignWords('a.ts', text)).toEqual(['expire_time']);
  });

  test.each([
    'sql`select d.expire_time as "expireTime" from domains d`',
    "sql`select json_build_object('expireTime', d.expire_time)`",
    'compactObject(sql`d.name, d.expire_time as "expireTime"`)',
    "const shown = { type: 'status_set' };",
    "type Type = 'status_set';",
    'const EXPIRE_TIME = sql`d.expire_time`;',
  ])('success: %s is not', (text) => {
    expect(foreignWords('a.ts', text)).toEqual([]);
  });
});
