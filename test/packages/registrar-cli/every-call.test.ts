import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../../packages/registrar-cli/src/program.ts';
import { fieldsOf } from '../../../src/doors/pages/reference/fields.ts';
import { readApi } from '../../../src/doors/pages/reference/model.ts';
import { apiDocument } from '../../support/endpoints.ts';

/**
 * How the terminal makes a call: by which command, and how each parameter and field of the call is given to it: `--option`,
 * `ARGUMENT`, or in other words why it is not. An option of the same name need not be listed.
 */
type Way = { readonly command: string; readonly given?: Readonly<Record<string, string>> };

const LIST = { limit: 'all are listed', offset: 'all are listed', after: 'all are listed' };
const DETAILS = { details: 'always' };
const KEY = { flags: 'KEY', protocol: 'KEY', alg: 'KEY', public_key: 'KEY' };
const OPTION_KEY = { flags: '--dnskey', protocol: '--dnskey', alg: '--dnskey', public_key: '--dnskey' };
const hosts = (way: string) => ({ hostname: way, ipv4: way, ipv6: way });
const PERIOD = { period: '--period', period_unit: '--period' };
const ROLES = { code: '--admin', type: '--tech' };
const PERSON = {
  name: '--name',
  email: '--email',
  phone: '--phone',
  'ident.ident': '--ident',
  ident_type: '--ident',
  ident_country_code: '--ident',
  disclosed_attributes: '--disclose',
};

const WAYS: Readonly<Record<string, Way>> = {
  readBalance: { command: 'balance', given: { detailed: '--detailed', from: '--from', until: '--until' } },
  addCredit: { command: 'invoice create', given: { amount: 'AMOUNT' } },
  listInvoices: { command: 'invoice list', given: LIST },
  readInvoice: { command: 'invoice show' },
  readInvoicePdf: { command: 'invoice save' },
  readInvoiceUbl: { command: 'invoice save' },
  listPrices: { command: 'prices' },
  listNotifications: { command: 'messages', given: { ...LIST, sort: 'always the oldest first' } },
  readLatestNotification: { command: 'messages' },
  readNotification: { command: 'message show' },
  acknowledgeNotification: { command: 'message acknowledge', given: { read: 'always' } },
  acknowledgeNotifications: { command: 'message acknowledge', given: { ids: 'ID…', read: 'always' } },
  listContacts: { command: 'contact list', given: { ...LIST, ...DETAILS, q: '--query', sort: '--sort' } },
  createContact: { command: 'contact create', given: { id: '[CODE]', ...PERSON } },
  checkContact: { command: 'contact check' },
  readContact: { command: 'contact show', given: { simple: 'never' } },
  updateContact: { command: 'contact update', given: PERSON },
  deleteContact: { command: 'contact delete' },
  listDomains: {
    command: 'domain list',
    given: {
      ...LIST,
      ...DETAILS,
      q: '--query',
      contact: '--contact',
      updated_since: '--updated-since',
      expires_before: '--expires-before',
      sort: '--sort',
    },
  },
  createDomain: {
    command: 'domain create',
    given: {
      name: 'NAME',
      registrant: '--registrant',
      ...PERIOD,
      expected_price: '--price',
      admin_contacts: '--admin',
      tech_contacts: '--tech',
      ...hosts('--nameserver'),
      ...OPTION_KEY,
      reserved_pw: '--reserved',
      transfer_code: '--transfer-code',
    },
  },
  checkDomain: { command: 'domain check' },
  checkDomains: { command: 'domain check', given: { domains: 'NAME…' } },
  readDomain: { command: 'domain show' },
  updateDomain: {
    command: 'domain registrant',
    given: {
      code: 'NAME CODE',
      verified: '--verified',
      transfer_code: 'by domain transfer-code set',
      reference: 'by domain reference',
    },
  },
  deleteDomain: {
    command: 'domain delete',
    given: { verified: '--verified', 'Auth-Code': '--transfer-code' },
  },
  renewDomain: {
    command: 'domain renew',
    given: { ...PERIOD, exp_date: '--expires', expected_price: '--price' },
  },
  listDomainHistory: {
    command: 'domain history',
    given: { limit: 'all are listed', after: 'all are listed' },
  },
  listDomainContacts: { command: 'domain contacts' },
  addDomainContacts: { command: 'domain contacts add', given: ROLES },
  removeDomainContacts: { command: 'domain contacts remove', given: ROLES },
  listNameservers: { command: 'nameserver list' },
  addNameservers: { command: 'nameserver add', given: hosts('DOMAIN HOST[=IP,…]…') },
  removeNameservers: { command: 'nameserver remove' },
  removeNameserver: { command: 'nameserver remove' },
  listKeys: { command: 'dnskey list' },
  addKeys: { command: 'dnskey add', given: KEY },
  removeKeys: { command: 'dnskey remove', given: KEY },
  setStatus: { command: 'domain hold' },
  removeStatus: { command: 'domain unhold' },
  readTransferInfo: { command: 'domain transfer-info', given: { 'Auth-Code': 'asked for' } },
  transferDomain: {
    command: 'domain transfer',
    given: { transfer_code: 'asked for', expected_price: '--price' },
  },
  transferDomains: {
    command: 'bulk transfer',
    given: { domain_name: 'FILE', transfer_code: 'FILE' },
  },
  replaceTechContact: {
    command: 'bulk replace-contact',
    given: { current_contact_id: 'CODE NEW', new_contact_id: 'CODE NEW' },
  },
  replaceNameserver: {
    command: 'bulk replace-nameserver',
    given: { type: 'always', id: 'HOST NEW[=IP,…]', domains: '--domain', ...hosts('HOST NEW[=IP,…]') },
  },
  renewDomains: {
    command: 'bulk renew',
    given: { domains: 'FILE', renew_period: '--period', expected_price: '--price' },
  },
  readEvents: { command: 'events', given: { limit: 'all are listed', after: '--after' } },
  listWebhooks: { command: 'webhooks list' },
  createWebhook: {
    command: 'webhooks create',
    given: { url: 'URL', description: '--description', event_types: '--types' },
  },
  readWebhook: { command: 'webhooks show' },
  updateWebhook: {
    command: 'webhooks update',
    given: { url: '--url', description: '--description', event_types: '--types', enabled: '--enable' },
  },
  deleteWebhook: { command: 'webhooks delete' },
  rotateWebhookSecret: { command: 'webhooks rotate' },
  testWebhook: { command: 'webhooks test' },
  listWebhookDeliveries: {
    command: 'webhooks deliveries',
    given: { limit: '--limit', after: 'all are listed', state: '--state', type: '--type' },
  },
  readWebhookDelivery: { command: 'webhooks delivery' },
  replayWebhookDelivery: { command: 'webhooks replay' },
  replayWebhook: { command: 'webhooks replay', given: { since: '--since' } },
};

