import { webAddress } from '../../platform/values/web-address.ts';
import type { Policy } from '../../policy/policy.ts';
import type { PublicRegistrar } from '../../registry/lookup/find-registrar.ts';
import { jCard } from './jcard.ts';
import { type Addresses, type Entity, selfLink } from './rdap-objects.ts';

/** A registrar, whose handle is its code, with the contact for abuse of its domains. */
export function registrarEntity(
  { code, name, website, phone, abuseEmail, abusePhone }: PublicRegistrar,
  { country }: Pick<Policy, 'country'>,
  addresses: Addresses,
): Entity {
  const url = webAddress(website);
  return {
    objectClassName: 'entity',
    handle: code,
    roles: ['registrar'],
    publicIds: [{ type: `${country.toLowerCase()}-registrar-code`, identifier: code }],
    vcardArray: jCard({ name, kind: 'org', isOrganisation: true, phone, url }),
    ...((abuseEmail || abusePhone) && {
      entities: [
        {
          objectClassName: 'entity',
          roles: ['abuse'],
          vcardArray: jCard({ name: 'Abuse contact', kind: 'group', phone: abusePhone, email: abuseEmail }),
        },
      ],
    }),
    links: [
      selfLink(addresses, 'entity', code),
      ...(url === undefined ? [] : [{ value: addresses.asked, rel: 'about', href: url, type: 'text/html' }]),
    ],
  };
}
