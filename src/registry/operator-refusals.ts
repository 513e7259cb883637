import { defineRefusals, type Path, type RefusalMaker } from '../operations/refusal.ts';
import { contactRefusals } from './contacts/contact-operator-refusals.ts';
import { domainRefusals } from './domains/domain-operator-refusals.ts';
import { requesterRefusals } from './lookup/requester-operator-refusals.ts';
import { mailRefusals } from './mails/mail-operator-refusals.ts';
import { nameRefusals } from './names/name-operator-refusals.ts';
import { personRefusals } from './people/person-operator-refusals.ts';
import { priceRefusals } from './prices/price-operator-refusals.ts';
import { addressRefusals } from './registrars/address-operator-refusals.ts';
import { balanceRefusals } from './registrars/balance-operator-refusals.ts';
import { registrarRefusals } from './registrars/registrar-operator-refusals.ts';
import { secondaryRefusals } from './secondaries/secondary-operator-refusals.ts';
import { sessionRefusals } from './sessions/session-operator-refusals.ts';
import { userRefusals } from './users/user-operator-refusals.ts';
import { webhookRefusals } from './webhooks/webhook-operator-refusals.ts';
import { zoneRefusals } from './zones/zone-operator-refusals.ts';

/** Why the registry's staff cannot do something: whole sentences without their full stop. */
export const catalogue = {
  ...registrarRefusals,
  ...priceRefusals,
  ...zoneRefusals,
  ...nameRefusals,
  ...domainRefusals,
  ...contactRefusals,
  ...userRefusals,
  ...addressRefusals,
  ...balanceRefusals,
  ...mailRefusals,
  ...personRefusals,
  ...sessionRefusals,
  ...secondaryRefusals,
  ...requesterRefusals,
  ...webhookRefusals,
} as const;

/** Places of the commands of operators. */
export type OperatorPath =
  | readonly ['website' | 'phone' | 'abuseEmail' | 'abusePhone']
  // names, zones, services
  | readonly ['duration' | 'code' | 'port' | 'purpose' | 'until']
  // People, users and addresses of registrars
  | readonly ['personName' | 'email' | 'username' | 'range'];

export const operatorRefusals = <At extends Path>(): RefusalMaker<typeof catalogue, At> =>
  defineRefusals<typeof catalogue, At>(catalogue);

const maker = operatorRefusals<OperatorPath>();
export const refusal = maker.refusal;
export const refuse: typeof maker.refuse = maker.refuse;
