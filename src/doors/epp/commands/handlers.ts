import type { ObjectKind } from '../namespaces.ts';
import type { ObjectCommand } from '../epp-request.ts';
import type { ObjectHandler } from './object-handler.ts';
import { checkContacts } from './contact-check.ts';
import { createContactByEpp } from './contact-create.ts';
import { deleteContactByEpp } from './contact-delete.ts';
import { infoContact } from './contact-info.ts';
import { updateContactByEpp } from './contact-update.ts';
import { checkDomains } from './domain-check.ts';
import { createDomainByEpp } from './domain-create.ts';
import { deleteDomainByEpp } from './domain-delete.ts';
import { infoDomain } from './domain-info.ts';
import { renewDomainByEpp } from './domain-renew.ts';
import { transferDomainByEpp } from './domain-transfer.ts';
import { updateDomainByEpp } from './domain-update.ts';

/** The commands of each kind of object; contacts are neither renewed nor transferred. */
export const HANDLERS: Readonly<Record<ObjectKind, Partial<Record<ObjectCommand, ObjectHandler>>>> = {
  domain: {
    check: checkDomains,
    info: infoDomain,
    create: createDomainByEpp,
    update: updateDomainByEpp,
    delete: deleteDomainByEpp,
    renew: renewDomainByEpp,
    transfer: transferDomainByEpp,
  },
  contact: {
    check: checkContacts,
    info: infoContact,
    create: createContactByEpp,
    update: updateContactByEpp,
    delete: deleteContactByEpp,
  },
};
