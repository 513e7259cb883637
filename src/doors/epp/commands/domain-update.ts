import { requireNone } from '../../../operations/refusal.ts';
import { answerOf } from '../../../operations/run-operation.ts';
import { isEmpty } from '../../../registry/domains/apply-parts.ts';
import { parseDnsKey, parseNewDnsKey } from '../../../registry/domains/rules/dnssec-keys.ts';
import type { DomainParts } from '../../../registry/domains/rules/domain-parts.ts';
import { parseHostname, parseNameserver } from '../../../registry/domains/rules/parse-nameservers.ts';
import { checkTransferCode, parseEach } from '../../../registry/domains/rules/parse-new-domain.ts';
import { type DomainUpdate, updateDomain } from '../../../registry/domains/update-domain.ts';
import { checkDocumentGiven } from '../../../registry/legal-documents.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import type { CommandReader } from '../command-reader.ts';
import { readEisData } from '../extensions/eis.ts';
import { readKeyChange } from '../extensions/secdns.ts';
import { refusal, refuse } from '../frame-refusals.ts';
import type { XmlElement } from '../xml/element.ts';
import { type Call, type ObjectHandler, successCode } from './object-handler.ts';
import { changeContext } from './change-context.ts';
import { readContacts } from './read-domain-contacts.ts';
import { readName } from './domain-name.ts';
import { meantCodes } from './meant-contacts.ts';
import { readNameservers } from './read-nameservers.ts';

/** One command holds contacts, nameservers, statuses, keys, registrant and code, and is done as a whole or not at all. */
export const updateDomainByEpp: ObjectHandler = {
  extensions: ['secDNS:update', 'rgp:update', 'eis:extdata'],
  async handle(call) {
    const { reader, extension, database } = call;
    const { update, eis, refusals } = readUpdate(call);
    if (extension('rgp:update')) reader.refusals.push(refusal('restorePolicy'));
    requireNone([...reader.refusals, ...refusals]);
    const { registrant, transferCode } = update;
    if (isEmpty(update) && registrant === undefined && transferCode === undefined) refuse('emptyUpdate');
    const meant = await withMeantContacts(call, update);
    const context = changeContext(call, eis);
    return {
      code: successCode(answerOf(await runRegistryOperation(database, updateDomain, meant, context))),
    };
  },
};

/** Each item of it is named. */
type NamedUpdate = Omit<DomainUpdate, keyof DomainParts> & DomainParts;

async function withMeantContacts(call: Call, update: NamedUpdate): Promise<NamedUpdate> {
  const { registrant, add, remove } = update;
  const meant = await meantCodes(call, [
    ...(registrant ? [{ code: registrant.code, at: ['registrant'] as const }] : []),
    ...add.contacts.map(({ code }, index) => ({ code, at: ['add', 'contacts', index] as const })),
    ...remove.contacts.map(({ code }, index) => ({ code, at: ['remove', 'contacts', index] as const })),
  ]);
  const renamed = <T extends { readonly code: string }>(named: T): T => ({
    ...named,
    code: meant(named.code),
  });
  return {
    ...update,
    registrant: registrant && renamed(registrant),
    add: { ...add, contacts: add.contacts.map(renamed) },
    remove: { ...remove, contacts: remove.contacts.map(renamed) },
  };
}

function readUpdate({ element, reader, extension, policy }: Call) {
  const read = reader.children(element, {
    ...({ name: 'one', add: 'maybe', rem: 'maybe', chg: 'maybe' } as const),
  });
  const name = readName(read.name, reader, policy);
  const [add, remove] = [readParts(read.add, 'add', reader), readParts(read.rem, 'remove', reader)];
  const { registrant, transferCode } = readChange(read.chg, reader);
  const keys = readKeyChange(extension('secDNS:update'), reader);
  const nameservers = parseEach(add.nameservers, (text, index) =>
    parseNameserver(text, ['add', 'nameservers', index]),
  );
  const addedKeys = parseEach(keys.add, (text, index) =>
    parseNewDnsKey(text, ['add', 'dnsKeys', index], policy),
  );
  const removedKeys =
    keys.remove === 'all'
      ? ({ values: 'all', refusals: [] } as const)
      : parseEach(keys.remove, (text, index) => parseDnsKey(text, ['remove', 'dnsKeys', index], policy));
  const eis = readEisData(extension('eis:extdata'), reader, policy);
  const code = reader.sourceOf(['reservationCode']);
  if (code) reader.from(['disputeCode'], code);
  const update: NamedUpdate = {
    name,
    remove: {
      contacts: remove.contacts,
      nameservers: remove.nameservers.map(({ hostname = '' }) => ({
        hostname: parseHostname(hostname) ?? hostname,
      })),
      statuses: remove.statuses,
      keys: removedKeys.values,
    },
    add: {
      contacts: add.contacts,
      nameservers: nameservers.values,
      statuses: add.statuses,
      keys: addedKeys.values,
    },
    registrant,
    transferCode,
    disputeCode: eis.reservedCode,
  };
  const refusals = [
    ...nameservers.refusals,
    ...addedKeys.refusals,
    ...removedKeys.refusals,
    ...checkTransferCode(transferCode, policy),
    ...(registrant ? checkDocumentGiven(eis.hasDocument, policy) : []),
  ];
  return { update, eis, refusals };
}

/** `<add>` or `<rem>`. */
function readParts(element: XmlElement | undefined, part: 'add' | 'remove', reader: CommandReader) {
  if (!element) return { contacts: [], nameservers: [], statuses: [] };
  const { ns, contact, status } = reader.children(element, { ns: 'maybe', contact: 'list', status: 'list' });
  const contacts = readContacts(contact, reader);
  return {
    nameservers: readNameservers(ns, [part, 'nameservers'], reader),
    contacts: (['admin', 'tech'] as const)
      .flatMap((role) => contacts[role].map((contact) => ({ ...contact, role })))
      .map(({ code, role, element: source }, index) => {
        reader.from([part, 'contacts', index], source);
        return { code, role };
      }),
    statuses: status.map((each, index) => {
      reader.from([part, 'statuses', index], each);
      reader.leaf(each);
      const value = each.attributes.s?.trim() ?? '';
      if (value === '') reader.refuse('elementMissing', each);
      return { status: value };
    }),
  };
}

function readChange(
  element: XmlElement | undefined,
  reader: CommandReader,
): Pick<DomainUpdate, 'registrant' | 'transferCode'> {
  if (!element) return { registrant: undefined, transferCode: undefined };
  const { registrant, authInfo } = reader.children(element, { registrant: 'maybe', authInfo: 'maybe' });
  return {
    registrant: registrant && {
      code: reader.text(registrant, ['registrant']),
      verified: reader.choice(registrant, 'verified', ['yes', 'no'], 'no') === 'yes',
    },
    transferCode: reader.authInfo(authInfo, ['transferCode']),
  };
}
