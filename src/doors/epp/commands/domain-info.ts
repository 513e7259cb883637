import { requireNone } from '../../../operations/refusal.ts';
import { readDomainRecord } from '../../../registry/domains/readings/read-domain-record.ts';
import { gracePeriodInfo } from '../extensions/rgp.ts';
import { keyInfo } from '../extensions/secdns.ts';
import { NAMESPACES } from '../namespaces.ts';
import type { ObjectHandler } from './object-handler.ts';
import { readName } from './domain-name.ts';
import { domainInfo } from './domain-view.ts';

/** Subordinate hosts (`sub`) are objects, which this registry does not have. */
const HOSTS = ['all', 'del', 'sub', 'none'] as const;

export const infoDomain: ObjectHandler = {
  extensions: [],
  async handle(call) {
    const { element, reader, database, policy, context } = call;
    const { name: nameElement, authInfo } = reader.children(element, { name: 'one', authInfo: 'maybe' });
    const name = readName(nameElement, reader, policy);
    const hosts = reader.choice(nameElement, 'hosts', HOSTS, 'all');
    const transferCode = reader.authInfo(authInfo, ['transferCode']);
    requireNone(reader.refusals);
    const domain = await readDomainRecord(database, name, { ...context, transferCode });
    return {
      code: 1000,
      data: domainInfo(domain, call, { withHosts: hosts === 'all' || hosts === 'del' }),
      extensions: [
        call.isExpected(NAMESPACES.secDNS) ? keyInfo(domain.dnsKeys) : undefined,
        call.isExpected(NAMESPACES.rgp) && call.dialect === 'ietf'
          ? gracePeriodInfo(domain.statuses)
          : undefined,
      ],
    };
  },
};
