import { createDomain, type NewDomain } from '../../../registry/domains/create-domain.ts';
import { parseNewDomain } from '../../../registry/domains/rules/parse-new-domain.ts';
import { firstExpiry, monthsOf } from '../../../registry/domains/rules/periods.ts';
import { checkDocumentGiven } from '../../../registry/legal-documents.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { readEisData } from '../extensions/eis.ts';
import { chargedFee, readAgreedFee } from '../extensions/fee.ts';
import { readNewKeys } from '../extensions/secdns.ts';
import { xml } from '../xml/write.ts';
import { type Call, type ObjectHandler, shownName, shownTime } from './object-handler.ts';
import { changeContext } from './change-context.ts';
import { readContacts } from './read-domain-contacts.ts';
import { meantCodes } from './meant-contacts.ts';
import { readNameservers } from './read-nameservers.ts';
import { readPeriod } from './period.ts';

async function withMeantContacts(call: Call, domain: NewDomain): Promise<NewDomain> {
  const { registrant, admins, techs } = domain;
  const listed = (codes: readonly string[], list: 'admins' | 'techs') =>
    codes.map((code, index) => ({ code, at: [list, index] as const }));
  const meant = await meantCodes(call, [
    { code: registrant, at: ['registrant'] },
    ...listed(admins, 'admins'),
    ...listed(techs, 'techs'),
  ]);
  return { ...domain, registrant: meant(registrant), admins: admins.map(meant), techs: techs.map(meant) };
}

export const createDomainByEpp: ObjectHandler = {
  extensions: ['secDNS:create', 'fee:create', 'eis:extdata'],
  async handle(call) {
    const { element, reader, extension, database, policy, namespace } = call;
    const read = reader.children(element, {
      ...({ name: 'one', period: 'maybe', ns: 'maybe', registrant: 'one' } as const),
      ...({ contact: 'list', authInfo: 'maybe' } as const),
    });
    const eis = readEisData(extension('eis:extdata'), reader, policy);
    const period = readPeriod(read.period, reader, ['period']);
    const contacts = readContacts(read.contact, reader);
    for (const role of ['admin', 'tech'] as const)
      for (const [index, { element: source }] of contacts[role].entries())
        reader.from([`${role}s`, index], source);
    const transferCode = reader.authInfo(read.authInfo, ['transferCode']);
    const text = {
      name: reader.text(read.name, ['name']),
      reservationCode: eis.reservedCode,
      transferCode,
      registrant: reader.text(read.registrant, ['registrant']),
      months: monthsOf(period.count, period.unit),
      admins: contacts.admin.map(({ code }) => code),
      techs: contacts.tech.map(({ code }) => code),
      nameservers: readNameservers(read.ns, ['nameservers'], reader),
      dnsKeys: readNewKeys(extension('secDNS:create'), ['dnsKeys'], reader),
    };
    const fee = readAgreedFee(extension('fee:create'), reader, policy);
    reader.refusals.push(...checkDocumentGiven(eis.hasDocument, policy));
    const domain = await withMeantContacts(call, reader.require(parseNewDomain(text, policy)));
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
