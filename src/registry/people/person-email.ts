import { isAddress } from '../../platform/mail/enqueue-mails.ts';
import type { Policy } from '../../policy/policy.ts';
import { isEmail } from '../contacts/contact-fields.ts';
import { emailKey } from './person.ts';

/** As it is compared; undefined for what is no address of one mailbox. */
export function parsePersonEmail(text: string, policy: Policy): string | undefined {
  const email = emailKey(text);
  return isEmail(email, policy) && isAddress(email) ? email : undefined;
}