const api = readApi(apiDocument());
/** What every command that changes something has: `--key` and `--dry-run`. */
const OF_ALL = ['Idempotency-Key', 'Dry-Run'];

/** The parameters and fields of a call that have a value themselves, without the objects around them. */
function namesOf({ parameters, body }: (typeof api.calls)[number]): string[] {
  const paths = body ? fieldsOf(body.schema, api.resolve).map(({ path }) => path) : [];
  const leaves = paths.filter(
    (path) => !paths.some((other) => other.startsWith(`${path}.`) || other.startsWith(`${path}[`)),
  );
  const given = parameters.filter(({ place, name }) => place !== 'path' && !OF_ALL.includes(name));
  return [...given.map(({ name }) => name), ...leaves];
}

/** Whether a field of this path is meant. */
const isNamed = (path: string, name: string): boolean =>
  path === name || path.endsWith(`.${name}`) || path === `${name}[]`;

describe('the command can all that the API can', () => {
  test('success: every call has its command, and no other is named', () => {
    expect(Object.keys(WAYS).sort()).toEqual(api.calls.map(({ id }) => id).sort());
  });

  test.each(api.calls.map((call) => [call.id, call] as const))(
    'success: %s with all that it takes',
    (id, call) => {
      const { command: name, given = {} } = WAYS[id] ?? { command: '' };
      const command = COMMANDS.find((each) => each.name === name);
      expect(command?.changes === true).toBe(call.parameters.some((each) => each.name === OF_ALL[0]));
      const paths = namesOf(call);
      const options = Object.keys(command?.options ?? {});
      const hasOption = (path: string) =>
        options.includes((path.split('.').at(-1) ?? '').replaceAll('_', '-'));
      expect(
        paths.filter((path) => !hasOption(path) && !Object.keys(given).some((each) => isNamed(path, each))),
      ).toEqual([]);
      expect(Object.keys(given).filter((each) => !paths.some((path) => isNamed(path, each)))).toEqual([]);
      for (const way of Object.values(given)) {
        if (way.startsWith('--')) expect(options).toContain(way.slice(2));
        else if (/^[[A-Z]/.test(way)) expect(command?.parameters).toContain(way);
      }
    },
  );
});
