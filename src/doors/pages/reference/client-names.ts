/** How cadastre-sdk names groups, methods and inputs; its generator and the reference both read this. */

const GROUPS: Readonly<Record<string, string>> = {
  'Poll messages': 'messages',
  'Event feed': 'events',
  'Bulk actions': 'bulk',
  DNSSEC: 'dnssec',
};
const METHODS: Readonly<Record<string, string>> = {
  readBalance: 'balance',
  listPrices: 'prices',
  listInvoices: 'invoices',
  readInvoice: 'invoice',
  readInvoicePdf: 'invoicePdf',
  readInvoiceUbl: 'invoiceUbl',
  listNotifications: 'list',
  readLatestNotification: 'latest',
  readNotification: 'read',
  acknowledgeNotification: 'acknowledge',
  acknowledgeNotifications: 'acknowledgeMany',
  readEvents: 'read',
  listContacts: 'list',
  createContact: 'create',
  checkContact: 'check',
  readContact: 'read',
  updateContact: 'update',
  deleteContact: 'delete',
  listDomains: 'list',
  createDomain: 'create',
  checkDomain: 'check',
  checkDomains: 'checkMany',
  readDomain: 'read',
  updateDomain: 'update',
  deleteDomain: 'delete',
  listDomainHistory: 'history',
  renewDomain: 'renew',
  listDomainContacts: 'contacts',
  addDomainContacts: 'addContacts',
  removeDomainContacts: 'removeContacts',
  listNameservers: 'list',
  addNameservers: 'add',
  removeNameserver: 'remove',
  removeNameservers: 'removeAll',
  listKeys: 'list',
  addKeys: 'add',
  removeKeys: 'remove',
  setStatus: 'set',
  removeStatus: 'remove',
  readTransferInfo: 'info',
  transferDomain: 'transfer',
  transferDomains: 'transfer',
  renewDomains: 'renew',
  listWebhooks: 'list',
  createWebhook: 'create',
  readWebhook: 'read',
  updateWebhook: 'update',
  deleteWebhook: 'delete',
  rotateWebhookSecret: 'rotateSecret',
  testWebhook: 'test',
  listWebhookDeliveries: 'deliveries',
  readWebhookDelivery: 'delivery',
  replayWebhookDelivery: 'replay',
  replayWebhook: 'replayFailed',
};
/** Bodies that have only one sensible value. */
const FIXED_BODIES: Readonly<Record<string, string>> = {
  acknowledgeNotification: '{ notification: { read: true } }',
};

/** What continues after a position and is no list: it never ends. */
export const FEEDS: readonly string[] = ['readEvents'];

export const camel = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word, index) =>
      index === 0
        ? word.charAt(0).toLowerCase() + word.slice(1)
        : word.charAt(0).toUpperCase() + word.slice(1),
    )
    .join('');

/** Groups and methods that are not listed keep the name that the document has. */
export const groupName = (tag: string): string => GROUPS[tag] ?? camel(tag);
export const methodName = (operationId: string): string => METHODS[operationId] ?? operationId;
export const fixedBody = (operationId: string): string | undefined => FIXED_BODIES[operationId];

type BodySchema = {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, BodySchema>>;
};
export type Unwrapped<Schema> = {
  readonly schema: Schema;
  /** The members around it, from the outside in. */
  readonly wrappers: readonly string[];
};

/** What a call is about, without the objects that only wrap it: `{"domain": {…}}` is given as `{…}`. */
export function unwrapBody<Schema extends BodySchema>(
  schema: Schema,
  resolve: (schema: Schema) => Schema,
): Unwrapped<Schema> {
  const [[name, inner] = [], ...others] = Object.entries(schema.properties ?? {}) as [string, Schema][];
  if (!name || !inner || others.length > 0) return { schema, wrappers: [] };
  const { type } = resolve(inner);
  if (type !== 'object' && type !== 'array') return { schema, wrappers: [] };
  const rest = inner.$ref === undefined ? unwrapBody(inner, resolve) : { schema: inner, wrappers: [] };
  return { schema: rest.schema, wrappers: [name, ...rest.wrappers] };
}
