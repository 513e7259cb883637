import { requireNone } from '../../../operations/refusal.ts';
import { isEmpty } from '../../../registry/domains/apply-parts.ts';
import { parseDnsKey, parseNewDnsKey } from '../../../registry/domains/dnssec-keys.ts';
import { parseHostname, parseNameserver } from '../../../registry/domains/nameservers.ts';
import { checkTransferCode, parseEach } from '../../../registry/domains/parse-new-domain.ts';
import { type DomainPartsUpdate, updateDomainParts } from '../../../registry/domains/update-parts.ts';
import { checkDocumentGiven } from '../../../registry/legal-documents.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import type { CommandReader } from '../command-reader.ts';
import { LEGAL_DOCUMENT, readEisData } from '../extensions/eis.ts';
import { readKeyChange } from '../extensions/secdns.ts';
import { refusal, refuse } from '../frame-refusals.ts';
import type { XmlElement } from '../xml/element.ts';
import { type Call, type ObjectHandler, successCode } from './call.ts';
import { changeContext } from './change-context.ts';
import { readContacts } from './domain-contacts.ts';
import { readName } from './domain-name.ts';
import { readNameservers } from './nameservers.ts';

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
    const context = changeContext(call, eis);
    const { answer } = await runRegistryOperation(database, updateDomainParts, update, context);
    return { code: successCode(answer) };
  },
};

function readUpdate({ element, reader, extension, policy }: Call) {
  const read = reader.children(element, {
    ...({ name: 'one', add: 'maybe', rem: 'maybe', chg: 'maybe' } as const),
  });
  const name = readName(read.name, reader, policy);
  const [add, remove] = [readParts(read.add, 'add', reader), readParts(read.rem, 'remove', reader)];
  const { registrant, transferCode } = readChange(read.chg, reader);
  const keys = readKeyChange(extension('secDNS:update'), { add: 'add.keys', remove: 'remove.keys' }, reader);
  const nameservers = parseEach(add.nameservers, (text, index) =>
    parseNameserver(text, `add.nameservers.${index}`),
  );
  const addedKeys = parseEach(keys.add, (text, index) => parseNewDnsKey(text, `add.keys.${index}`, policy));
  const removedKeys =
    keys.remove === 'all'
      ? ({ values: 'all', refusals: [] } as const)
      : parseEach(keys.remove, (text, index) => parseDnsKey(text, `remove.keys.${index}`, policy));
  const eis = readEisData(extension('eis:extdata'), reader, policy);
  const code = reader.sourceOf('domain.reserved_pw');
  if (code) reader.from('disputeCode', code);
  const update: DomainPartsUpdate = {
    name,
    remove: {
      contacts: remove.contacts,
      nameservers: remove.nameservers.map(({ hostname = '' }, index) => ({
        hostname: parseHostname(hostname) ?? hostname,
        field: `remove.nameservers.${index}`,
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
    ...checkTransferCode(transferCode, 'domain.transfer_code', policy),
    ...(registrant ? checkDocumentGiven(eis.hasDocument, LEGAL_DOCUMENT, policy) : []),
  ];
  return { update, eis, refusals };
}

/** `<add>` or `<rem>`. */
function readParts(element: XmlElement | undefined, part: 'add' | 'remove', reader: CommandReader) {
  if (!element) return { contacts: [], nameservers: [], statuses: [] };
  const { ns, contact, status } = reader.children(element, { ns: 'maybe', contact: 'list', status: 'list' });
  const contacts = readContacts(contact, reader);
  return {
    nameservers: readNameservers(ns, `${part}.nameservers`, reader),
    contacts: (['admin', 'tech'] as const).flatMap((role) =>
      contacts[role].map(({ code, element: source }, index) => {
        const field = `${part}.${role}_contacts.${index}`;
        reader.from(field, source);
        return { code, role, field };
      }),
    ),
    statuses: status.map((each, index) => {
      const field = `${part}.statuses.${index}`;
      reader.from(field, each);
      const value = each.attributes.s?.trim() ?? '';
      if (value === '') reader.refuse('elementMissing', each);
      return { status: value, field };
    }),
  };
}

function readChange(
  element: XmlElement | undefined,
  reader: CommandReader,
): Pick<DomainPartsUpdate, 'registrant' | 'transferCode'> {
  if (!element) return { registrant: undefined, transferCode: undefined };
  const { registrant, authInfo } = reader.children(element, { registrant: 'maybe', authInfo: 'maybe' });
  return {
    registrant: registrant && {
      code: reader.text(registrant, 'registrant'),
      verified: reader.choice(registrant, 'verified', ['yes', 'no'], 'no') === 'yes',
    },
    transferCode: reader.authInfo(authInfo, 'domain.transfer_code'),
  };
}
