import { createDomain } from '../../../registry/domains/create.ts';
import { parseNewDomain } from '../../../registry/domains/parse-new-domain.ts';
import { firstExpiry } from '../../../registry/domains/periods.ts';
import { checkDocumentGiven } from '../../../registry/legal-documents.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { LEGAL_DOCUMENT, readEisData } from '../extensions/eis.ts';
import { chargedFee, readAgreedFee } from '../extensions/fee.ts';
import { readNewKeys } from '../extensions/secdns.ts';
import { xml } from '../xml/write.ts';
import { type ObjectHandler, shownName, shownTime } from './call.ts';
import { changeContext } from './change-context.ts';
import { readContacts } from './domain-contacts.ts';
import { readNameservers } from './nameservers.ts';
import { readPeriod } from './period.ts';

export const createDomainByEpp: ObjectHandler = {
  extensions: ['secDNS:create', 'fee:create', 'eis:extdata'],
  async handle(call) {
    const { element, reader, extension, database, policy, namespace } = call;
    const read = reader.children(element, {
      ...({ name: 'one', period: 'maybe', ns: 'maybe', registrant: 'one' } as const),
      ...({ contact: 'list', authInfo: 'maybe' } as const),
    });
    const eis = readEisData(extension('eis:extdata'), reader, policy);
    const period = readPeriod(read.period, reader, 'domain.period');
    const contacts = readContacts(read.contact, reader);
    for (const role of ['admin', 'tech'] as const)
      for (const [index, { element: source }] of contacts[role].entries())
        reader.from(`domain.${role}_contacts.${index}`, source);
    const transferCode = reader.authInfo(read.authInfo, 'domain.transfer_code');
    const text = {
      name: reader.text(read.name, 'domain.name'),
      ...(eis.reservedCode !== undefined && { reserved_pw: eis.reservedCode }),
      ...(transferCode !== undefined && { transfer_code: transferCode }),
      registrant: reader.text(read.registrant, 'domain.registrant'),
      ...{ period: period.count, period_unit: period.unit },
      admin_contacts: contacts.admin.map(({ code }) => code),
      tech_contacts: contacts.tech.map(({ code }) => code),
      nameservers_attributes: readNameservers(read.ns, 'domain.nameservers_attributes', reader),
      dnskeys_attributes: readNewKeys(extension('secDNS:create'), 'domain.dnskeys_attributes', reader),
    };
    const fee = readAgreedFee(extension('fee:create'), reader, policy);
    reader.refusals.push(...checkDocumentGiven(eis.hasDocument, LEGAL_DOCUMENT, policy));
    const domain = reader.require(parseNewDomain(text, policy));
    const context = changeContext(call, eis, fee);
    await runRegistryOperation(database, createDomain, domain, context);
    const { name, months } = domain;
    return {
      code: 1000,
      data: xml`<domain:creData xmlns:domain="${namespace}"><domain:name>${shownName(name.unicode, call)}</domain:name><domain:crDate>${shownTime(context.now, call)}</domain:crDate><domain:exDate>${shownTime(firstExpiry(context.now, months, policy), call)}</domain:exDate></domain:creData>`,
      extensions: [fee && (await chargedFee(database, 'creData', fee, context))],
    };
  },
};
